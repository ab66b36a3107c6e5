import Foundation
import Support
import Testing

/// The example plugin `ifttt-mcp`, an MCP server, with the reference client.
@Suite struct MCPTests {
  private static let python = Tool(path: Checkout.path(".build/mcp/bin/python"))
  private let home = Home(nil, ["IFTTT_PROFILE": "sandbox"])

  init() throws {
    let linked = try home.run("plugin", "install", Checkout.path("Examples/plugins/ifttt-mcp"), "--yes")
    #expect(linked.status == 0, "\(linked.errors)")
  }

  @Test(
    .enabled(if: python != nil, "skipped: needs the Python packages of script/bootstrap test"),
    arguments: ["read", "change"])
  func theReferenceClientUsesTheTools(_ part: String) throws {
    let client = Checkout.path("Tests/TranscriptTests/MCP/client.py")
    let outcome = try #require(Self.python).run(
      ["-B", client, part, Home.program], in: ScratchFolder(), environment: home.environment)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  /// Messages that no client of a library sends.
  @Test func malformedMessagesAreAnswered() throws {
    let lines = [
      #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, "not JSON", "[]", #"{"jsonrpc":"1.0","id":2,"method":"ping"}"#,
      #"{"jsonrpc":"2.0","id":3,"method":"no/such"}"#, #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
      #"{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"store_rekey"}}"#,
      #"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"connections_enable"}}"#,
    ]
    let outcome = try home.run(["mcp"], input: lines.map { $0 + "\n" }.joined())
    let codes = try outcome.text.split(separator: "\n").map { line in
      let response = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return (response?["error"] as? [String: Any])?["code"] as? Int
    }
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(codes == [nil, -32700, -32600, -32600, -32601, -32602, -32602])
  }
}
