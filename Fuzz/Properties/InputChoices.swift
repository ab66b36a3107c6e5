/// Turns the bytes of a fuzzer into the choices of a test: numbers, texts and pieces. Every input means something, and
/// a small change of the input is a small change of its meaning.
struct InputChoices {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isAtEnd: Bool { rest.isEmpty }

  /// The next byte; 0 at the end.
  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// A number below `limit`, which is at most 256.
  mutating func number(below limit: Int) -> Int { Int(byte()) % limit }

  mutating func flag() -> Bool { byte() & 1 == 1 }

  mutating func one<Element>(of elements: [Element]) -> Element { elements[number(below: elements.count)] }

  /// The next bytes: a byte with their number, then the bytes themselves.
  mutating func piece() -> [UInt8] {
    let piece = rest.prefix(Int(byte()))
    rest = rest.dropFirst(piece.count)
    return Array(piece)
  }

  mutating func text() -> String { String(decoding: piece(), as: UTF8.self) }

  /// Everything that is left.
  mutating func remainder() -> [UInt8] {
    defer { rest = [] }
    return Array(rest)
  }
}
