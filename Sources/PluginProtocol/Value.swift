package import JSON

/// A JSON value, as messages carry it: objects keep the order of their members and numbers their spelling.
///
/// Values are written as literals: `["id": "a", "done": 3, "tags": ["x"], "note": nil]`.
public struct Value: Sendable, Equatable {
  package let json: JSONValue

  package init(_ json: JSONValue) { self.json = json }

  /// A string.
  public init(_ text: String) { json = .string(text) }
  /// Null where there is no text.
  public init(_ text: String?) { json = JSONValue(text) }
  /// A whole number.
  public init(_ number: Int) { json = JSONValue(number) }
  /// Null where there is no number.
  public init(_ number: Int?) { json = JSONValue(number) }
  /// Null for what JSON has no number for: infinities and what is not a number.
  public init(_ number: Double) { json = number.isFinite ? .number(JSONNumber(number)) : .null }
  /// True or false.
  public init(_ flag: Bool) { json = .bool(flag) }
  /// An array.
  public init(_ elements: [Value]) { json = .array(elements.map(\.json)) }
  /// An object. Of a repeated name the last member counts.
  public init(members: [(name: String, value: Value)]) {
    json = .object(JSONObject(members: members.map { (key: $0.name, value: $0.value.json) }))
  }

  /// Of one JSON text in UTF-8.
  /// - Throws: ``MessageError/notJSON(_:)``.
  public init(parsing text: [UInt8]) throws(MessageError) {
    do throws(JSONError) { json = try JSONValue(parsing: text) } catch { throw .notJSON(error.description) }
  }
}

extension Value {
  /// JSON's null; not the same as a member that is missing.
  public static let null = Value(JSONValue.null)
  /// What parameters and results are that say nothing.
  public static let emptyObject = Value(JSONValue.object([:]))

  /// Whether it is JSON's null.
  public var isNull: Bool { json.isNull }
  /// Nil for what is no string.
  public var string: String? { json.string }
  /// Nil for what is neither true nor false.
  public var bool: Bool? { json.bool }
  /// Nil for what is no whole number, or a larger one than an `Int` holds.
  public var int: Int? { json.int }
  /// The number in `range` that is closest to this one; nil for anything but a whole number.
  ///
  /// For numbers of the other side's, which may be anything: none is calculated with before it is within bounds.
  package func int(in range: ClosedRange<Int>) -> Int? {
    if let int { return min(max(int, range.lowerBound), range.upperBound) }
    // One that is too large for an `Int`.
    guard let text = json.number?.text, !text.utf8.contains(where: { $0 == 0x2e || $0 | 0x20 == 0x65 }) else {
      return nil
    }
    return text.hasPrefix("-") ? range.lowerBound : range.upperBound
  }
  /// A whole number of milliseconds, not negative and at most an hour; nil for anything else.
  package var milliseconds: Duration? { int(in: 0...3_600_000).map { .milliseconds($0) } }
  /// Nil for what is no number.
  public var double: Double? { json.double }
  /// Nil for what is no array.
  public var array: [Value]? { json.array.map { $0.map(Value.init) } }
  /// The members of an object, in order.
  public var members: [(name: String, value: Value)]? {
    json.object.map { $0.members.map { (name: $0.key, value: Value($0.value)) } }
  }

  /// The member of an object; nil for anything else and for a missing name.
  public subscript(name: String) -> Value? { json[name].map(Value.init) }

  /// The same object with another member, in the place of one of the same name; with nil without it. What is no object
  /// becomes one.
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
  /// A string.
  public init(stringLiteral value: String) { self.init(value) }
  /// A whole number.
  public init(integerLiteral value: Int) { self.init(value) }
  /// Any other number.
  public init(floatLiteral value: Double) { self.init(value) }
  /// True or false.
  public init(booleanLiteral value: Bool) { self.init(value) }
  /// An array.
  public init(arrayLiteral elements: Value...) { self.init(elements) }
  /// An object.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self.init(members: elements.map { (name: $0.0, value: $0.1) })
  }
  /// JSON's null. Where an optional value is expected, `nil` is none; there write ``null``.
  public init(nilLiteral: ()) { self = .null }
}

extension Value: CustomStringConvertible {
  /// Compact JSON.
  public var description: String { json.text }
}
