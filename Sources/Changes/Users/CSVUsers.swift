/// The columns of a CSV file of users (RFC 4180), from its first record.
struct CSVUsers {
  private let count: Int
  private let userID: Int
  /// Nil if access tokens are not read.
  private let accessToken: Int?

  /// - Throws: ``UsersFileError``.
  init(heading record: [UInt8], readsTokens: Bool) throws(UsersFileError) {
    let isArray = record.first == UInt8(ascii: "[")
    let titles: [String]
    if let separator = Self.otherSeparator(in: record) {
      throw UsersFileError(reason: "its columns are separated by \(separator), not by commas")
    }
    do throws(BadLine) { titles = try Self.values(in: record) } catch {
      throw isArray ? .array : UsersFileError(reason: "its first line is not a CSV header: \(error.reason)")
    }
    func column(_ title: String) throws(UsersFileError) -> Int {
      let columns = titles.indices.filter { titles[$0] == title }
      guard columns.count < 2 else { throw UsersFileError(reason: "it has two columns \(title)") }
      if let index = columns.first { return index }
      throw isArray ? .array : UsersFileError(reason: "its first line names no column \(title)")
    }
    userID = try column("user_id")
    accessToken = readsTokens ? try column("access_token") : nil
    count = titles.count
  }

  /// The separator of a header that names the column user_id with another separator than a comma, as spreadsheets write it
  /// where the comma is the decimal separator.
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
    guard values.count == count else {
      throw BadLine("it has \(values.count) values for \(count) columns")
    }
    return try UserEntry(parsing: values[userID], token: accessToken.map { values[$0] })
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
