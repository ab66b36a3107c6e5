package import JSON

/// The desired state of connections: what `connections export` writes, and `diff` and `apply` read.
package struct ConnectionsFile: Sendable, Equatable {
  package static let version = 1

  package var connections: DesiredConnections

  package init(connections: [DesiredConnection] = []) { self.connections = DesiredConnections(connections) }
}

/// The desired state of one connection. Whatever it does not name stays as it is.
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

/// The entries of a file, in its order. Each is held as JSON, which takes less memory than its values.
package struct DesiredConnections: RandomAccessCollection, Sendable, Equatable {
  package private(set) var ids: [ConnectionID] = []
  /// For each entry, its path in the file and its JSON as an array.
  private var bytes: [UInt8] = []
  /// Where the entries end in ``bytes``.
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

  /// Those whose ids fulfill a condition.
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
      "description": "The output of 'connections export', and the input of 'connections diff' and 'apply'. Whatever a file does not name stays as it is.",
      "type": "object",
      "properties": {
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
