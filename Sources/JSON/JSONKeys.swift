/// Keys to find in a large number of objects. Their layout lets one comparison rule out most other keys.
package struct JSONKeys {
  fileprivate let names: [[UInt8]]
  private let counts: [Int]
  /// The first eight bytes of each name, padded with zeros.
  private let words: [UInt64]

  package init(_ names: [[UInt8]]) {
    self.names = names
    counts = names.map(\.count)
    words = names.map { name in
      name.prefix(8).enumerated().reduce(0) { $0 | UInt64($1.element) << UInt64(8 * $1.offset) }
    }
  }

  package var count: Int { names.count }

  /// Returns the index of the key at `range`; nil if it is not one of the keys.
  @inline(__always)
  fileprivate func place(of range: Range<Int>, in bytes: UnsafeRawBufferPointer) -> Int? {
    let count = range.count
    // A closing quote follows the key, so fewer than eight bytes are left only at the very end.
    guard range.lowerBound + 8 <= bytes.count else {
      return names.firstIndex { isSame($0, bytes, range) }
    }
    var word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: range.lowerBound, as: UInt64.self))
    if count < 8 { word &= (1 << UInt64(8 * count)) - 1 }
    for place in 0..<words.count where words[place] == word && counts[place] == count {
      if count <= 8 || isSame(names[place], bytes, range) { return place }
    }
    return nil
  }
}

extension JSONScanner {
  /// Finds the values of the keys in the object at the current position, and stops when it has found all of them.
  /// `found` receives one range per key, empty for a missing key. If a key is repeated, the first one counts.
  package mutating func find(_ keys: JSONKeys, in found: inout [Range<Int>]) throws(JSONError) {
    for place in found.indices { found[place] = 0..<0 }
    var missing = keys.count
    while missing > 0, let key = try nextKey() {
      let match = index(of: key, in: keys)
      let value = try skipValue()
      guard let match, found[match].isEmpty else { continue }
      found[match] = value
      missing -= 1
    }
  }

  /// Returns the index of the last key that ``nextKey()`` has returned; nil if it is not one of the keys.
  @inline(__always)
  package func index(of key: Range<Int>, in keys: JSONKeys) -> Int? {
    keyIsEscaped ? keys.names.firstIndex(of: unescaped(key)) : keys.place(of: key, in: bytes)
  }

  /// Returns whether the last key that ``nextKey()`` has returned is this name.
  @inline(__always)
  package func isKey(_ key: Range<Int>, _ name: [UInt8]) -> Bool {
    keyIsEscaped ? unescaped(key) == name : isSame(name, bytes, key)
  }

  /// Returns the value of one member of the object at the current position; nil if it is missing. If a key is
  /// repeated, the first one counts.
  package mutating func value(of name: [UInt8]) throws(JSONError) -> Range<Int>? {
    while let key = try nextKey() {
      let isMatch = isKey(key, name)
      let value = try skipValue()
      if isMatch { return value }
    }
    return nil
  }

  private func unescaped(_ key: Range<Int>) -> [UInt8] {
    var text: [UInt8] = []
    Self.appendText(of: slice(key), to: &text)
    return text
  }
}

@inline(__always)
private func isSame(_ name: [UInt8], _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
  guard name.count == range.count else { return false }
  for place in name.indices where name[place] != bytes[range.lowerBound + place] { return false }
  return true
}
