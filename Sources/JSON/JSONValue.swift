import Text

/// Any JSON value. Objects keep the order of their members, and numbers keep their spelling, so that a received value
/// can be written back unchanged.
package enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

/// A number with its original spelling, such as `349.2418372528667` or `1e3`. It is never rounded.
package struct JSONNumber: Sendable, Equatable {
  package let text: String
  package init(unchecked text: String) { self.text = text }
  package init(_ value: Int) { text = String(value) }
  package init(_ value: Double) {
    let text = value.description
    self.text = text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
  package var int: Int? { Int(text) }
  package var double: Double? { Double(text) }
}

/// The members of an object, in order. If a key is repeated, the last value counts.
package struct JSONObject: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  package private(set) var members: [(key: String, value: JSONValue)]

  package init(members: [(key: String, value: JSONValue)] = []) { self.members = members }
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    members = elements.map { (key: $0.0, value: $0.1) }
  }

  package subscript(key: String) -> JSONValue? {
    get { index(of: key).map { members[$0].value } }
    set {
      let index = index(of: key)
      switch (index, newValue) {
      case (let found?, let value?): members[found].value = value
      case (nil, let value?): members.append((key: key, value: value))
      case (.some, nil): members.removeAll { $0.key == key }
      case (nil, nil): break
      }
    }
  }

  private func index(of key: String) -> Int? {
    // Not with a closure, which would get a copy of each member.
    var index = members.count - 1
    while index >= 0, members[index].key != key { index -= 1 }
    return index < 0 ? nil : index
  }

  package static func == (a: JSONObject, b: JSONObject) -> Bool {
    a.members.elementsEqual(b.members) { $0.key == $1.key && $0.value == $1.value }
  }
}

extension JSONValue {
  /// Creates a string, or null for nil.
  package init(_ text: String?) { self = text.map(JSONValue.string) ?? .null }
  /// Creates a number, or null for nil.
  package init(_ number: Int?) { self = number.map { .number(JSONNumber($0)) } ?? .null }
  package init(_ flag: Bool) { self = .bool(flag) }

  package var isNull: Bool { self == .null }
  package var string: String? { if case .string(let value) = self { value } else { nil } }
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  package var int: Int? { if case .number(let value) = self { value.int } else { nil } }
  package var double: Double? { if case .number(let value) = self { value.double } else { nil } }
  package var number: JSONNumber? { if case .number(let value) = self { value } else { nil } }
  package var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
  package var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

  /// Returns the member of an object; nil for any other value and for a missing key.
  package subscript(key: String) -> JSONValue? { object?[key] }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(members: elements.map { (key: $0.0, value: $0.1) }))
  }
  package init(nilLiteral: ()) { self = .null }
}

/// Lenient decoding of values that IFTTT may send in several forms (docs/api/connect.md §10).
extension JSONValue {
  /// An id: a nonempty string, or a whole number as decimal digits (docs/api/connect.md R13).
  package var identifier: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .number(let number): number.int.map(String.init) ?? number.wholeDigits
    default: nil
    }
  }

  /// A Boolean: `true`, `"true"` (docs/api/connect.md R3) or 1, which databases use for it, and their opposites.
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
  /// anything else mean off, because a location must not be monitored if there is any doubt. A missing key is a
  /// different case (docs/api/connect.md C13).
  package var isSwitchedOn: Bool {
    if case .string = self { return false }
    return flag == true
  }
}

extension JSONNumber {
  /// The decimal digits of a whole number in any spelling. Nil if it has a fraction, or if it has a decimal point or an
  /// exponent and exceeds `Int`.
  fileprivate var wholeDigits: String? {
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
    if digits.allSatisfy(\.isDigit) { return text }
    return double.flatMap(Int.init(exactly:)).map(String.init)
  }
}
