import API
package import JSON

/// The JSON Schema (2020-12) of one output object: every key is required, and no other keys are allowed.
package struct RecordSchema {
  package indirect enum Kind {
    case string, int, bool, number
    case optionalString, optionalInt
    /// One of these strings.
    case word([String])
    case strings
    case record(RecordSchema)
    case records(RecordSchema)
    case optionalRecord(RecordSchema)
    /// An object of strings with arbitrary keys.
    case map

    fileprivate var json: JSONValue {
      switch self {
      case .string: ["type": "string"]
      case .int: ["type": "integer"]
      case .bool: ["type": "boolean"]
      case .number: ["type": "number"]
      case .optionalString: ["type": ["string", "null"]]
      case .optionalInt: ["type": ["integer", "null"]]
      case .word(let words): ["enum": .array(words.map(JSONValue.string))]
      case .strings: ["type": "array", "items": ["type": "string"]]
      case .record(let record): record.object
      case .records(let record): ["type": "array", "items": record.object]
      case .optionalRecord(let record): ["anyOf": [record.object, ["type": "null"]]]
      case .map: ["type": "object", "additionalProperties": ["type": "string"]]
      }
    }
  }

  private enum Source {
    case properties([(key: String, value: JSONValue)])
    /// The documents of one object and of a list, as serialized by another module.
    case texts(one: String, list: String)
  }
  private let source: Source

  package init(_ properties: KeyValuePairs<String, Kind>) {
    source = .properties(properties.map { (key: $0.key, value: $0.value.json) })
  }

  /// An object whose members all have the same kind.
  package init(keys: [String], each kind: Kind) {
    source = .properties(keys.map { (key: $0, value: kind.json) })
  }

  package init(one: String, list: String) { source = .texts(one: one, list: list) }

  private var object: JSONValue {
    switch source {
    case .texts(let one, _): JSONValue.written(one)
    case .properties(let properties):
      [
        "type": "object",
        "properties": .object(JSONObject(members: properties)),
        "required": .array(properties.map { .string($0.key) }),
        "additionalProperties": false,
      ]
    }
  }

  /// The dotted paths that `--fields` accepts.
  package var fields: [String] { fieldCatalog(of: object) }

  /// The number of objects in an output.
  package enum Form { case one, many, oneOrMany }

  /// A complete document: the object, an array of objects, or either one.
  package func document(named name: String, _ form: Form) -> JSONValue {
    if case .texts(let one, let list) = source {
      guard form == .oneOrMany else { return .written(form == .one ? one : list) }
      return eitherOne(JSONValue.written(list).object ?? [:])
    }
    var document: JSONObject = [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "title": .string(name),
    ]
    switch form {
    case .one: for (key, value) in object.object?.members ?? [] { document[key] = value }
    case .many, .oneOrMany:
      document["type"] = "array"
      document["items"] = object
    }
    return form == .oneOrMany ? eitherOne(document) : .object(document)
  }

  /// Converts the document of an array into one that allows the array or a single element.
  private func eitherOne(_ list: JSONObject) -> JSONValue {
    var document = list
    guard let element = list["items"] else { return .object(list) }
    document["type"] = nil
    document["items"] = nil
    document["anyOf"] = [element, ["type": "array", "items": element]]
    return .object(document)
  }
}

extension JSONValue {
  /// Parses a JSON literal of this program.
  package static func written(_ text: String) -> JSONValue {
    guard let value = try? JSONValue(parsing: Array(text.utf8)) else { preconditionFailure("a schema is not JSON") }
    return value
  }
}
