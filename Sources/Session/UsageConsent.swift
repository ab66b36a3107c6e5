package import Store
import World

/// Whether usage events are recorded and sent in this run, and the reason if not.
package enum UsageConsent {
  case on(UsageChoice)
  case off(Reason)

  package enum Reason {
    /// Usage events are not enabled, whether or not they ever were.
    case notChosen
    case variable
    case ci
    case recording
    case replay
    /// The setting cannot be read, so usage events are disabled.
    case unreadable

    /// The reason as part of a sentence.
    package var words: String {
      switch self {
      case .notChosen: "not enabled with 'ifttt privacy on'"
      case .variable: "DO_NOT_TRACK is set"
      case .ci: "CI is set, and a CI service cannot give consent"
      case .recording: "the run is recorded with --record"
      case .replay: "the run is a replay"
      case .unreadable: "the setting cannot be read"
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
  /// The reason that disables usage events regardless of the setting; nil if absent.
  package var usageVeto: UsageConsent.Reason? {
    if replay != nil { return .replay }
    if recording != nil { return .recording }
    if asksNotToTrack(world.environment[.doNotTrack]) { return .variable }
    return console.isCI ? .ci : nil
  }

  /// The consent, evaluated on every access.
  package var usageConsent: UsageConsent {
    if let usageVeto { return .off(usageVeto) }
    do {
      return try store.usageChoice().map(UsageConsent.on) ?? .off(.notChosen)
    } catch {
      return .off(.unreadable)
    }
  }
}

/// The rule of consoledonottrack.com is `DO_NOT_TRACK=1`. Any other value counts as well, except `0` and `false`,
/// which commonly disable such a variable.
private func asksNotToTrack(_ variable: String?) -> Bool {
  guard let value = variable?.lowercased() else { return false }
  return !["", "0", "false"].contains(value)
}
