/// Lenient decoding of values that IFTTT may send in several forms (reference: connect-api.md, section 10).
extension JSONValue {
  /// An id: a nonempty string, or a whole number as decimal digits (rule 13).
  package var identifier: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .number(let number): number.int.map(String.init) ?? number.wholeDigits
    default: nil
    }
  }

  /// A Boolean: `true`, `"true"` (rule 3) or 1, which databases use for it, and their opposites.
  package var flag: Bool? {
    switch self {
    case .bool(let value): value
    case .string("true"): true
    case .string("false"): false
    case .number(let number): number.double == 1 ? true : number.double == 0 ? false : nil
    default: nil
    }
  }

  /// Whether a user feature's `enabled` value means that the feature is on: only `true` and 1 do. Null, a string and
  /// anything else mean off, because a location must not be monitored if there is any doubt. A missing key is not a
  /// value; see C13.
  package var isSwitchedOn: Bool {
    if case .string = self { return false }
    return flag == true
  }
}

extension JSONNumber {
  /// The decimal digits of a whole number in any spelling; nil if it has a fraction.
  fileprivate var wholeDigits: String? {
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
    if digits.allSatisfy({ (0x30...0x39).contains($0) }) { return text }
    return double.flatMap(Int.init(exactly:)).map(String.init)
  }
}
