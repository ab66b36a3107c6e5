/// A scanner for the end of a JSON object or array that arrives in pieces. It checks nothing else.
struct BracketScanner {
  private var depth = 0
  private var isEscaped = false
  /// Whether the bytes so far end within a string.
  private(set) var isInString = false

  /// The index of the bracket that closes the first one, or nil if these bytes do not contain it.
  mutating func end(in bytes: some Collection<UInt8>) -> Int? {
    for (index, byte) in bytes.enumerated() {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth <= 0 { return index }
      default: break
      }
    }
    return nil
  }
}
