/// RFC 8259 as a state machine with a stack, written from its grammar alone, as a reference for the parser.
struct JSONRule {
  private enum Expected { case value, valueOrEnd, keyOrEnd, key, colon, commaOrEnd, nothing }

  /// Whether `bytes` are a single JSON text in UTF-8 with at most the given number of levels.
  static func accepts(_ bytes: [UInt8], levels: Int) -> Bool {
    var rule = JSONRule(bytes: bytes)
    return rule.run(levels)
  }

  private let bytes: [UInt8]
  private var position = 0
  private var closers: [UInt8] = []
  private var expected = Expected.value

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func run(_ levels: Int) -> Bool {
    while position < bytes.count {
      let byte = bytes[position]
      if [0x20, 0x09, 0x0a, 0x0d].contains(byte) {
        position += 1
        continue
      }
      switch (expected, byte) {
      case (.valueOrEnd, 0x5d), (.keyOrEnd, 0x7d), (.commaOrEnd, 0x5d), (.commaOrEnd, 0x7d):
        guard closers.popLast() == byte else { return false }
        position += 1
        expected = closers.isEmpty ? .nothing : .commaOrEnd
      case (.commaOrEnd, 0x2c):
        position += 1
        expected = closers.last == 0x7d ? .key : .value
      case (.colon, 0x3a):
        position += 1
        expected = .value
      case (.key, 0x22), (.keyOrEnd, 0x22):
        guard string() else { return false }
        expected = .colon
      case (.value, 0x5b), (.valueOrEnd, 0x5b), (.value, 0x7b), (.valueOrEnd, 0x7b):
        guard closers.count < levels else { return false }
        closers.append(byte + 2)
        position += 1
        expected = byte == 0x5b ? .valueOrEnd : .keyOrEnd
      case (.value, _), (.valueOrEnd, _):
        guard byte == 0x22 ? string() : word("true") || word("false") || word("null") || number() else { return false }
        expected = closers.isEmpty ? .nothing : .commaOrEnd
      default: return false
      }
    }
    return expected == .nothing
  }

  private mutating func word(_ word: String) -> Bool {
    guard bytes[position...].starts(with: word.utf8) else { return false }
    position += word.utf8.count
    return true
  }

  private mutating func digits() -> Int {
    let start = position
    while position < bytes.count, (0x30...0x39).contains(bytes[position]) { position += 1 }
    return position - start
  }

  private mutating func skip(_ accepted: [UInt8]) -> Bool {
    guard position < bytes.count, accepted.contains(bytes[position]) else { return false }
    position += 1
    return true
  }

  private mutating func number() -> Bool {
    _ = skip([0x2d])
    if !skip([0x30]), digits() == 0 { return false }
    if skip([0x2e]), digits() == 0 { return false }
    guard skip([0x65, 0x45]) else { return true }
    _ = skip([0x2b, 0x2d])
    return digits() > 0
  }

  private mutating func string() -> Bool {
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case 0x22:
        position += 1
        return true
      case 0x5c:
        guard position + 1 < bytes.count else { return false }
        let letter = bytes[position + 1]
        position += 2
        if letter == 0x75 {
          guard position + 4 <= bytes.count, bytes[position..<position + 4].allSatisfy(isHexadecimal) else {
            return false
          }
          position += 4
        } else if !"\"\\/bfnrt".utf8.contains(letter) {
          return false
        }
      case 0x20..<0x80: position += 1
      default: guard character() else { return false }
      }
    }
    return false
  }

  private func isHexadecimal(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
  }

  /// One character of two to four bytes (RFC 3629 §4).
  private mutating func character() -> Bool {
    let rows: [(first: ClosedRange<UInt8>, second: ClosedRange<UInt8>, count: Int)] = [
      (0xc2...0xdf, 0x80...0xbf, 2), (0xe0...0xe0, 0xa0...0xbf, 3), (0xe1...0xec, 0x80...0xbf, 3),
      (0xed...0xed, 0x80...0x9f, 3), (0xee...0xef, 0x80...0xbf, 3), (0xf0...0xf0, 0x90...0xbf, 4),
      (0xf1...0xf3, 0x80...0xbf, 4), (0xf4...0xf4, 0x80...0x8f, 4),
    ]
    guard let row = rows.first(where: { $0.first.contains(bytes[position]) }), position + row.count <= bytes.count,
      row.second.contains(bytes[position + 1]),
      bytes[(position + 2)..<(position + row.count)].allSatisfy({ (0x80...0xbf).contains($0) })
    else { return false }
    position += row.count
    return true
  }
}
