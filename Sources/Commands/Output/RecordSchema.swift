import JSON

/// The JSON Schema (2020-12) of one output object: every key required, none other allowed.
struct RecordSchema {
  enum Kind {
    case string, int, bool
    case optionalString, optionalInt, optionalBool
    /// One of these strings.
    case word([String])
    case strings
    case record(RecordSchema)
    case records(RecordSchema)
    case optionalRecord(RecordSchema)
    /// An object with keys of any name.
    case map
    case any

    fileprivate var json: JSONValue {
      switch self {
      case .string: ["type": "string"]
      case .int: ["type": "integer"]
      case .bool: ["type": "boolean"]
      case .optionalString: ["type": ["string", "null"]]
      case .optionalInt: ["type": ["integer", "null"]]
      case .optionalBool: ["type": ["boolean", "null"]]
      case .word(let words): ["enum": .array(words.map(JSONValue.string))]
      case .strings: ["type": "array", "items": ["type": "string"]]
      case .record(let record): record.json
      case .records(let record): ["type": "array", "items": record.json]
      case .optionalRecord(let record): ["anyOf": [record.json, ["type": "null"]]]
      case .map: ["type": ["object", "null"]]
      case .any: [:]
      }
    }
  }

  let json: JSONValue

  init(_ properties: KeyValuePairs<String, Kind>) {
    json = [
      "type": "object",
      "properties": .object(JSONObject(members: properties.map { (key: $0.key, value: $0.value.json) })),
      "required": .array(properties.map { .string($0.key) }),
      "additionalProperties": false,
    ]
  }

  /// A schema that another module wrote.
  init(json: JSONValue) { self.json = json }

  /// The keys of the object, for `--fields`: dotted paths, `*` for the keys of a free map.
  var fields: [String] { RecordSchema.paths(of: json, below: "") }

  private static func paths(of schema: JSONValue, below prefix: String) -> [String] {
    if let items = schema["items"] { return paths(of: items, below: prefix) }
    if let either = schema["anyOf"]?.array { return either.flatMap { paths(of: $0, below: prefix) } }
    guard let properties = schema["properties"]?.object else {
      return isFreeMap(schema) && !prefix.isEmpty ? [prefix + ".*"] : []
    }
    return properties.members.flatMap { key, value in
      let path = prefix.isEmpty ? key : "\(prefix).\(key)"
      return [path] + paths(of: value, below: path)
    }
  }

  private static func isFreeMap(_ schema: JSONValue) -> Bool {
    let types = schema["type"]?.array?.compactMap(\.string) ?? [schema["type"]?.string].compactMap { $0 }
    return types.contains("object")
  }

  /// A whole document: the object, or an array of them.
  func document(named name: String, isArray: Bool) -> JSONValue {
    var document: JSONObject = [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": .string(name),
    ]
    if isArray {
      document["type"] = "array"
      document["items"] = json
    } else if let object = json.object {
      for (key, value) in object.members where key != "$schema" && key != "title" { document[key] = value }
    }
    return .object(document)
  }
}
