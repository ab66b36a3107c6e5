import HTTP
import IFTTT
import JSON

/// A connection is read leniently, and its output is JSON with a fixed set of keys.
enum ConnectionProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    let response = Response(status: 200, body: bytes)
    // Errors are also read from arbitrary bytes.
    for status in [200, 404, 429, 500] { _ = try? Response(status: status, body: bytes).accepted() }
    _ = try? Me(response)
    _ = try? userToken(in: response)
    guard let object = try? JSONValue(parsing: bytes).object, let connection = Connection(reading: object) else {
      return nil
    }
    guard Connection(reading: object) == connection else { return "the same bytes produce different results" }
    guard
      (try? FetchedConnection(response, for: connection.id))?.raw == bytes || object.text("type") == "list"
        || object.text("type") == "error"
    else { return "it is not a valid response for its own id" }
    let document = connection.document(pending: false)
    guard document == connection.document(pending: false) else { return "the document differs between calls" }
    guard let read = try? JSONValue(parsing: document + Array("}".utf8)).object else {
      return "the document is not JSON"
    }
    let keys = read.members.map(\.key)
    guard keys == Self.keys else { return "the document's keys are \(keys)" }
    guard read["id"]?.string == connection.id.description else { return "the document has another id" }
    guard document.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { return "the document contains a control character" }
    return nil
  }

  /// The keys of the command-line contract. Keys that are only known when a row is shown come later.
  private static let keys = [
    "id", "name", "description", "status", "pending", "provider", "url", "enabled_count", "primary_service", "services",
    "features", "configuration", "cover_images",
  ]
}
