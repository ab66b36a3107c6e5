import IFTTT
import JSON

/// The part of a connection that `connections watch` compares. The number of users is omitted: for a popular
/// connection it changes constantly and says nothing about its user.
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
