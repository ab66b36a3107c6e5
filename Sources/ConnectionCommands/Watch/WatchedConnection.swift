import API
import Connect
import JSON

/// What of a connection `connections watch` looks at. How many people have it on is left out: of a popular one that
/// changes all the time and says nothing about its user.
struct WatchedConnection: Sendable, Equatable {
  var status: Connection.Status
  /// Whether its configuration was skipped.
  var isPending: Bool
  var name: String
  var configuration: UserConnection?

  init(_ connection: Connection, isPending: Bool = false) {
    self.isPending = isPending
    (status, name, configuration) = (connection.status, connection.name, connection.userConnection)
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("status", status.rawValue)
    writer.member("pending", isPending)
    writer.member("name", name)
    writer.key("configuration")
    if let configuration { writer.raw(configuration.document) } else { writer.null() }
    writer.endObject()
  }
}
