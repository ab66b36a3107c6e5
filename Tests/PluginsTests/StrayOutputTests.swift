import PluginProtocol
import Testing

@testable import Plugins

/// What an error quotes of a line that a plugin wrote to stdout by mistake.
@Suite struct StrayOutputTests {
  private func description(_ text: String) -> String {
    StrayOutput(Array(text.utf8), .notJSON("expected a value at byte 0")).description
  }

  @Test func theLineIsQuoted() {
    #expect(
      description("Loading 3 feeds")
        == "it wrote 'Loading 3 feeds' to stdout, which belongs to the protocol: not JSON: expected a value at byte 0")
  }

  @Test func escapeSequencesAreRemoved() {
    #expect(description("\u{1b}[31mred\u{7}\r").hasPrefix("it wrote 'red' to stdout"))
  }

  @Test(arguments: [(200, ""), (201, "…"), (100_000, "…")]) func onlyTheBeginningIsQuoted(_ count: Int, _ end: String) {
    #expect(
      description(String(repeating: "ä", count: count))
        .hasPrefix("it wrote '\(String(repeating: "ä", count: 200))\(end)' to stdout"))
  }

  @Test func aSecretIsMaskedEvenAtTheLimit() {
    let output = StrayOutput(Array((String(repeating: "x", count: 195) + "token-0123456789").utf8), .tooLong)
    let masked = output.masked { $0.replacing("token-0123456789", with: "…") }
    #expect(!masked.description.contains("token"))
  }

  @Test func aDamagedRequestToSaveCredentialsIsNotQuoted() {
    let text = description(#"{"jsonrpc":"2.0","id":1,"method":"credential/put","params":{"value":"hush-hush"#)
    #expect(!text.contains("hush") && text.hasPrefix("it wrote a line to stdout"))
  }
}
