import Text

/// One of several disjoint parts of all users or connections.
package struct Shard: Sendable, Equatable {
  /// Counted from 1.
  package let number: Int
  package let count: Int

  package static let maxCount = 1_000_000
  /// The largest number that is accepted from a variable, so that calculations with it cannot overflow.
  static let maxIndex = 1 << 40

  /// Nil unless `1 <= number <= count`.
  package init?(_ number: Int, of count: Int) {
    guard 1...Self.maxCount ~= count, 1...count ~= number else { return nil }
    (self.number, self.count) = (number, count)
  }

  package init?(parsing text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Self.integer(parts[0]), let count = Self.integer(parts[1]) else { return nil }
    self.init(number, of: count)
  }

  /// A number without a sign.
  static func integer(_ text: Substring.UTF8View) -> Int? {
    text.allSatisfy(\.isDigit) ? Int(Substring(text)) : nil
  }

  package func contains(_ id: String) -> Bool { Self.number(of: id, among: count) == number }

  /// The shard of an id, the same in every program and version: the first 8 bytes of the SHA-256 of its UTF-8, as an
  /// unsigned big-endian number, times `count`, shifted right by 64 bits; counted from 1.
  package static func number(of id: String, among count: Int) -> Int {
    let hash = SHA256.hash(Array(id.utf8)).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int(hash.multipliedFullWidth(by: UInt64(count)).high) + 1
  }
}

extension Shard: CustomStringConvertible {
  package var description: String { "\(number)/\(count)" }
}
