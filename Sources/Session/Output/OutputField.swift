import JSON
package import Output

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
  ///   - width: the width of the column's widest value, if it is known before the rows are. If it is known for all
  ///     columns but the last, a table whose rows arrive over a long time is printed row by row.
  ///   - place: the number of the column, counted from 1, if its position differs from the field's.
  package init<Value: OutputValue>(
    _ key: String, _ description: String, column title: String? = nil, style: Column.Style = .plain,
    overflow: Column.Overflow = .truncate, isInDataOnly: Bool = false, width: Int? = nil, place: Int? = nil,
    value: @escaping @Sendable (Record) -> Value
  ) {
    (self.key, self.description, self.place) = (key, description, place)
    column = title.map { title in
      var column = Column(title, FieldPath(unchecked: key), style: style, overflow: overflow)
      (column.isInDataOnly, column.width) = (isInDataOnly, width)
      return column
    }
    type = Value.self
    self.value = { value($0).json }
  }

  /// The same field of a record that contains this one.
  package func lifted<Outer>(_ inner: @escaping @Sendable (Outer) -> Record) -> OutputField<Outer> {
    OutputField<Outer>(
      key: key, description: description, column: column, place: place, type: type,
      value: { [value] in value(inner($0)) })
  }

  fileprivate init(
    key: String, description: String, column: Column?, place: Int?, type: any OutputValue.Type,
    value: @escaping @Sendable (Record) -> JSONValue
  ) {
    (self.key, self.description, self.column, self.place) = (key, description, column, place)
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
