/// Reading values as IFTTT may send them (reference: connect-api.md, section 10).
extension JSONValue {
  /// An id: a string that is not empty, or a whole number as its decimal digits (rule 13).
  package var identifier: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .number(let number): number.int.map(String.init) ?? number.wholeDigits
    default: nil
    }
  }

  /// `true`, or `"true"` (rule 3).
  package var flag: Bool? {
    switch self {
    case .bool(let value): value
    case .string("true"): true
    case .string("false"): false
    default: nil
    }
  }
}

extension JSONNumber {
  /// The decimal digits of a whole number, however it is spelt; nil where there is a fraction.
  fileprivate var wholeDigits: String? {
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
    if digits.allSatisfy({ (0x30...0x39).contains($0) }) { return text }
    return double.flatMap(Int.init(exactly:)).map(String.init)
  }
}
