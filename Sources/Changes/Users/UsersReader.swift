import JSON
import Session
package import Text

/// Reads users from text that arrives in pieces: JSON Lines or CSV, detected from its first character. A line ends with
/// LF, CR LF or, as in "CSV (Macintosh)", CR.
///
/// A bad line is reported with its number, never with its text, and reading continues. Memory is bounded by the longest
/// accepted line.
package struct UsersReader {
  package enum Element: Equatable {
    case user(UserEntry)
    /// The number of a line, starting at 1, and its error.
    case fault(line: Int, String)
  }

  /// The longest accepted line, or CSV record, in bytes.
  static let limit = 1 << 20

  private enum Form { case jsonLines, csv(CSVUsers) }

  /// Whether access tokens are read.
  private let readsTokens: Bool
  private var form: Form?
  private var start = TextStart()
  private var isAtStart = true
  /// Whether the last byte was CR. An LF after it belongs to the same line break.
  private var endsWithReturn = false
  /// Whether the text has anything but a byte order mark.
  private(set) var hasContent = false
  private var record: [UInt8] = []
  private var isTooLong = false
  /// Whether a line break belongs to a quoted CSV field.
  private var isInQuotes = false
  /// The number of the current line, and of the line on which the record starts.
  private var (line, begin) = (1, 1)

  package init(readsTokens: Bool) { self.readsTokens = readsTokens }

  private var isCSV: Bool { if case .jsonLines? = form { false } else { true } }

  /// - Throws: ``UsersFileError``, and any error of `report`.
  package mutating func read(_ bytes: [UInt8], _ report: (Element) throws -> Void) throws {
    try read(text: text { start throws(ForeignEncoding) in try start.receive(bytes) }, report)
  }

  private mutating func text(
    _ read: (inout TextStart) throws(ForeignEncoding) -> [UInt8]
  ) throws(UsersFileError) -> [UInt8] {
    do throws(ForeignEncoding) { return try read(&start) } catch { throw UsersFileError(reason: error.description) }
  }

  private mutating func read(text bytes: [UInt8], _ report: (Element) throws -> Void) throws {
    let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    hasContent = hasContent || !bytes.isEmpty
    var rest = bytes[...]
    while let first = rest.first {
      if endsWithReturn {
        endsWithReturn = false
        if first == lineFeed {
          if isInQuotes, !isTooLong { append([lineFeed]) }
          rest.removeFirst()
          continue
        }
      }
      guard let end = rest.firstIndex(where: { $0 == lineFeed || $0 == carriageReturn }) else {
        append(rest)
        return
      }
      append(rest[..<end])
      let lineBreak = rest[end]
      endsWithReturn = lineBreak == carriageReturn
      rest = rest[(end + 1)...]
      if isInQuotes, !isTooLong {
        append([lineBreak])
      } else {
        try endRecord(report)
        begin = line + 1
      }
      line += 1
    }
  }

  /// Handles the end of the text.
  package mutating func end(_ report: (Element) throws -> Void) throws {
    try read(text: text { start throws(ForeignEncoding) in try start.end() }, report)
    if isInQuotes, !isTooLong {
      if form == nil { throw UsersFileError.unclosed }
      return try report(.fault(line: begin, "a quoted value is not closed"))
    }
    try endRecord(report)
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    isTooLong = isTooLong || record.count + bytes.count > Self.limit
    record += bytes.prefix(Self.limit - record.count)
    detectForm()
    // A quote inside a quoted value is doubled, so the parity tells whether the record goes on in the next line.
    if isCSV, bytes.count(where: { $0 == UInt8(ascii: "\"") }) % 2 == 1 { isInQuotes.toggle() }
  }

  /// Detects the format as soon as the first character is known.
  private mutating func detectForm() {
    guard isAtStart, let first = record.first(where: { !$0.isBlank }) else { return }
    isAtStart = false
    form = first == UInt8(ascii: "{") ? .jsonLines : nil
  }

  private mutating func endRecord(_ report: (Element) throws -> Void) throws {
    defer {
      record.removeAll(keepingCapacity: record.count < 1 << 16)
      (isTooLong, isInQuotes) = (false, false)
    }
    guard !isTooLong else {
      if form == nil { throw UsersFileError(reason: "its first line is longer than \(Self.limit) bytes") }
      return try report(.fault(line: begin, "it is longer than \(Self.limit) bytes"))
    }
    // Spreadsheets write rows that have commas only.
    guard record.contains(where: { !$0.isBlank && !(isCSV && $0 == UInt8(ascii: ",")) }) else { return }
    let entry: Result<UserEntry, BadLine>
    switch form {
    case .jsonLines:
      entry = Result { () throws(BadLine) in try UserEntry(json: record, readsToken: readsTokens) }
    case .csv(let columns): entry = Result { () throws(BadLine) in try columns.entry(in: record) }
    case nil:
      form = .csv(try CSVUsers(heading: record, readsTokens: readsTokens))
      return
    }
    switch entry {
    case .success(let user): try report(.user(user))
    case .failure(let error): try report(.fault(line: begin, error.reason))
    }
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0d || self == 0x0a }
}

/// The error on one line.
struct BadLine: Error, Equatable {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}

/// A user whom a run acts for.
package struct UserEntry: Sendable, Equatable {
  /// The user's id on the service.
  package let userID: String
  /// The OAuth access token, if the command needs it.
  package let accessToken: Secret?

  package init(userID: String, accessToken: Secret? = nil) { (self.userID, self.accessToken) = (userID, accessToken) }

  /// In bytes. It must fit into a URL.
  static let longestID = 2048
}

extension UserEntry {
  /// The row of an object with the user's id as its first member.
  package func adding(to row: [UInt8]) -> [UInt8] {
    Array(#"{"user_id":"#.utf8) + JSONValue.string(userID).bytes + [UInt8(ascii: ",")] + row.dropFirst()
  }

  /// The user in one line of JSON Lines.
  init(json line: [UInt8], readsToken: Bool) throws(BadLine) {
    let value: JSONValue
    // A user needs few values, and a line of brackets would take sixty times its size in memory.
    do throws(JSONError) { value = try JSONValue(document: line, values: 10_000) } catch {
      throw BadLine(error.problem == JSONError.halfPair ? error.problem : "it is not JSON")
    }
    guard let object = value.object else { throw BadLine("it is not a JSON object") }
    func text(_ key: String) throws(BadLine) -> String? {
      let members = object.members.filter { $0.key == key }
      guard members.count < 2 else { throw BadLine("it has \"\(key)\" twice") }
      guard let value = members.first?.value else { return nil }
      guard let text = value.string else { throw BadLine("\"\(key)\" is not a string") }
      return text
    }
    guard let id = try text("user_id") else { throw BadLine("it has no \"user_id\"") }
    try self.init(parsing: id, token: readsToken ? text("access_token") ?? "" : nil)
  }

  /// - Parameter token: nil if the command needs no token.
  init(parsing id: String, token: String?) throws(BadLine) {
    guard !id.isEmpty else { throw BadLine("the user id is empty") }
    guard id.utf8.count <= Self.longestID else { throw BadLine("the user id is longer than \(Self.longestID) bytes") }
    guard id.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !(0x7f...0x9f ~= $0.value) }) else {
      throw BadLine("the user id contains control characters")
    }
    // With a character that was copied by mistake, IFTTT would respond for another user.
    if let character = InvisibleCharacter(in: id) { throw BadLine("the user id contains \(character)") }
    guard !id.unicodeScalars.contains("\u{fffd}") else {
      throw BadLine("the user id contains the replacement character (U+FFFD)")
    }
    var secret: Secret?
    if let token {
      guard !token.isEmpty else { throw BadLine("it has no access_token") }
      do throws(InvalidSecret) { secret = try Secret(given: token) } catch {
        throw BadLine("the access token \(error.predicate)")
      }
    }
    self.init(userID: id, accessToken: secret)
  }
}

/// A users file that cannot be read at all, as opposed to a bad line. The text never quotes the file, which may contain
/// access tokens.
struct UsersFileError: Error, Equatable {
  let reason: String

  static let unclosed = UsersFileError(reason: "its first line is not a CSV header: a quoted value is not closed")
  static let array = UsersFileError(reason: "it is a JSON array, not JSON Lines")
}

extension UsersFileError: ProblemConvertible {
  package var problem: Problem {
    Problem(
      .usage, "--users: the file cannot be used", reason: reason,
      hint: "Pass JSON Lines with a \"user_id\" in each object, or CSV with a column user_id.")
  }
}
