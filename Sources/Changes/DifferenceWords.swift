package import IFTTT
import JSON
import Session

extension ConfigurationDifference {
  /// One line for people, without the heading.
  package var words: String {
    let name = label.map { "\(address) (\($0))" } ?? address
    var (old, new) = (shown(before), shown(after))
    // Two options may have the same name, or two locations the same address.
    if change == .changed, old == new { (old, new) = (spelt(before), spelt(after)) }
    switch change {
    case .added: return new.isEmpty ? name : "\(name): \(new)"
    case .changed: return "\(name): \(old) → \(new)"
    case .removed: return old.isEmpty ? name : "\(name): \(old)"
    }
  }

  private func spelt(_ value: JSONValue) -> String {
    guard let option = value["value"]?.string else { return value.string ?? value.text }
    return "\(value.asFieldValue) (\(option))"
  }

  private func shown(_ value: JSONValue) -> String {
    if case .bool(let isOn) = value { return place == nil ? (isOn ? "on" : "off") : value.text }
    return value.asFieldValue
  }
}
