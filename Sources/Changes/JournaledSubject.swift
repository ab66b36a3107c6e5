package import IFTTT
import JSON
import PluginProtocol
import Session
package import Store

extension Subject {
  /// The provider as the journal has it.
  var journaledProvider: String? {
    switch provider {
    case .connect: nil
    case .applets: JournalItem.applets
    case .plugin(let name): name.description
    }
  }

  /// Nil if the provider's name is not one.
  package init?(_ item: JournalItem) {
    let provider: Provider
    switch item.provider {
    case nil: provider = .connect
    case JournalItem.applets?: provider = .applets
    case let name?:
      guard let name = PluginName(parsing: name) else { return nil }
      provider = .plugin(name)
    }
    self.init(id: item.id, provider: provider, userID: item.userID)
  }
}

/// The states of an item, whichever version recorded it.
///
/// Until schema 12, the action said what the states mean: a status for `enable` and `disable`, a configuration for
/// `configure`, and both for `apply`. The state after the run of an unfinished item was its target.
extension JournalItem {
  /// The state before the run; nil if it was not read.
  package var recordedBefore: RecordedState? { state(before) }

  /// The state that was read after the change; nil if it is unknown.
  package var recordedAfter: RecordedState? { action == Self.change || !isUnfinished ? state(after) : nil }

  package var recordedTarget: TargetState? {
    switch action {
    case Self.change: target.flatMap(Self.json).flatMap { TargetState($0, at: "connection '\(id)'") }
    case "enable": .status(.enabled)
    case "disable": .status(.disabled)
    case Self.apply: after.flatMap(Self.json).flatMap { TargetState($0, at: "connection '\(id)'") }
    default: state(after).map(TargetState.state)
    }
  }

  private func state(_ text: String?) -> RecordedState? {
    guard let text else { return nil }
    switch action {
    case "enable", "disable": return UserStatus(rawValue: text).map { RecordedState(status: $0, configuration: nil) }
    case Self.configure:
      return Self.json(text).flatMap { RecordedState(["status": "unknown", "configuration": $0]) }
    default: return Self.json(text).flatMap(RecordedState.init)
    }
  }

  private static func json(_ text: String) -> JSONValue? { try? JSONValue(parsing: Array(text.utf8)) }
}

extension Problem {
  /// Whether the same change may succeed later, so that a resumed run tries it again.
  var mayPass: Bool {
    switch code.exit {
    case .unavailable, .credentials, .interrupted: true
    default: false
    }
  }
}
