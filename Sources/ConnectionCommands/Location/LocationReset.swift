import CommandLine
import Location
import Session
import Store

enum LocationReset: Command {
  struct Options: Sendable {
    var regions: [String] = []
  }

  static let name = "reset"
  static let summary = "Clear the remembered inside/outside states"
  static var discussion: [String] {
    [
      "These are the states that 'location replay --remember' stores. The next position never triggers an event.",
      "With --json it prints one object with the number of cleared states, not the regions.",
    ]
  }
  static var positionals: [Positional<Options>] {
    [.many(.region, into: \.regions, help: "Only these regions; default: all")]
  }
  static var examples: [ExampleSchema] { [ExampleSchema("location reset", "clear the states of all regions")] }
  static var shape: OutputSchema? { .one(ResetCount.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let regions = options.regions.isEmpty ? nil : options.regions
    if session.options.isDryRun {
      let known = try session.storedFenceStates().keys.filter { regions?.contains($0) ?? true }.count
      return session.dryRun(change: known == 0 ? nil : "Would clear the states of \(known) regions.")
    }
    let count = try session.store.forgetLocations(of: regions, profile: session.profile.name)
    return .one(ResetCount(forgotten: count))
  }
}

private struct ResetCount: OutputRecord {
  let forgotten: Int

  static let fields: Fields = [
    Field("forgotten", "The number of cleared states", column: "CLEARED") { $0.forgotten }
  ]
}

extension Session {
  /// The remembered inside/outside states by region id, with the times they were determined.
  func storedFenceStates() throws -> [String: FenceState] {
    FenceState.all(in: try store.rememberedLocations(profile: profile.name))
  }
}

extension FenceState {
  /// The states by region id; an invalid stored state counts as unknown.
  static func all(in locations: [StoredFenceState]) -> [String: FenceState] {
    var found: [String: FenceState] = [:]
    for location in locations {
      guard let containment = Containment(rawValue: location.containment),
        let center = Coordinate(latitude: location.latitude, longitude: location.longitude)
      else { continue }
      found[location.region] = FenceState(
        containment, center: center, radius: location.radius, observedAt: location.observedAt)
    }
    return found
  }
}

extension StoredFenceState {
  init(_ state: FenceState, of region: String) {
    self.init(
      region: region, latitude: state.center.latitude, longitude: state.center.longitude, radius: state.radius,
      containment: state.containment.rawValue, observedAt: state.observedAt)
  }
}
