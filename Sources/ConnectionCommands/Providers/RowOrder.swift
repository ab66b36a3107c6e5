import JSON

/// The place of a connection's row in a list: by name, ignoring the case of ASCII letters, and then by id, as the store
/// sorts.
struct RowOrder: Comparable {
  private let name: [UInt8]
  private let id: [UInt8]

  private static let keys = JSONKeys([Array("name".utf8), Array("id".utf8)])

  /// - Throws: `JSONError` for a row that is not an object.
  init(_ row: UnsafeRawBufferPointer) throws {
    var found = [Range<Int>](repeating: 0..<0, count: Self.keys.count)
    var scanner = JSONScanner(row)
    try scanner.find(Self.keys, in: &found)
    func text(_ range: Range<Int>) throws -> [UInt8] {
      guard !range.isEmpty else { return [] }
      return Array((try JSONValue(parsing: Array(scanner.slice(range))).string ?? "").utf8)
    }
    name = try text(found[0]).map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
    id = try text(found[1])
  }

  static func < (one: RowOrder, other: RowOrder) -> Bool {
    one.name == other.name
      ? one.id.lexicographicallyPrecedes(other.id) : one.name.lexicographicallyPrecedes(other.name)
  }
}
