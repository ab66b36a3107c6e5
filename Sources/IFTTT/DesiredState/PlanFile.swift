package import JSON

/// Changes to review before they are made: the file that `connections diff --plan-out` writes and
/// `connections apply --plan` executes.
package struct PlanFile: Sendable, Equatable {
  package static let version = 1

  /// The change of one connection.
  package struct Entry: Sendable, Equatable {
    package var wanted: DesiredConnection
    /// The state that the plan was made from.
    package var present: RecordedState
    /// Whether it was pending; nil in a plan of an earlier version.
    package var isPending: Bool?
    /// The differences, as in the rows of `connections diff`.
    package var changes: JSONValue
  }

  package var allowsRemoval: Bool
  package var entries: [Entry]

  package init(allowsRemoval: Bool, entries: [Entry]) { (self.allowsRemoval, self.entries) = (allowsRemoval, entries) }

  package var json: JSONValue {
    [
      "version": JSONValue(Self.version), "allow_removal": .bool(allowsRemoval),
      "connections": .array(
        entries.map { entry in
          var present = entry.present.json.object ?? JSONObject()
          present["pending"] = entry.isPending.map(JSONValue.bool)
          return ["wanted": entry.wanted.json, "present": .object(present), "changes": entry.changes]
        }),
    ]
  }

  /// - Throws: ``DocumentError``.
  package init(parsing bytes: [UInt8]) throws(DocumentError) {
    var entries: [Entry] = []
    let (reader, list) = try StrictObject.reading(bytes, list: "connections") {
      reader throws(DocumentError) in entries.append(try Entry(reader))
    }
    try reader.allow(["$schema", "version", "allow_removal", "connections"])
    try reader.checkVersion(Self.version)
    guard let allowsRemoval = try reader.flag("allow_removal") else {
      throw reader.error("it is missing", at: "allow_removal")
    }
    try list.get()
    self.init(allowsRemoval: allowsRemoval, entries: entries)
    try DesiredConnections(entries.lazy.map(\.wanted)).checkUnique()
  }
}

extension PlanFile.Entry {
  /// Nil for a plan that changes nothing, or an undo, which has no entry of a file.
  package init?(_ plan: ConnectionPlan) {
    guard !plan.isEmpty, case .entry(let wanted) = plan.target else { return nil }
    self.init(
      wanted: wanted, present: RecordedState(plan.present), isPending: plan.present.isPending, changes: plan.changes)
  }

  fileprivate init(_ reader: StrictObject) throws(DocumentError) {
    try reader.allow(["wanted", "present", "changes"])
    guard let wanted = reader["wanted"] else { throw reader.error("it is missing", at: "wanted") }
    guard let present = reader["present"].flatMap(RecordedState.init) else {
      throw reader.error("it is not the state of a connection", at: "present")
    }
    self.init(
      wanted: try DesiredConnection(document: wanted, at: "\(reader.path).wanted"), present: present,
      isPending: reader["present"]?["pending"]?.bool, changes: reader["changes"] ?? .null)
  }

  /// Whether a plan from the present state equals this entry.
  package func isSame(as plan: ConnectionPlan) -> Bool {
    RecordedState(plan.present).json == present.json && plan.changes == changes
      && (isPending ?? plan.present.isPending) == plan.present.isPending
  }
}

extension ConnectionPlan {
  /// The differences in the form of a plan's file.
  fileprivate var changes: JSONValue {
    .array(
      differences.map {
        [
          "field": JSONValue($0.field), "change": .string($0.change.rawValue), "wanted": $0.wanted,
          "present": $0.present,
        ]
      })
  }
}

/// The JSON Schema (2020-12) of a plan.
package enum PlanFileSchema {
  package static let document = """
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "A plan for connections",
      "description": "The file of 'connections diff --plan-out' and 'connections apply --plan': only connections that change.",
      "type": "object",
      "properties": {
        "$schema": { "type": "string", "description": "For editors; ignored" },
        "version": { "const": 1 },
        "allow_removal": { "type": "boolean", "description": "Whether settings may be removed" },
        "connections": { "type": "array", "items": { "$ref": "#/$defs/connection" } }
      },
      "required": ["version", "allow_removal", "connections"],
      "additionalProperties": false,
      "$defs": {
        "connection": {
          "type": "object",
          "properties": {
            "wanted": { "type": "object", "description": "The entry of the file, as in the schema 'connections-file'" },
            "present": {
              "type": "object",
              "description": "The state that the plan was made from",
              "properties": {
                "status": { "enum": ["enabled", "disabled", "never_enabled", "unknown"] },
                "configuration": { "type": ["object", "null"], "description": "As in the output of 'connections show'" },
                "pending": { "type": "boolean", "description": "Whether its configuration was skipped" }
              },
              "required": ["status", "configuration"]
            },
            "changes": {
              "type": "array",
              "description": "The differences, as in the output of 'connections diff'",
              "items": {
                "type": "object",
                "properties": {
                  "field": { "type": ["string", "null"] },
                  "change": { "enum": ["added", "changed", "removed", "enabled", "disabled"] },
                  "wanted": true,
                  "present": true
                },
                "required": ["field", "change", "wanted", "present"]
              }
            }
          },
          "required": ["wanted", "present", "changes"],
          "additionalProperties": false
        }
      }
    }
    """
}
