/// A moment of the Connect Button's flow that the SDKs report, if it has an equivalent on a command line (reference:
/// events-and-privacy.md, section 2).
package enum UsageMoment: Sendable, Equatable {
  /// The button was drawn.
  case buttonShown(ConnectionID, Connection.Status)
  /// The user was prompted for an e-mail address.
  case emailAsked(ConnectionID)
  /// An e-mail address is available. It is not part of the event.
  case emailConfirmed(ConnectionID)
  /// The browser is opened to connect, or `enable` is sent. Carries the previous status.
  case connecting(ConnectionID, Connection.Status)
  /// The connection is enabled. Carries the previous status.
  case connected(ConnectionID, before: Connection.Status)
  /// `disable` is sent. Carries the previous status.
  case disconnecting(ConnectionID, Connection.Status)

  private var id: ConnectionID {
    switch self {
    case .buttonShown(let id, _), .emailAsked(let id), .emailConfirmed(let id), .connecting(let id, _),
      .connected(let id, _), .disconnecting(let id, _):
      id
    }
  }

  /// The events to report; none if the id does not look like a connection's.
  package var events: [UsageEvent] {
    guard let id = UsageEvent.ObjectID(id) else { return [] }
    let button = UsageEvent.Location(button: id)
    return switch self {
    case .buttonShown(_, let status):
      [UsageEvent(.impression, .connection(id, status), at: button)]
    case .emailAsked: [UsageEvent(.impression, .email(id), at: button)]
    case .emailConfirmed: [UsageEvent(.click, .email(id), at: button)]
    case .connecting(_, let status), .disconnecting(_, let status):
      [UsageEvent(.click, .connection(id, status), at: button)]
    case .connected(_, let before):
      [
        UsageEvent(
          .stateChange, .connection(id, .enabled), at: button, state: before == .neverEnabled ? .created : .enabled),
        UsageEvent(.pageViewed, nil, at: button),
      ]
    }
  }
}
