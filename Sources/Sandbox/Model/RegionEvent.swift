/// The transitions of its region that a location trigger reports.
enum RegionEvent: String {
  case entry, exit, both

  func includes(isEntry: Bool) -> Bool { self == .both || (self == .entry) == isEntry }
}

extension SandboxFixtures.Step {
  /// The field with the region of a location trigger; nil for any other step.
  private var regionField: Int? { fields.firstIndex { $0.id == "location" } }

  /// The transitions that the trigger reports; nil if it has no region.
  var regionEvent: RegionEvent? {
    switch regionField.map({ fields[$0].type }) {
    case .locationEnter: .entry
    case .locationExit: .exit
    case .locationEnterOrExit: .both
    default: nil
    }
  }

  /// The region that a user configured; nil for a step without a region.
  func region(in configured: SandboxFixtures.UserStep) -> SandboxFixtures.Value? {
    guard regionEvent != nil, let index = regionField, configured.values.indices.contains(index),
      case .location? = configured.values[index]
    else { return nil }
    return configured.values[index]
  }
}
