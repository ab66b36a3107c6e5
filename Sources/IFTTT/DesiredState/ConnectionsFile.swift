package import JSON
import Text

/// The desired state of connections: the file that `connections export` writes, and `diff` and `apply` read.
package struct ConnectionsFile: Sendable, Equatable {
  package static let version = 1

  package var connections: DesiredConnections

  package init(connections: [DesiredConnection] = []) { self.connections = DesiredConnections(connections) }
}

/// The desired state of one connection. The parts that it does not name stay unchanged.
package struct DesiredConnection: Sendable, Equatable {
  package var id: ConnectionID
  /// For the reader of the file only.
  package var name: String?
  package var status: UserStatus?
  /// Whether the connection was never configured. For the reader of the file only.
  package var isPending = false
  package var features: [DesiredFeature]
  /// The path in the file, such as `connections[3]`.
  package var path: String

  package init(
    id: ConnectionID, name: String? = nil, status: UserStatus? = nil, isPending: Bool = false,
    features: [DesiredFeature] = [], path: String = ""
  ) {
    (self.id, self.name, self.status, self.isPending) = (id, name, status, isPending)
    (self.features, self.path) = (features, path)
  }
}

/// The desired state of one user feature. User features of the same feature are matched by their order: their own ids
/// differ from user to user.
package struct DesiredFeature: Sendable, Equatable {
  package var feature: String
  /// For the reader of the file only.
  package var title: String?
  package var isEnabled: Bool?
  /// By name: the field's id, for a field of a step after the step's name and a dot. Null removes the value.
  package var fields: [(name: String, value: JSONValue)]

  package init(
    feature: String, title: String? = nil, isEnabled: Bool? = nil, fields: [(name: String, value: JSONValue)] = []
  ) {
    (self.feature, self.title, self.isEnabled, self.fields) = (feature, title, isEnabled, fields)
  }

  package static func == (a: DesiredFeature, b: DesiredFeature) -> Bool {
    a.feature == b.feature && a.title == b.title && a.isEnabled == b.isEnabled
      && a.fields.elementsEqual(b.fields) { $0.name == $1.name && $0.value == $1.value }
  }
}

/// The entries of a file, in its order. Each is stored as JSON, which takes less memory than its values.
package struct DesiredConnections: RandomAccessCollection, Sendable, Equatable {
  package private(set) var ids: [ConnectionID] = []
  /// For each entry, its path in the file and its JSON as an array.
  private var bytes: [UInt8] = []
  /// The end of each entry in ``bytes``.
  private var ends: [Int] = []

  package init(_ entries: some Sequence<DesiredConnection> = []) { for entry in entries { append(entry) } }

  package var startIndex: Int { 0 }
  package var endIndex: Int { ends.count }

  package subscript(index: Int) -> DesiredConnection {
    let entry = bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
    guard let pair = try? JSONValue(parsing: Array(entry)).array, let path = pair[0].string,
      let connection = try? DesiredConnection(document: pair[1], at: path)
    else { preconditionFailure("an entry that was written cannot be read") }
    return connection
  }

  package mutating func append(_ entry: DesiredConnection) {
    ids.append(entry.id)
    bytes += JSONValue.array([.string(entry.path), entry.json]).text.utf8
    ends.append(bytes.count)
  }

  /// The entries whose ids fulfill a condition.
  package func filter(_ isIncluded: (ConnectionID) -> Bool) -> DesiredConnections {
    var result = DesiredConnections()
    for (index, id) in ids.enumerated() where isIncluded(id) {
      result.ids.append(id)
      result.bytes += bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
      result.ends.append(result.bytes.count)
    }
    return result
  }
}

/// The JSON Schema (2020-12) of a file of connections.
package enum ConnectionsFileSchema {
  package static let document = """
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "The desired state of connections",
      "description": "The output of 'connections export', and the input of 'connections diff' and 'apply'. Settings and connections that are not in the file stay unchanged.",
      "type": "object",
      "properties": {
        "$schema": { "type": "string", "description": "For editors; ignored" },
        "version": { "const": 1 },
        "connections": { "type": "array", "items": { "$ref": "#/$defs/connection" } }
      },
      "required": ["version", "connections"],
      "additionalProperties": false,
      "$defs": {
        "connection": {
          "type": "object",
          "properties": {
            "id": { "type": "string", "minLength": 1 },
            "name": { "type": ["string", "null"], "description": "For the reader only" },
            "status": { "enum": ["enabled", "disabled", "never_enabled", "unknown", null] },
            "pending": { "type": ["boolean", "null"], "description": "Whether it was never configured; for the reader only" },
            "features": {
              "type": ["array", "null"],
              "description": "The user features of each feature that is named, in order; fewer than there are is a removal",
              "items": { "$ref": "#/$defs/feature" }
            }
          },
          "required": ["id"],
          "additionalProperties": false
        },
        "feature": {
          "type": "object",
          "properties": {
            "feature": { "type": "string", "description": "The id of the feature" },
            "title": { "type": ["string", "null"], "description": "For the reader only" },
            "enabled": { "type": ["boolean", "null"] },
            "fields": {
              "type": "object",
              "description": "From the field's id, or STEP.FIELD for a field of a step, to the value. An option is given by its value or label, checkboxes as a list; null removes the value."
            }
          },
          "required": ["feature"],
          "additionalProperties": false
        }
      }
    }
    """
}

extension ConnectionsFile {
  /// The maximum size of a file, in bytes.
  package static let sizeLimit = 64 << 20

  /// - Throws: ``DocumentError``.
  package init(parsing bytes: [UInt8]) throws(DocumentError) {
    var entries = DesiredConnections()
    let (reader, list) = try StrictObject.reading(bytes, list: "connections") {
      reader throws(DocumentError) in entries.append(try DesiredConnection(reader))
    }
    try reader.allow(["$schema", "version", "connections"])
    try reader.checkVersion(Self.version)
    try list.get()
    connections = entries
    try connections.checkUnique()
  }
}

extension DesiredConnections {
  /// - Throws: ``DocumentError`` if two entries are for the same connection.
  func checkUnique() throws(DocumentError) {
    var seen: Set<ConnectionID> = []
    for (index, id) in ids.enumerated() where !seen.insert(id).inserted {
      let first = ids.firstIndex(of: id) ?? index
      throw DocumentError("\(self[index].path).id", "\(self[first].path) has the same id")
    }
  }
}

extension DesiredConnection {
  /// Reads one entry.
  /// - Parameter path: its path in the file, for errors.
  /// - Throws: ``DocumentError``.
  package init(document: JSONValue, at path: String) throws(DocumentError) {
    try self.init(try StrictObject(document, at: path))
  }

  fileprivate init(_ reader: StrictObject) throws(DocumentError) {
    try reader.allow(["id", "name", "status", "pending", "features"])
    guard let text = try reader.text("id") else { throw reader.error("it is missing", at: "id") }
    guard let id = ConnectionID(parsing: text) else { throw reader.error("it is not a connection's id", at: "id") }
    self.init(
      id: id, name: try reader.text("name"), isPending: try reader.flag("pending") ?? false,
      features: try reader.objects("features") { reader throws(DocumentError) in try DesiredFeature(reader) },
      path: reader.path)
    guard let word = try reader.text("status") else { return }
    status = UserStatus(rawValue: word)
    guard status != nil else {
      throw reader.error(
        "it is not one of \(UserStatus.allCases.map(\.rawValue).joined(separator: ", "))", at: "status")
    }
  }
}

extension DesiredFeature {
  fileprivate init(_ reader: StrictObject) throws(DocumentError) {
    try reader.allow(["feature", "title", "enabled", "fields"])
    guard let feature = try reader.text("feature") else { throw reader.error("it is missing", at: "feature") }
    self.init(feature: feature, title: try reader.text("title"), isEnabled: try reader.flag("enabled"))
    guard let value = reader["fields"] else { return }
    let fields = try StrictObject(value, at: "\(reader.path).fields")
    self.fields = fields.object.members.map { (name: $0.key, value: $0.value) }
    for (name, value) in self.fields {
      if value.containsNUL { throw fields.error("it contains the character U+0000", at: name) }
      if let key = value.repeatedKey { throw fields.error("the key \"\(key)\" is repeated", at: name) }
    }
  }
}

extension JSONValue {
  /// The first key that an object in the value has more than once.
  fileprivate var repeatedKey: String? {
    switch self {
    case .null, .bool, .number, .string: return nil
    case .array(let elements): return elements.lazy.compactMap(\.repeatedKey).first
    case .object(let object): return object.repeatedKey ?? object.members.lazy.compactMap(\.value.repeatedKey).first
    }
  }

  fileprivate var containsNUL: Bool {
    switch self {
    case .null, .bool, .number: false
    case .string(let text): text.utf8.contains(0)
    case .array(let elements): elements.contains(where: \.containsNUL)
    case .object(let object): object.members.contains { $0.key.utf8.contains(0) || $0.value.containsNUL }
    }
  }
}

extension ConnectionsFile {
  /// Writes the text of a file, formatted for people, in parts. It equals the indented text of ``json``.
  /// - Parameter entries: the text of each entry in the order of the ids: ``DesiredConnection/json``, indented at 4.
  package static func write(_ entries: some Sequence<[UInt8]>, to part: ([UInt8]) throws -> Void) rethrows {
    try part(Array("{\n  \"version\": \(version),\n  \"connections\": [".utf8))
    var isFirst = true
    for entry in entries {
      try part(Array((isFirst ? "\n    " : ",\n    ").utf8) + entry)
      isFirst = false
    }
    try part(Array((isFirst ? "]\n}\n" : "\n  ]\n}\n").utf8))
  }

  /// The file as JSON. The same state always gives the same bytes.
  package var json: JSONValue {
    [
      "version": JSONValue(Self.version),
      "connections": .array(connections.sorted(by: \.id.description).map(\.json)),
    ]
  }
}

extension DesiredConnection {
  /// The state of a connection as fetched.
  /// - Parameter isPending: whether the connection was never configured, which IFTTT does not report
  ///   (docs/api/connect.md U4).
  package init(_ connection: Connection, isPending: Bool) {
    self.init(id: connection.id, name: connection.name, status: connection.status, isPending: isPending)
    guard connection.status == .enabled, let stored = connection.userConnection else { return }
    let form = ConfigurationForm(connection, stored)
    features = stored.features.indices.compactMap { DesiredFeature(at: $0, in: form) }
    // A sort of equal ids must keep IFTTT's order, by which their user features are matched.
    features = features.sorted(by: \.feature)
  }

  package var json: JSONValue {
    var object: JSONObject = ["id": .string(id.description)]
    object["name"] = name.map(JSONValue.string)
    object["status"] = status.map { .string($0.rawValue) }
    if isPending { object["pending"] = true }
    // IFTTT sends no configuration for a connection that is not enabled.
    if status == .enabled || !features.isEmpty { object["features"] = .array(features.map(\.json)) }
    return .object(object)
  }
}

extension DesiredFeature {
  /// Nil for a user feature without a feature id, which only its own id identifies.
  fileprivate init?(at index: Int, in form: ConfigurationForm) {
    let stored = form.configuration.features[index]
    guard let id = stored.featureID else { return nil }
    self.init(feature: id, title: form.connection.feature(id)?.title, isEnabled: stored.isEnabled)
    fields = form.entries.filter { $0.location.instance == index }.compactMap { entry in
      FileValue(entry.value).map { (name: entry.name, value: $0.json) }
    }.sorted(by: \.name)
  }

  fileprivate var json: JSONValue {
    var object: JSONObject = ["feature": .string(feature)]
    object["title"] = title.map(JSONValue.string)
    object["enabled"] = isEnabled.map(JSONValue.bool)
    object["fields"] = .object(JSONObject(members: fields.map { (key: $0.name, value: $0.value) }))
    return .object(object)
  }
}

/// A field's value as a file shows it: an option by its value, checkboxes as a list of values, and everything else as
/// IFTTT sends it.
struct FileValue: Sendable, Equatable {
  let json: JSONValue

  /// Nil if there is no value.
  init?(_ value: JSONValue) {
    switch FieldValue(value) {
    case nil: return nil
    case .text(let text): json = .string(text)
    case .option(let option): json = .string(option.value)
    case .options(let options):
      // IFTTT may send them in any order.
      json = .array(options.map(\.value).sorted().map(JSONValue.string))
    case .location(let location): json = location.json
    case .other(let other): json = other
    }
  }

  /// Whether a value in a file is equivalent to a stored value. A dropdown's option may be given by its label, and
  /// checkboxes in any order.
  static func isSame(_ wanted: JSONValue, asStored stored: JSONValue) -> Bool {
    if FieldValue.isNothing(wanted) || FieldValue.isNothing(stored) {
      return FieldValue.isNothing(wanted) && FieldValue.isNothing(stored)
    }
    switch (FieldValue(stored), wanted) {
    case (.option(let option), .string(let word)): return word == option.value || word == option.label
    case (.options(let options), .array(let elements)):
      let named = elements.map { element in
        let word = element.string ?? element["value"]?.string
        return (options.first { $0.value == word } ?? options.first { $0.label == word })?.value
      }
      return Set(named) == Set(options.map(\.value))
    default: return FieldValue.isSame(wanted, stored)
    }
  }
}
