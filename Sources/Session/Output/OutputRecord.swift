import IFTTT
package import JSON
package import Output
import Text
import World

/// A row of a command's output, or an object inside one. Its fields determine the JSON, JSON Schema, table, CSV and
/// `--fields`.
package protocol OutputRecord: OutputValue {
  typealias Field = OutputField<Self>
  typealias Fields = [Field]
  /// The fields, in the order of the JSON keys.
  static var fields: Fields { get }
  /// The record laid out for reading; nil to use the titles and values of the columns.
  var card: Card? { get }
}

extension OutputRecord {
  package var card: Card? { nil }

  package var json: JSONValue { .object(object) }
  package var object: JSONObject { JSONObject(members: Self.fields.map { ($0.key, $0.value(self)) }) }
  package var bytes: [UInt8] { json.bytes }

  /// Every key is required, and no other keys are allowed.
  package static var schema: JSONObject { objectSchema }
  package static var objectSchema: JSONObject {
    [
      "type": "object",
      "properties": .object(JSONObject(members: fields.map { ($0.key, $0.schema) })),
      "required": .array(fields.map { .string($0.key) }),
      "additionalProperties": false,
    ]
  }

  /// The columns in the order of the fields, except for fields with a column number.
  package static var columns: [Column] {
    var columns = fields.filter { $0.columnNumber == nil }.flatMap(\.columns)
    let numbered = fields.compactMap { field in field.columnNumber.map { ($0, field.columns) } }
    for (number, inserted) in numbered.sorted(by: \.0) {
      columns.insert(contentsOf: inserted, at: number - 1)
    }
    return columns
  }
}

/// A field of a record: its key, its meaning, its column in tables, and its value.
package struct OutputField<Record>: Sendable {
  package let key: String
  private let description: String
  private let column: Column?
  /// The number of its column, counted from 1; nil to follow the order of the fields.
  let columnNumber: Int?
  private let type: any OutputValue.Type
  let value: @Sendable (Record) -> JSONValue

  /// - Parameters:
  ///   - description: the meaning of the value, as a phrase without a period. It is part of the JSON Schema.
  ///   - title: the title of the field's column in tables and on cards. Without it, the field is shown only in JSON
  ///     and if `--fields` names it. The fields of a nested record have columns of their own.
  ///   - isInDataOnly: whether tables omit the column, because stderr shows the same text in full.
  ///   - width: the width of the column's widest value, if it is known in advance. If it is known for all columns but
  ///     the last, a table whose rows arrive over a long time is printed row by row.
  ///   - absence: the text on a card in place of an empty value, if its absence matters.
  ///   - columnNumber: the number of the column, counted from 1, if its position differs from the field's.
  ///   - part: the field of its records that the column shows, if the value is a list of records.
  package init<Value: OutputValue>(
    _ key: String, _ description: String, column title: String? = nil, style: Column.Style = .plain,
    overflow: Column.Overflow = .truncate, isInDataOnly: Bool = false, width: Int? = nil, absence: String? = nil,
    columnNumber: Int? = nil, showing part: String? = nil, value: @escaping @Sendable (Record) -> Value
  ) {
    (self.key, self.description, self.columnNumber) = (key, description, columnNumber)
    column = title.map { title in
      let path = part.map { "\(key).\($0)" } ?? key
      var column = Column(title, FieldPath(unchecked: path), style: style, overflow: overflow)
      (column.isInDataOnly, column.width, column.absence) = (isInDataOnly, width, absence)
      return column
    }
    type = Value.self
    self.value = { value($0).json }
  }

  /// The same field of a record that contains this one.
  package func lifted<Outer>(_ inner: @escaping @Sendable (Outer) -> Record) -> OutputField<Outer> {
    OutputField<Outer>(
      key: key, description: description, column: column, columnNumber: columnNumber, type: type,
      value: { [value] in value(inner($0)) })
  }

  fileprivate init(
    key: String, description: String, column: Column?, columnNumber: Int?, type: any OutputValue.Type,
    value: @escaping @Sendable (Record) -> JSONValue
  ) {
    (self.key, self.description, self.column, self.columnNumber) = (key, description, column, columnNumber)
    (self.type, self.value) = (type, value)
  }

  var schema: JSONValue {
    .object(JSONObject(members: [("description", .string(description))] + type.schema.members))
  }

  var columns: [Column] {
    [column].compactMap(\.self)
      + type.columns.map { inner in
        var column = inner
        column.path = FieldPath(unchecked: "\(key).\(inner.path)")
        return column
      }
  }
}

/// A value of a field. Its type determines the JSON Schema of the field, so that value and schema always agree.
package protocol OutputValue: SendableMetatype {
  static var schema: JSONObject { get }
  /// The columns of the fields inside it.
  static var columns: [Column] { get }
  var json: JSONValue { get }
}

extension OutputValue {
  package static var columns: [Column] { [] }
}

extension String: OutputValue {
  package static var schema: JSONObject { ["type": "string"] }
  package var json: JSONValue { .string(self) }
}

extension Int: OutputValue {
  package static var schema: JSONObject { ["type": "integer"] }
  package var json: JSONValue { .number(JSONNumber(self)) }
}

extension Double: OutputValue {
  package static var schema: JSONObject { ["type": "number"] }
  package var json: JSONValue { .number(JSONNumber(self)) }
}

extension Bool: OutputValue {
  package static var schema: JSONObject { ["type": "boolean"] }
  package var json: JSONValue { .bool(self) }
}

extension Timestamp: OutputValue {
  package static var schema: JSONObject { String.schema }
  package var json: JSONValue { .string(rfc3339) }
}

/// An enumeration with string raw values. Its conformance is declared without any members.
extension OutputValue where Self: RawRepresentable<String> & CaseIterable {
  package static var schema: JSONObject { ["enum": .array(allCases.map { .string($0.rawValue) })] }
  package var json: JSONValue { .string(rawValue) }
}

extension UserStatus: OutputValue {}

extension Array: OutputValue where Element: OutputValue {
  package static var schema: JSONObject { ["type": "array", "items": .object(Element.schema)] }
  package var json: JSONValue { .array(map(\.json)) }
}

/// An object of strings with arbitrary keys.
package struct OutputMap: OutputValue {
  private let members: [(key: String, value: String)]
  package init(_ members: [(key: String, value: String)]) { self.members = members }

  package static var schema: JSONObject { ["type": "object", "additionalProperties": .object(String.schema)] }
  package var json: JSONValue { .object(JSONObject(members: members.map { ($0.key, .string($0.value)) })) }
}

/// Any JSON value.
extension JSONValue: OutputValue {
  package static var schema: JSONObject { [:] }
  package var json: JSONValue { self }
}

extension Optional: OutputValue where Wrapped: OutputValue {
  package static var schema: JSONObject {
    var schema = Wrapped.schema
    if let cases = schema["enum"]?.array {
      schema["enum"] = .array(cases + [.null])
    } else if let type = schema["type"], schema["properties"] == nil {
      schema["type"] = [type, "null"]
    } else {
      schema = ["anyOf": [.object(schema), ["type": "null"]]]
    }
    return schema
  }
  package static var columns: [Column] { Wrapped.columns }
  package var json: JSONValue { self?.json ?? .null }
}
