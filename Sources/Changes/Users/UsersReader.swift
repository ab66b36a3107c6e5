import JSON
import Session
package import Text

/// A parser of users in text that arrives in pieces. The first character determines whether it is JSON Lines or CSV. A
/// line ends with LF, CR LF or CR, as in the format "CSV (Macintosh)".
///
/// A bad line is reported with its number, never with its text, and reading continues. Memory is bounded by the longest
/// accepted line.
package struct UsersReader {
  package enum Element: Equatable {
    case user(UserEntry)
    /// The number of a line, starting at 1, and its error.
    case badLine(line: Int, String)
  }

  /// The longest accepted line, or CSV record, in bytes.
  static let limit = 1 << 20

  private enum Format { case jsonLines, csv(CSVUsers) }

  /// Whether access tokens are read.
  private let readsTokens: Bool
  /// The format; nil until the first character of JSON Lines or the header of CSV is known.
  private var format: Format?
  private var start = TextStart()
  private var isAtStart = true
  /// Whether the last byte was CR. An LF as the next byte belongs to the same line break.
  private var endsWithReturn = false
  /// Whether the text has anything but a byte order mark.
  private(set) var hasContent = false
  private var record: [UInt8] = []
  private var isTooLong = false
  /// Whether the text so far ends in a quoted CSV value, to which a line break belongs.
  private var isInQuotes = false
  /// The number of the current line, and of the line on which the record starts.
  private var (line, recordStart) = (1, 1)

  package init(readsTokens: Bool) { self.readsTokens = readsTokens }

  /// Whether the text is CSV, as far as is known.
  private var isCSV: Bool { if case .jsonLines? = format { false } else { true } }

  /// Parses the next piece of the text.
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
        recordStart = line + 1
      }
      line += 1
    }
  }

  /// Parses the rest of the text at its end.
  package mutating func end(_ report: (Element) throws -> Void) throws {
    try read(text: text { start throws(ForeignEncoding) in try start.end() }, report)
    if isInQuotes, !isTooLong {
      if format == nil { throw UsersFileError.unclosed }
      return try report(.badLine(line: recordStart, "a quoted value is not closed"))
    }
    try endRecord(report)
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    isTooLong = isTooLong || record.count + bytes.count > Self.limit
    record += bytes.prefix(Self.limit - record.count)
    detectFormat()
    // Quotes in a quoted value are doubled, so an odd number of quotes means that a quoted value starts or ends here.
    if isCSV, bytes.count(where: { $0 == UInt8(ascii: "\"") }) % 2 == 1 { isInQuotes.toggle() }
  }

  /// Detects the format as soon as the first character is known.
  private mutating func detectFormat() {
    guard isAtStart, let first = record.first(where: { !$0.isBlank }) else { return }
    isAtStart = false
    format = first == UInt8(ascii: "{") ? .jsonLines : nil
  }

  private mutating func endRecord(_ report: (Element) throws -> Void) throws {
    defer {
      record.removeAll(keepingCapacity: record.count < 1 << 16)
      (isTooLong, isInQuotes) = (false, false)
    }
    guard !isTooLong else {
      if format == nil { throw UsersFileError(reason: "its first line is longer than \(Self.limit) bytes") }
      return try report(.badLine(line: recordStart, "it is longer than \(Self.limit) bytes"))
    }
    // Spreadsheets may write empty rows, which consist of commas.
    guard record.contains(where: { !$0.isBlank && !(isCSV && $0 == UInt8(ascii: ",")) }) else { return }
    let entry: Result<UserEntry, BadLine>
    switch format {
    case .jsonLines:
      entry = Result { () throws(BadLine) in try UserEntry(json: record, readsToken: readsTokens) }
    case .csv(let columns): entry = Result { () throws(BadLine) in try columns.entry(in: record) }
    case nil:
      format = .csv(try CSVUsers(header: record, readsTokens: readsTokens))
      return
    }
    switch entry {
    case .success(let user): try report(.user(user))
    case .failure(let error): try report(.badLine(line: recordStart, error.reason))
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

/// A user for whom a run sends requests.
package struct UserEntry: Sendable, Equatable {
  /// The user's id on the service.
  package let userID: String
  /// The OAuth access token, if the command needs it.
  package let accessToken: Secret?

  package init(userID: String, accessToken: Secret? = nil) { (self.userID, self.accessToken) = (userID, accessToken) }

  /// The maximum length of an id in bytes. An id must fit into a URL.
  static let maximumIDLength = 2048
}

extension UserEntry {
  /// Returns the row with the user's id as its first member. The row must be a JSON object that is not empty.
  package func adding(to row: [UInt8]) -> [UInt8] {
    Array(#"{"user_id":"#.utf8) + JSONValue.string(userID).bytes + [UInt8(ascii: ",")] + row.dropFirst()
  }

  /// Parses one line of JSON Lines.
  init(json line: [UInt8], readsToken: Bool) throws(BadLine) {
    let value: JSONValue
    // A user needs few values. Without a limit, a line of brackets would take sixty times its size in memory.
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

  /// Validates the values of one line.
  /// - Parameter token: the access token; nil if the command needs no token.
  init(parsing id: String, token: String?) throws(BadLine) {
    guard !id.isEmpty else { throw BadLine("the user id is empty") }
    guard id.utf8.count <= Self.maximumIDLength else {
      throw BadLine("the user id is longer than \(Self.maximumIDLength) bytes")
    }
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

/// The reason why a users file as a whole is rejected, as opposed to one bad line. The text never quotes the file,
/// which may contain access tokens.
struct UsersFileError: Error, Equatable {
  let reason: String

  static let unclosed = UsersFileError(reason: "its first line is not a CSV header: a quoted value is not closed")
  static let array = UsersFileError(reason: "it is a JSON array, not JSON Lines")
}

extension UsersFileError: ProblemConvertible {
  package var problem: Problem {
    Problem(
      .usage, "--users: the file cannot be used", reason: reason,
      hint: reason.includes("access_token")
        ? "Pass JSON Lines with a \"user_id\" and an \"access_token\" in each object, or CSV with both columns."
        : "Pass JSON Lines with a \"user_id\" in each object, or CSV with a column user_id.")
  }
}

/// The columns of a CSV file of users (RFC 4180), as named in its header.
struct CSVUsers {
  private let columnCount: Int
  private let userIDColumn: Int
  /// Nil if access tokens are not read.
  private let accessTokenColumn: Int?

  /// - Throws: ``UsersFileError``.
  init(header record: [UInt8], readsTokens: Bool) throws(UsersFileError) {
    let isArray = record.first == UInt8(ascii: "[")
    let titles: [String]
    if let separator = Self.otherSeparator(in: record) {
      throw UsersFileError(reason: "its columns are separated by \(separator) instead of commas")
    }
    do throws(BadLine) { titles = try Self.values(in: record) } catch {
      throw isArray ? .array : UsersFileError(reason: "its first line is not a CSV header: \(error.reason)")
    }
    func column(_ title: String) throws(UsersFileError) -> Int {
      let columns = titles.indices.filter { titles[$0] == title }
      guard columns.count < 2 else { throw UsersFileError(reason: "it has two columns \(title)") }
      if let index = columns.first { return index }
      throw isArray ? .array : UsersFileError(reason: "its first line has no column \(title)")
    }
    userIDColumn = try column("user_id")
    accessTokenColumn = readsTokens ? try column("access_token") : nil
    columnCount = titles.count
  }

  /// The separator of a header that has the column user_id but is not separated by commas. Spreadsheets write such
  /// headers in languages in which the comma is the decimal separator.
  private static func otherSeparator(in record: [UInt8]) -> String? {
    let separators: [(UInt8, String)] = [
      (UInt8(ascii: ";"), "';'"), (UInt8(ascii: "\t"), "tabs"), (UInt8(ascii: "|"), "'|'"),
    ]
    return separators.first { separator, _ in
      let titles = record.split(separator: separator)
      return titles.count > 1
        && titles.contains { title in
          title.filter { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: " ") }.elementsEqual("user_id".utf8)
        }
    }?.1
  }

  func entry(in record: [UInt8]) throws(BadLine) -> UserEntry {
    let values = try Self.values(in: record)
    guard values.count == columnCount else {
      throw BadLine("it has \(values.count) values for \(columnCount) columns")
    }
    return try UserEntry(parsing: values[userIDColumn], token: accessTokenColumn.map { values[$0] })
  }

  /// The values of one record. In a quoted value, two quotes stand for one.
  static func values(in record: [UInt8]) throws(BadLine) -> [String] {
    let (quote, comma) = (UInt8(ascii: "\""), UInt8(ascii: ","))
    var values: [String] = []
    var rest = record[...]
    while true {
      var value: [UInt8] = []
      if rest.first == quote {
        rest = rest.dropFirst()
        while true {
          guard let end = rest.firstIndex(of: quote) else { throw BadLine("a quoted value is not closed") }
          value += rest[..<end]
          rest = rest[(end + 1)...]
          guard rest.first == quote else { break }
          value.append(quote)
          rest = rest.dropFirst()
        }
        guard rest.isEmpty || rest.first == comma else { throw BadLine("text follows a quoted value") }
      } else {
        let end = rest.firstIndex(of: comma) ?? rest.endIndex
        value += rest[..<end]
        rest = rest[end...]
        guard !value.contains(quote) else { throw BadLine("a value contains a quote but is not quoted") }
      }
      guard let text = String(validating: value, as: UTF8.self) else { throw BadLine("it is not UTF-8") }
      values.append(text)
      guard rest.popFirst() != nil else { return values }
    }
  }
}
