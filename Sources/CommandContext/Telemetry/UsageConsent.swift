package import Store
import World

/// Whether usage events are recorded and sent in this run, and why not.
package enum UsageConsent {
  case on(UsageChoice)
  case off(Reason)

  package enum Reason {
    /// They are not on, whether or not they ever were.
    case notChosen
    case variable
    case ci
    case recording
    case replay
    /// Whether they are on cannot be read, so they are not.
    case unreadable

    /// As part of a sentence.
    package var words: String {
      switch self {
      case .notChosen: "only 'ifttt privacy on' switches them on"
      case .variable: "DO_NOT_TRACK is set"
      case .ci: "CI is set, and a CI service has no say in it"
      case .recording: "the run is recorded with --record"
      case .replay: "the run is a replay"
      case .unreadable: "the choice cannot be read"
      }
    }
  }

  package var choice: UsageChoice? {
    if case .on(let choice) = self { choice } else { nil }
  }

  package var reason: Reason? {
    if case .off(let reason) = self { reason } else { nil }
  }
}

extension Session {
  /// What forbids usage events whatever was chosen; nil where nothing does.
  package var usageVeto: UsageConsent.Reason? {
    if replay != nil { return .replay }
    if recording != nil { return .recording }
    if asksNotToTrack(world.environment["DO_NOT_TRACK"]) { return .variable }
    return isCI ? .ci : nil
  }

  /// Looked at anew each time.
  package var usageConsent: UsageConsent {
    if let usageVeto { return .off(usageVeto) }
    do {
      return try store.usageChoice().map(UsageConsent.on) ?? .off(.notChosen)
    } catch {
      return .off(.unreadable)
    }
  }
}

/// The rule of consoledonottrack.com is `DO_NOT_TRACK=1`. Whoever sets it to anything else means it too, but for the two
/// words that elsewhere switch such a variable off.
private func asksNotToTrack(_ variable: String?) -> Bool {
  guard let value = variable?.lowercased() else { return false }
  return !["", "0", "false"].contains(value)
}
