import HTTP
import JSON
import Session
import Text

/// The control endpoint of a sandbox server, which the inspector and the commands for a running server use.
///
/// Only clients that have the server's key may use it. A browser tells with an `Origin` header which page a request is
/// from, and only the server's own page may send one.
enum SandboxControl {
  static let path = "/.sandbox"
  /// The target that responds to anyone, whatever host the request names.
  static let healthPath = path + "/health"

  static func serves(_ target: String) -> Bool {
    guard target.utf8.starts(with: path.utf8) else { return false }
    let next = target.utf8.dropFirst(path.utf8.count).first
    return next == nil || next == UInt8(ascii: "/") || next == UInt8(ascii: "?")
  }

  /// - Returns: What the request asks for.
  /// - Throws: The error for a request of another page, or without the key.
  static func command(_ request: ReceivedRequest, key: String) throws(ControlError) -> ControlCommand {
    if let origin = request.field("Origin"), origin != "http://\(request.field("Host") ?? "")" {
      throw ControlError(403, "Requests from other web pages are rejected")
    }
    guard ExactText.sameInConstantTime(request.field("Authorization") ?? "", "Bearer \(key)") else {
      throw ControlError(401, "The key of this server is required as a bearer token")
    }
    return try ControlCommand(request)
  }
}

extension Reply {
  /// A response of the control endpoint. It may hold credentials.
  static func json(_ value: JSONValue) -> Reply {
    Reply(
      status: 200,
      fields: [HeaderField("Content-Type", "application/json"), HeaderField("Cache-Control", "no-store")],
      body: value.bytes)
  }
}
