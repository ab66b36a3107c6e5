package import JSON
package import Output

/// A row of a command's output, or an object inside one. JSON, JSON Schema, table, CSV and `--fields` follow from its
/// fields.
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

  /// In the order of the fields, except that a field with a place has its column there.
  package static var columns: [Column] {
    var columns = fields.filter { $0.place == nil }.flatMap(\.columns)
    let placed = fields.compactMap { field in field.place.map { ($0, field.columns) } }
    for (place, inserted) in placed.sorted(by: { $0.0 < $1.0 }) {
      columns.insert(contentsOf: inserted, at: place - 1)
    }
    return columns
  }
}
