@testable import IFTTT
import JSON
import Testing

/// Files of connections, which are read strictly.
@Suite struct ConnectionsFileReadingTests {
  private func error(_ text: String) -> DocumentError? {
    do throws(DocumentError) {
      _ = try ConnectionsFile(parsing: Array(text.utf8))
      return nil
    } catch { return error }
  }

  private func file(_ connections: String) -> String { #"{"version":1,"connections":[\#(connections)]}"# }

  @Test func everyPartIsRead() throws {
    let text = file(
      #"{"id":"Kd7Rn2Qx","name":"Lamps","status":"enabled","pending":false,"features":[{"feature":"f1","title":"T","#
        + #""enabled":true,"fields":{"scene":"sc_02","note":null}}]}, {"id":"b"}"#)
    let read = try ConnectionsFile(parsing: Array(text.utf8))
    // Editors find the schema by this member.
    let named = text.replacing(#"{"version""#, with: ##"{"$schema":"connections.schema.json","version""##)
    #expect(try ConnectionsFile(parsing: Array(named.utf8)).connections == read.connections)
    #expect(read.connections.map(\.id.description) == ["Kd7Rn2Qx", "b"])
    let first = read.connections[0]
    #expect(first.status == .enabled && first.name == "Lamps" && first.path == "connections[0]")
    #expect(first.features[0].fields.map(\.name) == ["scene", "note"])
    #expect(first.features[0].fields.map(\.value) == ["sc_02", .null])
    #expect(read.connections[1].status == nil && read.connections[1].features.isEmpty)
  }

  @Test(arguments: [
    ("", "line 1, column 1", "expected a value, not the end"),
    ("{\"version\":1,\n \"connections\": [}", "line 2, column 18", "expected a value"),
    ("{\"version\":1,\"connections\":[\0]}", "line 1, column 29", "expected a value"),
    ("[]", "", "it is not a JSON object"),
    (#"{"connections":[]}"#, "version", "it is not 1, the only version that this program reads"),
    (#"{"version":2,"connections":[]}"#, "version", "it is not 1, the only version that this program reads"),
    (#"{"version":1}"#, "connections", "it is missing"),
    (#"{"version":1,"version":1,"connections":[]}"#, "version", "the key is repeated"),
    (#"{"version":1,"connections":[],"x":1}"#, "x", "the key is not one of version, connections"),
    (#"{"version":1,"connections":{}}"#, "connections", "it is not an array"),
    (#"{"version":1,"connections":[1]}"#, "connections[0]", "it is not a JSON object"),
  ])
  func aWrongDocumentIsRejectedWithItsPath(_ text: String, _ path: String, _ message: String) {
    #expect(error(text) == DocumentError(path, message))
  }

  @Test(arguments: [
    ("{}", "id", "it is missing"), (#"{"id":""}"#, "id", "it is not a connection's id"),
    (#"{"id":"a/b"}"#, "id", "it is not a connection's id"), (#"{"id":7}"#, "id", "it is not a string"),
    (#"{"id":"a","id":"b"}"#, "id", "the key is repeated"),
    (#"{"id":"a","state":"on"}"#, "state", "the key is not one of id, name, status, pending, features"),
    (
      #"{"id":"a","status":"on"}"#, "status", "it is not one of enabled, disabled, never_enabled, unknown"
    ),
    (#"{"id":"a","features":{}}"#, "features", "it is not an array"),
    (#"{"id":"a","features":[{}]}"#, "features[0].feature", "it is missing"),
    (#"{"id":"a","features":[{"feature":"f","enabled":1}]}"#, "features[0].enabled", "it is neither true nor false"),
    (#"{"id":"a","features":[{"feature":"f","fields":[]}]}"#, "features[0].fields", "it is not a JSON object"),
    (
      #"{"id":"a","features":[{"feature":"f","fields":{"x":1,"x":2}}]}"#, "features[0].fields.x", "the key is repeated"
    ),
    (
      #"{"id":"a","features":[{"feature":"f","fields":{"x":{"lat":1,"lat":2}}}]}"#, "features[0].fields.x",
      #"the key "lat" is repeated"#
    ),
    (
      #"{"id":"a","features":[{"feature":"f","fields":{"x":["\u0000"]}}]}"#, "features[0].fields.x",
      "it contains the character U+0000"
    ),
  ])
  func aWrongConnectionIsRejectedWithItsPath(_ text: String, _ path: String, _ message: String) {
    #expect(error(file(#"{"id":"z"}, \#(text)"#)) == DocumentError("connections[1].\(path)", message))
  }

  @Test func anIDThatIsGivenTwiceIsRejected() {
    #expect(
      error(file(#"{"id":"a"},{"id":"b"},{"id":"a"}"#))
        == DocumentError("connections[2].id", "connections[0] has the same id"))
  }

  @Test func invalidUTF8AndDeepTextAreRejected() {
    #expect(throws: DocumentError.self) {
      try ConnectionsFile(parsing: Array(#"{"version":1,"connections":[{"id":""#.utf8) + [0xff] + Array(#""}]}"#.utf8))
    }
    #expect(error(String(repeating: "[", count: 100_000))?.message == "nested too deeply")
  }
}
