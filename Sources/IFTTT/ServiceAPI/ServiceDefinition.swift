import JSON

/// The triggers, queries and actions of a service, as its developer describes them in a file. The response of
/// `test/setup` names only those that have fields, and does not contain ingredients.
package struct ServiceDefinition: Sendable {
  /// The service's slug and its name; nil if the file does not have them.
  package var id: String?
  package var name: String?
  package var usesSignIn: Bool?
  package var steps: [ServiceStepKind: [Step]] = [:]

  package struct Step: Sendable {
    package let slug: String
    package let name: String?
    package let fields: [Field]
    /// The keys of a row; nil if the file does not list them.
    package let ingredients: [String]?
    /// The types of the ingredients, by key.
    package var ingredientTypes: [String: String] = [:]
    /// Whether one request validates the values of all fields of a trigger, because they depend on each other.
    package let isContextual: Bool
  }

  package struct Field: Sendable {
    package let slug: String
    package let label: String?
    package let type: String?
    package let isRequired: Bool
    package let hasOptions: Bool
    package let isValidated: Bool
  }

  package init(parsing bytes: [UInt8]) throws(ServiceDefinitionError) {
    let document: JSONValue
    do throws(JSONError) { document = try JSONValue(document: bytes) } catch {
      throw ServiceDefinitionError(description: "it is not JSON: \(error)")
    }
    guard case .object(let object) = document else {
      throw ServiceDefinitionError(description: "it is not a JSON object")
    }
    let known = ["service"] + ServiceStepKind.allCases.map(\.rawValue)
    if let other = object.members.first(where: { !known.contains($0.key) && $0.key != "$schema" }) {
      throw ServiceDefinitionError(
        description: "\"\(other.key)\" is not one of \(known.joined(separator: ", "))")
    }
    guard !object.members.isEmpty else { throw ServiceDefinitionError(description: "it is empty") }
    switch object["service"]?["authentication"] {
    case nil, .null: break
    case .string("oauth2"): usesSignIn = true
    case .string("none"): usesSignIn = false
    default: throw ServiceDefinitionError(description: "service.authentication is neither \"oauth2\" nor \"none\"")
    }
    id = object["service"]?["id"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    name = object["service"]?["name"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    for kind in ServiceStepKind.allCases {
      steps[kind] = try Self.list(object[kind.rawValue], kind.rawValue) { step, path throws(ServiceDefinitionError) in
        let fields =
          try Self.list(step["fields"], "\(path).fields") { field, path throws(ServiceDefinitionError) in
            Field(
              slug: try Self.slug(field, path), label: field["label"]?.string, type: field["type"]?.string,
              isRequired: try Self.flag(field, "required", path) ?? true,
              hasOptions: try Self.flag(field, "options", path) ?? false,
              isValidated: try Self.flag(field, "validation", path) ?? false)
          } ?? []
        var types: [String: String] = [:]
        let ingredients = try Self.list(step["ingredients"], "\(path).ingredients") {
          value, path throws(ServiceDefinitionError) in
          let slug = try Self.slug(value, path)
          types[slug] = value["type"]?.string
          return slug
        }
        return Step(
          slug: try Self.slug(step, path), name: step["name"]?.string, fields: fields, ingredients: ingredients,
          ingredientTypes: types, isContextual: kind == .triggers ? try Self.isContextual(step, fields, path) : false)
      }
    }
  }

  package func step(_ kind: ServiceStepKind, _ slug: String) -> Step? { steps[kind]?.first { $0.slug == slug } }

  private static func list<Element>(
    _ value: JSONValue?, _ path: String, _ read: (JSONObject, String) throws(ServiceDefinitionError) -> Element
  ) throws(ServiceDefinitionError) -> [Element]? {
    guard let value, !value.isNull else { return nil }
    guard case .array(let values) = value else { throw ServiceDefinitionError(description: "\(path) is not an array") }
    var elements: [Element] = []
    for (index, value) in values.enumerated() {
      guard case .object(let object) = value else {
        throw ServiceDefinitionError(description: "\(path)[\(index)] is not an object")
      }
      elements.append(try read(object, "\(path)[\(index)]"))
    }
    return elements
  }

  private static func slug(_ object: JSONObject, _ path: String) throws(ServiceDefinitionError) -> String {
    guard let id = object["id"]?.string, !id.isEmpty else {
      throw ServiceDefinitionError(description: "\(path).id is not a text, or empty")
    }
    return id
  }

  private static func isContextual(
    _ trigger: JSONObject, _ fields: [Field], _ path: String
  ) throws(ServiceDefinitionError) -> Bool {
    guard let value = trigger["validation"], !value.isNull else { return false }
    guard value == "contextual" else {
      throw ServiceDefinitionError(description: "\(path).validation is not \"contextual\"")
    }
    guard fields.contains(where: \.isValidated) else {
      throw ServiceDefinitionError(description: "\(path) has contextual validation, but no field with validation")
    }
    return true
  }

  private static func flag(_ object: JSONObject, _ key: String, _ path: String) throws(ServiceDefinitionError) -> Bool?
  {
    guard let value = object[key], !value.isNull else { return nil }
    guard let flag = value.bool else {
      throw ServiceDefinitionError(description: "\(path).\(key) is neither true nor false")
    }
    return flag
  }
}

/// An error in a service definition, and its position.
package struct ServiceDefinitionError: Error, Equatable, CustomStringConvertible {
  package let description: String
}

/// The JSON Schema (2020-12) of a service definition.
package enum ServiceDefinitionSchema {
  package static let document = """
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "A service definition",
      "description": "The triggers, queries and actions of a service, for the option --definition of 'service test'.",
      "type": "object",
      "properties": {
        "$schema": { "type": "string", "description": "For editors; ignored" },
        "service": {
          "type": "object",
          "properties": {
            "id": { "type": "string", "description": "The service's slug" },
            "name": { "type": "string" },
            "authentication": { "enum": ["oauth2", "none", null], "description": "How users sign in" }
          }
        },
        "triggers": { "type": "array", "items": { "$ref": "#/$defs/trigger" } },
        "queries": { "type": "array", "items": { "$ref": "#/$defs/step" } },
        "actions": { "type": "array", "items": { "$ref": "#/$defs/step" } }
      },
      "additionalProperties": false,
      "minProperties": 1,
      "$defs": {
        "trigger": {
          "$ref": "#/$defs/step",
          "properties": {
            "validation": {
              "enum": ["contextual", null],
              "description": "Whether one request validates the values of all fields, because they depend on each other"
            }
          }
        },
        "step": {
          "type": "object",
          "properties": {
            "id": { "type": "string", "minLength": 1, "description": "The slug in the endpoint's path" },
            "name": { "type": "string" },
            "fields": { "type": "array", "items": { "$ref": "#/$defs/field" } },
            "ingredients": { "type": "array", "items": { "$ref": "#/$defs/ingredient" } }
          },
          "required": ["id"]
        },
        "field": {
          "type": "object",
          "properties": {
            "id": { "type": "string", "minLength": 1 },
            "label": { "type": "string" },
            "type": { "type": "string" },
            "required": { "type": "boolean", "default": true },
            "options": { "type": "boolean", "default": false, "description": "Whether the server lists the values" },
            "validation": { "type": "boolean", "default": false, "description": "Whether the server checks a value" }
          },
          "required": ["id"]
        },
        "ingredient": {
          "type": "object",
          "properties": {
            "id": { "type": "string", "minLength": 1, "description": "The key in a row" },
            "type": { "type": "string" }
          },
          "required": ["id"]
        }
      }
    }
    """
}
