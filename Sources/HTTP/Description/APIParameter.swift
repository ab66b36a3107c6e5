package import JSON

/// A parameter of an HTTP API: a string that is not empty, or one of some values.
package struct APIParameter: Sendable {
  private let name: String
  private let json: JSONValue

  /// - Parameter values: All values that it can have; empty if it can have any.
  private init(_ name: String, in location: String, _ summary: String?, isRequired: Bool, values: [String]) {
    var json: JSONObject = ["name": .string(name), "in": .string(location), "required": .bool(isRequired)]
    json["description"] = summary.map(JSONValue.string)
    var schema: JSONObject = ["type": "string"]
    if values.isEmpty { schema["minLength"] = 1 } else { schema["enum"] = .array(values.map(JSONValue.string)) }
    json["schema"] = .object(schema)
    (self.name, self.json) = (name, .object(json))
  }

  package static func path(_ name: String, _ summary: String? = nil) -> APIParameter {
    APIParameter(name, in: "path", summary, isRequired: true, values: [])
  }

  package static func query(
    _ name: String, _ summary: String, isRequired: Bool = false, values: [String] = []
  ) -> APIParameter {
    APIParameter(name, in: "query", summary, isRequired: isRequired, values: values)
  }

  /// The member `parameters` of a document's components.
  package static func components(_ parameters: [APIParameter]) -> JSONValue {
    .object(JSONObject(members: parameters.map { ($0.name, $0.json) }))
  }
}
