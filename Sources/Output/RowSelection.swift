import JSON
import Text

/// The rows of a list that are printed, and their order: `--search`, then `--sort`, then `--limit`.
///
/// It is applied to the rows of any list between the command and the renderer, so the rows are the same in every
/// format.
package struct RowSelection: Sendable {
  /// The text that a row must contain; nil for all rows.
  package var search: String?
  /// The fields to sort by, the most significant first; empty for the order of the command.
  package var order: [SortField] = []
  /// The maximum number of rows; nil for all rows.
  package var limit: Int?

  package init(search: String? = nil, order: [SortField] = [], limit: Int? = nil) {
    (self.search, self.order, self.limit) = (search, order, limit)
  }

  /// Whether all rows are printed in the order of the command.
  package var isEverything: Bool { search == nil && order.isEmpty && limit == nil }

  /// Whether the selection depends on fields of the rows that may not be printed.
  package var readsFields: Bool { search != nil || !order.isEmpty }

  /// The selected rows, which are read once they are printed.
  package func rows(of rows: Rows, counts: RowCounts) -> Rows {
    var selected = rows
    if let search { selected = selected.filtered(by: RowSearch(search)) }
    if !order.isEmpty { return selected.sorted(by: order, limit: limit, counts: counts) }
    return selected.prefix(limit ?? .max, counts: counts)
  }
}

/// The numbers of rows that a selection has seen, which are known once the rows are printed.
package final class RowCounts {
  /// The number of rows that were selected.
  package fileprivate(set) var shown = 0
  /// The number of rows without the limit; nil if it is unknown.
  package fileprivate(set) var total: Int?

  package init() {}
}

/// A field to sort by: its path, after a dash for descending order.
package struct SortField: Sendable, Equatable {
  package let path: FieldPath
  package let isDescending: Bool

  /// - Throws: ``FieldsError/malformed(_:)`` if a name is empty, or for another program's `name:desc`.
  package init(parsing text: String) throws(FieldsError) {
    guard !text.utf8.contains(UInt8(ascii: ":")) else { throw .malformed(text) }
    isDescending = text.utf8.first == UInt8(ascii: "-")
    path = try FieldPath(parsing: isDescending ? String(text.dropFirst()) : text)
  }
}

extension Rows {
  fileprivate func filtered(by search: RowSearch) -> Rows {
    Rows(isReiterable: isReiterable, isSelection: isSelection) { body in
      try forEach { row in
        if try search.matches(row) { try body(row) }
      }
    }
  }

  /// Ends the reading of rows that are no longer needed.
  private struct EnoughRows: Error {}

  /// The first rows. The reading ends with the last of them.
  fileprivate func prefix(_ limit: Int, counts: RowCounts) -> Rows {
    Rows(isReiterable: isReiterable, isSelection: isSelection) { body in
      (counts.shown, counts.total) = (0, count)
      guard limit > 0 else { return }
      do {
        try forEach { row in
          // A list that completes its work after the end may report the rest of its rows.
          guard counts.shown < limit else { throw EnoughRows() }
          try body(row)
          counts.shown += 1
          if counts.shown == limit { throw EnoughRows() }
        }
      } catch is EnoughRows {}
    }
  }

  /// The rows in another order. They are read when the first of them is needed, and only `limit` of them are kept.
  fileprivate func sorted(by order: [SortField], limit: Int?, counts: RowCounts) -> Rows {
    var sorted: SortedRows?
    return Rows(isReiterable: true, isSelection: isSelection) { body in
      var end: Result<Void, any Error> = .success(())
      let rows: SortedRows
      if let sorted {
        rows = sorted
      } else {
        var found = SortedRows(by: order, limit: limit)
        // After an error, the rows before it are printed.
        end = Result { try forEach { try found.add($0) } }
        found.finish()
        (rows, sorted) = (found, found)
        (counts.shown, counts.total) = (found.rows.count, found.total)
      }
      for row in rows.rows { try row.json.withUnsafeBytes(body) }
      try end.get()
    }
  }
}

/// Collects rows in an order, at most about twice as many as are needed.
struct SortedRows {
  struct Row {
    let json: [UInt8]
    fileprivate let keys: [SortKey]
    /// The position among all rows, which decides between rows with equal keys.
    fileprivate let number: Int
  }

  /// The rows; in order after ``finish()``.
  private(set) var rows: [Row] = []
  /// The number of rows that were added.
  private(set) var total = 0
  private let order: [SortField]
  private let limit: Int
  /// The number of rows at which those beyond the limit are removed.
  private let capacity: Int
  /// A row that at least `limit` rows precede.
  private var last: Row?
  private var projection: FieldProjection

  init(by order: [SortField], limit: Int?) {
    self.order = order
    self.limit = limit ?? .max
    capacity = limit.map { $0 < .max / 2 ? max(1024, 2 * $0) : .max } ?? .max
    projection = FieldProjection(order.map(\.path))
  }

  /// - Throws: `JSONError` for bytes that are not an object.
  mutating func add(_ json: UnsafeRawBufferPointer) throws {
    try projection.read(json)
    var value: [UInt8] = []
    let keys = try order.indices.map { index in
      value.removeAll(keepingCapacity: true)
      try projection.appendJSON(index, of: json, to: &value)
      return SortKey(value)
    }
    let row = Row(json: [], keys: keys, number: total)
    total += 1
    if let last, !precedes(row, last) { return }
    rows.append(Row(json: Array(json), keys: keys, number: row.number))
    if rows.count >= capacity { finish() }
  }

  mutating func finish() {
    rows.sort(by: precedes)
    guard rows.count >= limit else { return }
    rows.removeSubrange(limit...)
    last = rows.last
  }

  private func precedes(_ one: Row, _ other: Row) -> Bool {
    for (index, field) in order.enumerated() {
      switch one.keys[index].comparison(with: other.keys[index], isDescending: field.isDescending) {
      case ..<0: return true
      case 1...: return false
      default: continue
      }
    }
    return one.number < other.number
  }
}

/// A value to sort by. Values of different types are ordered by type, and null is last in either direction.
enum SortKey {
  case number(Number)
  case bool(Bool)
  /// The lowercase text.
  case text(String)
  /// An array or an object, by its JSON text.
  case nested(String)
  case null

  struct Number {
    let value: Double
    /// The exact value if it is a whole number, which decides between numbers with the same value.
    let whole: Int

    static func < (one: Number, other: Number) -> Bool {
      one.value == other.value ? one.whole < other.whole : one.value < other.value
    }
  }

  init(_ json: [UInt8]) {
    switch try? JSONValue(parsing: json) {
    case .number(let number):
      guard let double = number.double else {
        self = .nested(String(decoding: json, as: UTF8.self))
        return
      }
      self = .number(Number(value: double, whole: number.int ?? Int(exactly: double) ?? 0))
    case .bool(let bool): self = .bool(bool)
    case .string(let text): self = .text(text.lowercased())
    case .null, nil: self = .null
    case .array, .object: self = .nested(String(decoding: json, as: UTF8.self))
    }
  }

  private var rank: Int {
    switch self {
    case .number: 0
    case .bool: 1
    case .text: 2
    case .nested: 3
    case .null: 4
    }
  }

  /// Returns a negative number if this value comes first, zero if both are equal, and a positive number otherwise.
  func comparison(with other: SortKey, isDescending: Bool) -> Int {
    if case .null = self { return rank - other.rank }
    if case .null = other { return rank - other.rank }
    let ascending =
      switch (self, other) {
      case (.number(let one), .number(let other)): Self.sign(one < other, other < one)
      case (.bool(let one), .bool(let other)): Self.sign(!one && other, one && !other)
      case (.text(let one), .text(let other)), (.nested(let one), .nested(let other)):
        Self.sign(one < other, other < one)
      default: rank - other.rank
      }
    return isDescending ? -ascending : ascending
  }

  private static func sign(_ isLess: Bool, _ isGreater: Bool) -> Int { isLess ? -1 : isGreater ? 1 : 0 }
}

/// The search for a text in the values of rows: texts, numbers, `true` and `false` in any field, in any case.
struct RowSearch {
  /// The lowercase text to find.
  private let text: [UInt8]
  /// Whether values can be compared byte by byte without converting them.
  private let isASCII: Bool

  init(_ text: String) {
    self.text = Array(text.lowercased().utf8)
    isASCII = text.utf8.allSatisfy { $0 < 0x80 }
  }

  /// - Throws: `JSONError` for bytes that are not an object.
  func matches(_ row: UnsafeRawBufferPointer) throws(JSONError) -> Bool {
    var scanner = JSONScanner(row)
    guard scanner.next == UInt8(ascii: "{") else { throw JSONError(problem: "a row is not an object", offset: 0) }
    return try matches(&scanner, depth: 0)
  }

  /// Whether the next value, or a value inside it, has the text. If it has none, the scanner is after the value.
  private func matches(_ scanner: inout JSONScanner, depth: Int) throws(JSONError) -> Bool {
    guard depth < JSONValue.maximumDepth else {
      throw JSONError(problem: "nested too deeply", offset: scanner.position)
    }
    switch scanner.next {
    case UInt8(ascii: "{"):
      while try scanner.nextKey() != nil {
        if try matches(&scanner, depth: depth + 1) { return true }
      }
      return false
    case UInt8(ascii: "["):
      while try scanner.nextElement() {
        if try matches(&scanner, depth: depth + 1) { return true }
      }
      return false
    case UInt8(ascii: "\""):
      let range = try scanner.skipValue()
      return isInString(scanner.slice(range.lowerBound + 1..<range.upperBound - 1))
    case UInt8(ascii: "n"):
      _ = try scanner.skipValue()
      return false
    default:
      let range = try scanner.skipValue()
      return isIn(scanner.slice(range))
    }
  }

  private func isInString(_ contents: UnsafeRawBufferPointer) -> Bool {
    guard contents.contains(UInt8(ascii: "\\")) else { return isIn(contents) }
    var decoded: [UInt8] = []
    JSONScanner.appendText(of: contents, to: &decoded)
    return decoded.withUnsafeBytes(isIn)
  }

  private func isIn(_ value: UnsafeRawBufferPointer) -> Bool {
    if isASCII { return isInASCII(value) }
    return Array(String(decoding: value, as: UTF8.self).lowercased().utf8).withUnsafeBytes(isInASCII)
  }

  /// Compares bytes, ignoring the case of ASCII letters.
  private func isInASCII(_ value: UnsafeRawBufferPointer) -> Bool {
    guard let first = text.first else { return true }
    guard value.count >= text.count else { return false }
    for start in 0...(value.count - text.count) where value[start].loweredASCII == first {
      var length = 1
      while length < text.count, value[start + length].loweredASCII == text[length] { length += 1 }
      if length == text.count { return true }
    }
    return false
  }
}
