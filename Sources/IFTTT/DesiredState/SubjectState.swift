/// The state of a subject as it was read: a connection of IFTTT or of a provider, or an Applet.
package struct SubjectState: Sendable {
  package var status: UserStatus
  /// Nil if it is unknown.
  package var name: String?
  /// Whether it was activated without a configuration, so that it cannot be enabled again once it is disabled.
  package var isPending: Bool
  /// Whether the status could be read. Otherwise a change is sent without knowing it.
  package var isReadable = true
  /// The status before the change that this state is the response to, if the response has it.
  package var previous: UserStatus?
  /// The connection at IFTTT, with its settings; nil for a subject whose settings only its provider has.
  package var connection: Connection? {
    get { shared?.connection }
    set { shared = newValue.map(Shared.init) }
  }
  private var shared: Shared?

  /// A connection has many parts, whose copies take longer than the rest of a change.
  private final class Shared: Sendable {
    let connection: Connection
    init(_ connection: Connection) { self.connection = connection }
  }

  package init(status: UserStatus, name: String? = nil, isPending: Bool = false, connection: Connection? = nil) {
    (self.status, self.name, self.isPending) = (status, name, isPending)
    self.connection = connection
  }

  /// The state of a subject that cannot be read.
  package static var unreadable: SubjectState {
    var state = SubjectState(status: .unknown)
    state.isReadable = false
    return state
  }

  package init(_ connection: Connection, isPending: Bool) {
    self.init(status: connection.status, name: connection.name, isPending: isPending, connection: connection)
  }
}
