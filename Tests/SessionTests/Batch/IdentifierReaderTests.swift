import ProgramDriver
import Support
import Testing
import Text

@testable import Session

/// The ids in every input format, independent of how the text is split into chunks.
@Suite struct IdentifierReaderTests {
  private func findings(_ bytes: [UInt8], pieces: Int = 1) throws -> [IdentifierReader.Element] {
    var reader = IdentifierReader()
    var findings: [IdentifierReader.Element] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      try reader.read(Array(rest.prefix(pieces))) { findings.append($0) }
      rest = rest.dropFirst(pieces)
    }
    try reader.end { findings.append($0) }
    return findings
  }

  private func findings(_ text: String) throws -> [IdentifierReader.Element] { try findings(Array(text.utf8)) }

  @Test(arguments: [
    "aa\nbb\n", "aa\r\nbb", "\n\n  aa \n# no\n\tbb\n\n", "\u{feff}aa\nbb\n", #"["aa","bb"]"#,
    "[\n{\"id\":\"aa\"},\n{\"id\":\"bb\"}\n]\n",
    "{\"id\":\"aa\"}\n{\"x\":[1,2],\"id\":\"bb\"}\n", "\"aa\"\nbb\n", #"[ {"a":"]},[","id":"aa"} , "bb" ]"#,
    #"[{"id":"aa","b":{"c":["\"]"]}},{"id":"bb"}]"#, "id,name\naa,\"x\n# y\"\nbb,z\n",
  ])
  func idsAreReadInEveryFormat(text: String) throws {
    for pieces in [1, 2, 3, 7, 1000] {
      let found = try findings(Array(text.utf8), pieces: pieces).map { finding -> String in
        if case .id(_, let id) = finding { id } else { "\(finding)" }
      }
      #expect(found == ["aa", "bb"], "\(text) in chunks of \(pieces)")
    }
  }

  @Test(arguments: ["", "\n", "  \n\n# only words\n", "[]", " [ \n ] \n", "\u{feff}"])
  func inputWithoutIDsIsEmpty(text: String) throws { #expect(try findings(text) == []) }

  @Test func invalidInputIsReportedWithItsLine() throws {
    #expect(
      try findings("aa\n\nfoo bar\n{\"x\":1}\n[1]\n{\"id\":7}\nbb\n{\"id\":\"cc\"\n\"") == [
        .id(line: 1, "aa"), .badLine(line: 3, "expected one id per line"), .badLine(line: 4, #"it has no "id" string"#),
        .badLine(line: 5, "it is not an id"), .badLine(line: 6, #"it has no "id" string"#), .id(line: 7, "bb"),
        .badLine(line: 8, try Self.wrong("{\"id\":\"cc\"")), .badLine(line: 9, try Self.wrong("\"")),
      ])
    #expect(try findings([0x61, 0x0a, 0xff, 0x0a]) == [.id(line: 1, "a"), .badLine(line: 2, "it is not UTF-8")])
    #expect(try findings([0xef, 0xbb]) == [.badLine(line: 1, "it is not UTF-8")])
  }

  @Test func readingAnArrayContinuesAfterErrors() throws {
    #expect(
      try findings("[\"aa\",,1,\n{},{\"id\":\"bb\"}") == [
        .id(line: 1, "aa"), .badLine(line: 1, "an element of the array is empty"), .badLine(line: 1, "it is not an id"),
        .badLine(line: 2, #"it has no "id" string"#), .id(line: 2, "bb"),
        .badLine(line: 2, "the array is not closed"),
      ])
    #expect(
      try findings("[\"aa\"]\nbb cc\n") == [
        .id(line: 1, "aa"), .badLine(line: 2, "unexpected text after the array"),
      ])
    #expect(
      try findings("[\"aa\",]") == [.id(line: 1, "aa"), .badLine(line: 1, "an element of the array is empty")])
  }

  @Test func linesHaveALengthLimit() throws {
    let long = [UInt8](repeating: 0x61, count: IdentifierReader.limit + 1)
    let words = "it is longer than \(IdentifierReader.limit) bytes"
    let lines = try findings(long + Array("\nbb\n".utf8), pieces: 1 << 16)
    #expect(lines == [.badLine(line: 1, words), .id(line: 2, "bb")])
    let array = try findings(Array("[\"".utf8) + long + Array("\",\"bb\"]".utf8), pieces: 1 << 16)
    #expect(array == [.badLine(line: 1, words), .id(line: 1, "bb")])
    #expect(try findings(Array(long.dropLast()), pieces: 1 << 16).count == 1)
  }

  /// For arbitrary bytes, reading ends and each line has at most one finding.
  @Test func acceptsArbitraryBytes() throws {
    var random = SeededGenerator(seed: 7)
    let alphabet = Array("a[]{},\":#\\ \n\u{feff}é\0id1".utf8) + [0xff, 0xc3]
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
      }
      let results = [1000, 1].map { size in Result { try findings(bytes, pieces: size) } }
      switch (results[0], results[1]) {
      case (.success(let whole), .success(let pieces)): #expect(whole == pieces, "\(bytes)")
      case (.failure(let error), .failure): #expect(error is ForeignEncoding, "\(bytes)")
      default: Issue.record("\(bytes)")
      }
    }
  }

  private static func wrong(_ json: String) throws -> String {
    var words = ""
    var reader = IdentifierReader()
    try reader.read(Array(json.utf8)) { _ in }
    try reader.end { if case .badLine(_, let text) = $0 { words = text } }
    return words
  }
}
