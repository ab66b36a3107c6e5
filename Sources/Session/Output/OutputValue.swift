import IFTTT
package import JSON
package import Output
import World

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
    if let words = schema["enum"]?.array {
      schema["enum"] = .array(words + [.null])
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
