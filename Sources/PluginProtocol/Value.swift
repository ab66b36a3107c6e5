package import JSON

/// A JSON value in a message. Objects keep the order of their members, and numbers keep their spelling.
///
/// Values can be written as literals: `["id": "a", "done": 3, "tags": ["x"], "note": nil]`.
public struct Value: Sendable, Equatable {
  package let json: JSONValue

  package init(_ json: JSONValue) { self.json = json }

  /// Creates a string.
  public init(_ text: String) { json = .string(text) }
  /// Creates a string, or null if there is no text.
  public init(_ text: String?) { json = JSONValue(text) }
  /// Creates an integer.
  public init(_ number: Int) { json = JSONValue(number) }
  /// Creates an integer, or null if there is no number.
  public init(_ number: Int?) { json = JSONValue(number) }
  /// Creates a number, or null for the values that JSON cannot represent: infinities and NaN.
  public init(_ number: Double) { json = number.isFinite ? .number(JSONNumber(number)) : .null }
  /// Creates a Boolean.
  public init(_ flag: Bool) { json = .bool(flag) }
  /// Creates an array.
  public init(_ elements: [Value]) { json = .array(elements.map(\.json)) }
  /// Creates an object. If a name is repeated, its last member counts.
  public init(members: [(name: String, value: Value)]) {
    json = .object(JSONObject(members: members.map { (key: $0.name, value: $0.value.json) }))
  }

  /// Parses one JSON text in UTF-8.
  /// - Throws: ``MessageError/notJSON(_:)``.
  public init(parsing text: [UInt8]) throws(MessageError) {
    do throws(JSONError) { json = try JSONValue(parsing: text) } catch { throw .notJSON(error.description) }
  }
}

extension Value {
  /// JSON's null, which differs from a missing member.
  public static let null = Value(JSONValue.null)
  /// The empty object, for parameters and results without content.
  public static let emptyObject = Value(JSONValue.object([:]))

  /// Whether it is JSON's null.
  public var isNull: Bool { json.isNull }
  /// The string; nil for any other value.
  public var string: String? { json.string }
  /// The Boolean; nil for any other value.
  public var bool: Bool? { json.bool }
  /// The integer; nil for any other value, and for an integer that does not fit into an `Int`.
  public var int: Int? { json.int }
  /// The number in `range` that is closest to this one; nil unless the value is an integer.
  ///
  /// Numbers from the other side are untrusted. Clamp them before any arithmetic.
  package func int(in range: ClosedRange<Int>) -> Int? {
    if let int { return min(max(int, range.lowerBound), range.upperBound) }
    // An integer that is too large for an `Int`.
    guard let text = json.number?.text, !text.utf8.contains(where: { $0 == 0x2e || $0 | 0x20 == 0x65 }) else {
      return nil
    }
    return text.hasPrefix("-") ? range.lowerBound : range.upperBound
  }
  /// A whole number of milliseconds, clamped to at least zero and at most an hour; nil for any other value.
  package var milliseconds: Duration? { int(in: 0...3_600_000).map { .milliseconds($0) } }
  /// The number; nil for any other value.
  public var double: Double? { json.double }
  /// The elements; nil for any other value than an array.
  public var array: [Value]? { json.array.map { $0.map(Value.init) } }
  /// The members of an object, in order.
  public var members: [(name: String, value: Value)]? {
    json.object.map { $0.members.map { (name: $0.key, value: Value($0.value)) } }
  }

  /// The member with a name; nil if it is missing or if the value is not an object.
  public subscript(name: String) -> Value? { json[name].map(Value.init) }

  /// A copy of the object with one member added, replaced, or, if `value` is nil, removed. A value that is not an
  /// object becomes one.
  public func with(_ name: String, _ value: Value?) -> Value {
    var object = json.object ?? [:]
    object[name] = value?.json
    return Value(.object(object))
  }

  /// Compact JSON in UTF-8, without a line feed.
  public var bytes: [UInt8] { json.bytes }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  /// Creates a string.
  public init(stringLiteral value: String) { self.init(value) }
  /// Creates an integer.
  public init(integerLiteral value: Int) { self.init(value) }
  /// Creates a floating-point number.
  public init(floatLiteral value: Double) { self.init(value) }
  /// Creates a Boolean.
  public init(booleanLiteral value: Bool) { self.init(value) }
  /// Creates an array.
  public init(arrayLiteral elements: Value...) { self.init(elements) }
  /// Creates an object.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self.init(members: elements.map { (name: $0.0, value: $0.1) })
  }
  /// Creates JSON's null. If an optional value is expected, `nil` means no value; write ``null`` there.
  public init(nilLiteral: ()) { self = .null }
}

extension Value: CustomStringConvertible {
  /// Compact JSON.
  public var description: String { json.text }
}
