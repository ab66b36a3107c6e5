package import Display
package import JSON

/// A row of a command's output, or an object in one. JSON, schema, table, CSV and `--fields` follow from its fields.
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
  var object: JSONObject { JSONObject(members: Self.fields.map { ($0.key, $0.value(self)) }) }
  package var bytes: [UInt8] { json.bytes }

  /// Every key is required, and no other keys are allowed.
  package static var schema: JSONObject { objectSchema }
  static var objectSchema: JSONObject {
    [
      "type": "object",
      "properties": .object(JSONObject(members: fields.map { ($0.key, $0.schema) })),
      "required": .array(fields.map { .string($0.key) }),
      "additionalProperties": false,
    ]
  }

  package static var columns: [Column] {
    var columns = fields.filter { $0.place == nil }.flatMap(\.columns)
    let placed = fields.compactMap { field in field.place.map { (place: $0, columns: field.columns) } }
    for field in placed.sorted(by: { $0.place < $1.place }) {
      columns.insert(contentsOf: field.columns, at: field.place - 1)
    }
    return columns
  }
}

/// A field of a record: its key, its meaning, its column in tables, and its value.
package struct OutputField<Record>: Sendable {
  let key: String
  private let description: String
  private let column: Column?
  /// The number of its column, counted from 1; nil to follow the order of the fields.
  let place: Int?
  private let type: any OutputValue.Type
  let value: @Sendable (Record) -> JSONValue

  /// - Parameters:
  ///   - description: what the value means, as a phrase without a period. It is part of the JSON Schema.
  ///   - title: the title of the field's column in tables and on cards. Without it, the field is shown only in JSON
  ///     and if `--fields` names it. The fields of a nested record have columns of their own.
  ///   - isInDataOnly: whether tables omit the column, since stderr shows the same in full.
  ///   - place: the number of the column, counted from 1, if its position differs from the field's.
  package init<Value: OutputValue>(
    _ key: String, _ description: String, column title: String? = nil, style: Column.Style = .plain,
    overflow: Column.Overflow = .truncate, isInDataOnly: Bool = false, place: Int? = nil,
    value: @escaping @Sendable (Record) -> Value
  ) {
    (self.key, self.description, self.place) = (key, description, place)
    column = title.map { title in
      let column = Column(title, FieldPath(unchecked: key), style: style, overflow: overflow)
      return isInDataOnly ? column.inDataOnly : column
    }
    type = Value.self
    self.value = { value($0).json }
  }

  private init(_ other: OutputField<some Any>, value: @escaping @Sendable (Record) -> JSONValue) {
    (key, description, column) = (other.key, other.description, other.column)
    (place, type) = (other.place, other.type)
    self.value = value
  }

  /// The same field of a record that contains this one.
  package func lifted<Outer>(_ record: @escaping @Sendable (Outer) -> Record) -> OutputField<Outer> {
    OutputField<Outer>(self) { [value] in value(record($0)) }
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
