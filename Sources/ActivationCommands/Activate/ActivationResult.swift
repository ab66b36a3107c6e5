import API
import Arguments
package import CommandContext
import Connect
import Display
import Hints
import JSON
import PluginHost

extension OutputSchema {
  package static var activation: OutputSchema {
    OutputSchema(
      name: "connections-activate",
      record: RecordSchema([
        "id": .string, "name": .string, "status": .word(Connection.Status.allCases.map(\.rawValue)),
        "previous_status": .word(Connection.Status.allCases.map(\.rawValue)), "pending": .bool, "token_saved": .bool,
        "user_login": .optionalString, "url_kind": .optionalString,
      ]),
      columns: [
        Column("ID", "id", overflow: .keep), Column("NAME", "name"),
        Column("STATUS", "status", style: .status, overflow: .keep),
        Column("BEFORE", "previous_status", style: .status, overflow: .keep), Column("PENDING", "pending"),
        Column("TOKEN SAVED", "token_saved"), Column("LOGIN", "user_login"),
      ], form: .one)
  }
}

/// The result of an activation.
struct ActivationResult {
  var id: ConnectionID
  /// The connection as last fetched; nil if it could not be fetched after the activation.
  var connection: Connection?
  var status: Connection.Status
  var previous: Connection.Status
  var isPending: Bool
  /// Why the last fetch of the connection failed, if it did.
  var unverified: APIError?
  var savedToken: Bool
  var login: String?
  /// Nil if no browser was needed.
  var page: ActivationPage?

  private var row: [UInt8] {
    let row: JSONValue = [
      "id": JSONValue(id.description), "name": JSONValue(connection?.name ?? id.description),
      "status": JSONValue(status.rawValue), "previous_status": JSONValue(previous.rawValue),
      "pending": JSONValue(isPending), "token_saved": JSONValue(savedToken),
      "user_login": JSONValue(login), "url_kind": JSONValue(page?.rawValue),
    ]
    return row.bytes
  }

  /// The result in one line, for a command that continues. A separate note reports the token.
  var words: String { "Connection '\(id)' is \(status.rawValue)\(isPending ? " (pending)" : "")." }

  static func pendingNote(_ id: ConnectionID) -> Hint {
    "It does nothing until it is configured: \(ifttt: "configure \(id)")."
  }

  func output(in session: Session) -> Output {
    var output = Output.one(row, as: .activation)
    output.verdict = {
      if let failure = unverified {
        var problem = Problem(failure, subject: "connection '\(id)'")
        problem.message = "IFTTT reported success, but the connection's state is unknown: \(problem.message)"
        throw problem
      }
      if isPending { session.console.note(Self.pendingNote(id)) }
    }
    return output
  }
}
