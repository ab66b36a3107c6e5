import Testing
import Text

@testable import Changes

/// Users in JSON Lines and CSV, and files that are neither.
@Suite struct UsersReaderTests {
  typealias Element = UsersReader.Element

  /// Read a text in pieces of each of several sizes, with the same result.
  private func read(
    _ text: [UInt8], readsTokens: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [Element] {
    var results: [[Element]] = []
    for size in [1, 2, 3, 7, max(1, text.count)] {
      var reader = UsersReader(readsTokens: readsTokens)
      var found: [Element] = []
      for start in stride(from: 0, to: text.count, by: size) {
        try reader.read(Array(text[start..<min(start + size, text.count)])) { found.append($0) }
      }
      try reader.end { found.append($0) }
      results.append(found)
    }
    #expect(results.allSatisfy { $0 == results[0] }, sourceLocation: sourceLocation)
    return results[0]
  }

  private func read(_ text: String, readsTokens: Bool = false) throws -> [Element] {
    try read(Array(text.utf8), readsTokens: readsTokens)
  }

  private func user(_ id: String, _ token: String? = nil) -> Element {
    .user(UserEntry(userID: id, accessToken: token.flatMap(Secret.init(parsing:))))
  }

  @Test(arguments: ["\n", "\r\n", "\r"], ["", "\u{feff}"])
  func bothFormatsAreDetected(_ end: String, _ mark: String) throws {
    let users = [user("u-1"), user("u-2")]
    #expect(
      try read(mark + ["{\"user_id\":\"u-1\"}", "", "{\"user_id\":\"u-2\",\"x\":1}"].joined(separator: end)) == users)
    #expect(try read(mark + ["name,user_id", "A,u-1", "", "B,u-2", ""].joined(separator: end)) == users)
    #expect(try read(mark + ["\"user_id\"", "\"u-1\"", "u-2"].joined(separator: end)) == users)
    #expect(
      try read(mark + ["", "  ", " {\"user_id\":\"u-1\"}", "{\"user_id\":\"u-2\"}"].joined(separator: end)) == users)
  }

  @Test func anEmptyFileHasNoUsers() throws {
    for text in ["", "\n", "\u{feff}", "\r\n \n", "user_id", "user_id\n"] {
      #expect(try read(text) == [], "\(text.debugDescription)")
    }
  }

  @Test func onlyOneByteOrderMarkIsSkipped() throws {
    let users = try read("\u{feff}\u{feff}name,user_id\nA,u-1\n")
    #expect(users == [user("u-1")])
    #expect(throws: UsersFileError.self) { try read("\u{feff}\u{feff}user_id\nu-1\n") }
  }

  @Test func quotedValuesContainCommasQuotesAndLineBreaks() throws {
    let text = "note,user_id\n\"a, \"\"b\"\"\r\nc\",\"u,1\"\n\"\",\"u\"\"2\"\nplain,u-3\n"
    #expect(try read(text) == [user("u,1"), user("u\"2"), user("u-3")])
  }

  @Test func tokensAreReadOnlyIfTheyAreNeeded() throws {
    let json =
      "{\"user_id\":\"u-1\",\"access_token\":\"at-1\"}\n{\"user_id\":\"u-2\"}\n{\"user_id\":\"u-3\",\"access_token\":7}\n"
    #expect(try read(json) == [user("u-1"), user("u-2"), user("u-3")])
    #expect(
      try read(json, readsTokens: true) == [
        user("u-1", "at-1"), .badLine(line: 2, "it has no access_token"),
        .badLine(line: 3, "\"access_token\" is not a string"),
      ])
    let csv = "access_token,user_id\nat-1,u-1\n,u-2\nat\u{1}3,u-3\n"
    #expect(try read(csv) == [user("u-1"), user("u-2"), user("u-3")])
    #expect(
      try read(csv, readsTokens: true) == [
        user("u-1", "at-1"), .badLine(line: 3, "it has no access_token"),
        .badLine(line: 4, "the access token contains control characters"),
      ])
  }

  /// A bad line costs that line only, and is never quoted: it may contain a token.
  @Test(arguments: [
    ("{\"user_id\":\"S3CRET\"", "it is not JSON"),
    ("[\"S3CRET\"]", "it is not a JSON object"),
    ("\"S3CRET\"", "it is not a JSON object"),
    ("{\"id\":\"S3CRET\"}", "it has no \"user_id\""),
    ("{\"user_id\":12}", "\"user_id\" is not a string"),
    ("{\"user_id\":null}", "\"user_id\" is not a string"),
    ("{\"user_id\":\"\"}", "the user id is empty"),
    ("{\"user_id\":\"S3CRET\",\"user_id\":\"b\"}", "it has \"user_id\" twice"),
    ("{\"user_id\":\"S3\\u0000CRET\"}", "the user id contains control characters"),
    ("{\"user_id\":\"S3\\u00a0CRET\"}", "the user id contains a no-break space (U+00A0)"),
    ("{\"user_id\":\"S3CRET\\u200b\"}", "the user id contains a zero-width character (U+200B)"),
    ("{\"user_id\":\"S3CRET\\ud800\"}", "an escape is half of a surrogate pair"),
    ("{\"user_id\":\"S3CRET\\ufffd\"}", "the user id contains the replacement character (U+FFFD)"),
    ("{\"user_id\":\"S3CRET\"}}", "it is not JSON"),
    ("{\"user_id\":\"S3\u{0}CRET\"}", "it is not JSON"),
  ])
  func aBadLineOfJSONLines(_ line: String, _ reason: String) throws {
    let found = try read("{\"user_id\":\"a\"}\n\n\(line)\n{\"user_id\":\"b\"}\n")
    #expect(found == [user("a"), .badLine(line: 3, reason), user("b")])
    #expect(!reason.contains("S3"))
  }

  @Test(arguments: [
    ("S3CRET", "it has 1 values for 2 columns"),
    ("S3CRET,b,c", "it has 3 values for 2 columns"),
    (",S3CRET", "the user id is empty"),
    ("\"S3CRET\"x,b", "text follows a quoted value"),
    ("S3\"\"CRET,b", "a value contains a quote but is not quoted"),
    ("S3\u{0}CRET,b", "the user id contains control characters"),
    ("S3\u{feff}CRET,b", "the user id contains a zero-width character (U+FEFF)"),
  ])
  func aBadRecordOfCSV(_ line: String, _ reason: String) throws {
    #expect(try read("user_id,x\na,1\n\(line)\nb,2\n") == [user("a"), .badLine(line: 3, reason), user("b")])
  }

  /// As spreadsheets write them: lines that end with CR, columns without a title, and a last row of commas.
  @Test func linesOfSpreadsheetsAreRead() throws {
    #expect(try read("user_id,name\rdemo,Zoe\ru2,Bob\r") == [user("demo"), user("u2")])
    #expect(try read("user_id,name,,\ndemo,Zoe,,\nu2,Bob,,\n,,,\n") == [user("demo"), user("u2")])
    #expect(
      try read("user_id,note\r\"a\",\"x\ry\"\rb\r\nc,\n") == [
        user("a"), .badLine(line: 4, "it has 1 values for 2 columns"), user("c"),
      ])
    #expect(
      try read("{\"user_id\":\"a\"}\r{}\r\r\n{\"user_id\":\"b\"}\r") == [
        user("a"), .badLine(line: 2, "it has no \"user_id\""), user("b"),
      ])
  }

  @Test func invalidUTF8IsABadLine() throws {
    let json = Array("{\"user_id\":\"a".utf8) + [0xff] + Array("\"}\n{\"user_id\":\"b\"}\n".utf8)
    #expect(try read(json) == [.badLine(line: 1, "it is not JSON"), user("b")])
    let csv = Array("user_id\na".utf8) + [0xc3, 0x28] + Array("\nb\n".utf8)
    #expect(try read(csv) == [.badLine(line: 2, "it is not UTF-8"), user("b")])
  }

  @Test func linesAreLimited() throws {
    let long = String(repeating: "x", count: UsersReader.limit)
    #expect(
      try UsersReaderTests.once("{\"user_id\":\"\(long)\"}\n{\"user_id\":\"b\"}\n") == [
        .badLine(line: 1, "it is longer than 1048576 bytes"), user("b"),
      ])
    #expect(
      try UsersReaderTests.once("user_id\n\(long)y\nb\n") == [
        .badLine(line: 2, "it is longer than 1048576 bytes"), user("b"),
      ])
    let id = String(repeating: "x", count: 2049)
    #expect(try read("user_id\n\(id)\nb\n") == [.badLine(line: 2, "the user id is longer than 2048 bytes"), user("b")])
  }

  /// Too many brackets and too many values, which would fill the memory or the stack.
  @Test func nestedValuesAreLimited() throws {
    let deep = String(repeating: "[", count: 100_000)
    let wide = "{\"user_id\":\"a\",\"x\":[" + String(repeating: "0,", count: 20_000) + "0]}"
    for line in ["{\"user_id\":\"a\",\"x\":\(deep)", wide] {
      #expect(
        try UsersReaderTests.once("{}\n\(line)\n{\"user_id\":\"b\"}\n").dropFirst() == [
          .badLine(line: 2, "it is not JSON"), user("b"),
        ])
    }
  }

  private static func once(_ text: String) throws -> [Element] {
    var reader = UsersReader(readsTokens: false)
    var found: [Element] = []
    try reader.read(Array(text.utf8)) { found.append($0) }
    try reader.end { found.append($0) }
    return found
  }

  /// An unclosed quote would swallow the rest of the file. It ends at the limit, and the lines after it count again.
  @Test func anUnclosedQuoteIsOneBadRecord() throws {
    #expect(try read("user_id\na\n\"b\nc\n") == [user("a"), .badLine(line: 3, "a quoted value is not closed")])
    let rest = String(repeating: "user\n", count: UsersReader.limit / 5)
    let found = try Self.once("user_id\na\n\"b\n\(rest)z\n")
    #expect(found.prefix(2) == [user("a"), .badLine(line: 3, "it is longer than 1048576 bytes")])
    #expect(found.last == user("z"))
  }

  @Test(arguments: [
    ("[{\"user_id\":\"a\"}]", "it is a JSON array, not JSON Lines"),
    ("[\n{\"user_id\":\"a\"}]", "it is a JSON array, not JSON Lines"),
    ("id,name\n1,2\n", "its first line has no column user_id"),
    ("user_id,user_id\n1,2\n", "it has two columns user_id"),
    ("name;user_id\na;1\n", "its columns are separated by ';' instead of commas"),
    ("\"user_id\";\"name\"\n1;a\n", "its columns are separated by ';' instead of commas"),
    ("user_id\tname\n1\ta\n", "its columns are separated by tabs instead of commas"),
    ("a\"b,user_id\n", "its first line is not a CSV header: a quoted value is not closed"),
    ("a\"b\",user_id\n", "its first line is not a CSV header: a value contains a quote but is not quoted"),
  ])
  func anotherFormatIsAnError(_ text: String, _ reason: String) {
    #expect(throws: UsersFileError(reason: reason)) { try read(text) }
  }

  @Test func tokensNeedTheirColumn() {
    #expect(throws: UsersFileError(reason: "its first line has no column access_token")) {
      try read("user_id\n1\n", readsTokens: true)
    }
    #expect(throws: UsersFileError(reason: "it is UTF-16, not UTF-8")) {
      try read([0xff, 0xfe, 0x75, 0, 0x0a, 0])
    }
  }
}
