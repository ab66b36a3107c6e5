import IFTTT
import Testing

@testable import DeveloperCommands

/// The lines of `service notify --stdin`, whatever the size of the chunks.
@Suite struct NotificationReaderTests {
  private func read(_ bytes: [UInt8], chunk: Int) -> [NotificationReader.Line] {
    var reader = NotificationReader()
    var lines: [NotificationReader.Line] = []
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      try? reader.read(Array(bytes[start..<min(start + chunk, bytes.count)])) { lines.append($0) }
    }
    try? reader.end { lines.append($0) }
    return lines
  }

  private func read(_ text: String) -> [NotificationReader.Line] {
    let whole = read(Array(text.utf8), chunk: max(1, text.utf8.count))
    for chunk in [1, 2, 7] { #expect(read(Array(text.utf8), chunk: chunk) == whole) }
    return whole
  }

  @Test func linesAreIdentitiesObjectsOrStrings() {
    let text = """
      \u{feff}7d1f0c93

      # a comment
        e2a8\t\r
      {"user_id":"u-5521"}
      {"note":1, "trigger_identity":"a b"}
      "c d"
      {"user_id":5521}
      """
    #expect(
      read(text) == [
        .success(.triggerIdentity("7d1f0c93")), .success(.triggerIdentity("e2a8")), .success(.user("u-5521")),
        .success(.triggerIdentity("a b")), .success(.triggerIdentity("c d")), .success(.user("5521")),
      ])
    #expect(read("") == [] && read("\n\n") == [] && read("x\n") == [.success(.triggerIdentity("x"))])
  }

  @Test(arguments: [
    ("a b", "it is not a single trigger identity"), (#""""#, "the trigger identity is empty"),
    (#"{"user_id":""}"#, #""user_id" is empty"#), (#"{"trigger_identity":""}"#, #""trigger_identity" is empty"#),
    (#"{"user_id":null}"#, #""user_id" is not a string"#), (#"{"user_id":1.5}"#, #""user_id" is not a string"#),
    ("{}", #"it has neither "user_id" nor "trigger_identity""#), ("[1]", "it is neither an object nor a string"),
    (#"{"user_id":"a","trigger_identity":"b"}"#, #"it has both "user_id" and "trigger_identity"; use two lines"#),
  ])
  func faultsNameTheLine(_ line: String, _ reason: String) {
    #expect(
      read("x\n\n\(line)\ny") == [
        .success(.triggerIdentity("x")), .failure(.init(line: 3, reason: reason)), .success(.triggerIdentity("y")),
      ])
  }

  @Test func invalidTextIsAFault() {
    #expect(read([0x61, 0xff], chunk: 1) == [.failure(.init(line: 1, reason: "it is not UTF-8"))])
    guard case .failure(let fault) = read("{\"user_id\"").first else {
      Issue.record("cut off JSON was accepted")
      return
    }
    #expect(fault.reason.hasPrefix("it is not JSON: "))
    let long = Array(repeating: UInt8(ascii: "a"), count: (1 << 20) + 1)
    #expect(read(long, chunk: 4096) == [.failure(.init(line: 1, reason: "it is longer than 1048576 bytes"))])
  }
}
