import JSON
import PluginProtocol
import Testing
import Text
import World

@testable import Plugins

/// The lines of a trace, and what they hide.
@Suite struct PluginTraceTests {
  private final class Lines { var all: [JSONValue] = [] }
  private let lines = Lines()
  private let process: TracedProcess

  init() throws {
    let lines = lines
    let known = try #require(Secret(parsing: "known-secret"))
    let trace = PluginTrace(masking: [known], now: { Timestamp(milliseconds: 1_790_000_000_000) }) { line in
      if let value = try? JSONValue(parsing: Array(line.utf8)) { lines.all.append(value) }
    }
    process = trace.process(of: try #require(PluginName(parsing: "shelf")))
  }

  private func plugin(_ text: String) { process.received(Array((text + "\n").utf8)) }
  private func host(_ text: String) { process.sent(Array((text + "\n").utf8)) }
  private var messages: [JSONValue] { lines.all.map { $0["message"] ?? .null } }
  private var text: String { lines.all.map(\.text).joined(separator: "\n") }

  @Test func bothDirectionsAreRecordedWithTimes() throws {
    host(#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#)
    process.received(Array(#"{"jsonrpc":"2.0","id":1,"#.utf8))
    process.received(Array("\"result\":{}}\n{\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n".utf8))
    #expect(lines.all.map { $0["direction"] } == ["host", "plugin", "plugin"])
    #expect(lines.all.allSatisfy { $0["plugin"] == "shelf" && $0["time"] == "2026-09-21T14:13:20.000Z" })
    #expect(messages[0]["method"] == "initialize")
    #expect(messages[1] == ["jsonrpc": "2.0", "id": 1, "result": [:]])
  }

  @Test func rubbishIsQuoted() {
    plugin("Hello! I am \u{1b}[31ma plugin, and this is known-secret.")
    plugin("[1]")
    process.received(Array("no line feed".utf8))
    process.end()
    #expect(lines.all.count == 3)
    #expect(lines.all[0]["text"]?.string?.hasPrefix("Hello! I am \u{1b}[31ma plugin, and this is ") == true)
    #expect(lines.all[1]["text"] == "[1]")
    #expect(lines.all[2]["text"] == "no line feed")
    #expect(!text.contains("known-secret"))
  }

  @Test func aMessageThatIsTooLongEndsTheTrace() {
    process.received([UInt8](repeating: 0x78, count: Message.limit + 1))
    plugin(#"{"jsonrpc":"2.0","method":"x"}"#)
    #expect(lines.all.map { $0["text"] } == ["(a message is longer than 16 MiB)"])
  }

  @Test func longStringsAreCut() throws {
    let long = String(repeating: "x", count: 10_000)
    host(#"{"jsonrpc":"2.0","id":1,"method":"\#(long)","params":{}}"#)
    let method = try #require(messages[0]["method"]?.string)
    #expect(method.hasSuffix("x… (10000 bytes)") && method.utf8.count < 4200)
  }

  @Test func storedCredentialsAreMaskedEverywhere() {
    plugin(#"{"jsonrpc":"2.0","id":"a","method":"credential/get","params":{"name":"token"}}"#)
    host(#"{"jsonrpc":"2.0","id":"a","result":{"value":"tok-123456"}}"#)
    #expect(messages[1]["result"] == ["value": "…"])
    #expect(messages[0]["params"] == ["name": "token"])
    // The plugin repeats it, also in a URL.
    plugin(#"{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"tok-123456 was rejected"}}"#)
    plugin(#"tok-123456 in rubbish"#)
    #expect(!text.contains("tok-123456"))
    #expect(messages[2]["error"]?["message"]?.string?.hasSuffix(" was rejected") == true)
  }

  @Test func savedCredentialsAndTheirPartsAreMasked() {
    plugin(
      #"{"jsonrpc":"2.0","id":1,"method":"credential/put","params":{"values":{"a":"{\"access_token\":\"abcdefghijklmnop\"}","b":"short"},"delete":["c"]}}"#
    )
    plugin(
      #"{"jsonrpc":"2.0","id":2,"method":"credential/put","params":{"name":"k","value":"-----KEY\nabcdefgh\n-----"}}"#)
    #expect(messages[0]["params"] == ["values": ["a": "…", "b": "…"], "delete": ["c"]])
    #expect(messages[1]["params"] == ["name": "k", "value": "…"])
    plugin(#"{"jsonrpc":"2.0","method":"log","params":{"message":"abcdefghijklmnop and abcdefgh"}}"#)
    #expect(!text.contains("abcdefgh"))
  }

  @Test func secretAnswersAreMasked() {
    plugin(#"{"jsonrpc":"2.0","id":1,"method":"prompt","params":{"message":"Password","secret":true}}"#)
    host(#"{"jsonrpc":"2.0","id":1,"result":{"value":"hunter22"}}"#)
    plugin(#"{"jsonrpc":"2.0","id":2,"method":"prompt","params":{"message":"Name","secret":false}}"#)
    host(#"{"jsonrpc":"2.0","id":2,"result":{"value":"Ann"}}"#)
    plugin(#"{"jsonrpc":"2.0","id":3,"method":"input/read","params":{}}"#)
    host(#"{"jsonrpc":"2.0","id":3,"result":{"text":"client-secret"}}"#)
    plugin(#"{"jsonrpc":"2.0","id":4,"method":"redirect/open","params":{}}"#)
    host(#"{"jsonrpc":"2.0","id":4,"result":{"query":"code=c0dec0de&state=s1","via":"listener"}}"#)
    plugin(#"{"jsonrpc":"2.0","method":"log","params":{"message":"hunter22 client-secret c0dec0de"}}"#)
    #expect(messages[1]["result"] == ["value": "…"])
    #expect(messages[3]["result"] == ["value": "Ann"])
    #expect(messages[5]["result"] == ["text": "…"])
    #expect(messages[7]["result"] == ["query": "code=…&state=…", "via": "listener"])
    for secret in ["hunter22", "client-secret", "c0dec0de"] { #expect(!text.contains(secret)) }
  }

  /// A response whose id belongs to no request of the plugin is shown unchanged.
  @Test func otherResponsesStay() {
    plugin(#"{"jsonrpc":"2.0","id":1,"method":"lock/acquire","params":{"name":"x"}}"#)
    host(#"{"jsonrpc":"2.0","id":1,"result":{"value":"plain"}}"#)
    #expect(messages[1]["result"] == ["value": "plain"])
  }
}
