import JSON
import Pages

/// Every JSON output and the command that prints it.
enum Shapes {
  /// The shape of what a command prints; nil for one that prints none.
  static func of(command path: [String]) -> Shape? {
    switch path.joined(separator: " ") {
    case "connections list": .connections
    case "connections show": .connection
    case "connections add", "connections remove": .tracking
    case "connections enable", "connections disable": .changes
    case "connections open": .openedPage
    case "applets fetch": .applets
    case "token exchange": .exchange
    case "token list": .tokens
    case "token show", "token set": .tokens.single
    case "token verify": .identity
    case "profile list": .profiles
    case "profile show", "profile create": .profiles.single
    case "store info": .storeFacts
    case "store check": .storeFindings
    case "schema": .schemas
    case "version": .version
    default: nil
    }
  }

  struct Document {
    let name: String
    /// What it describes, for the list of names.
    let summary: String
    let schema: JSONValue
  }

  /// Every schema that `ifttt schema` prints: one a command, named after it, then those that belong to no command.
  static var documents: [Document] {
    let tree = Root.schema
    let commands = CommandPlace(root: tree).subtree.compactMap { place -> Document? in
      guard let shape = of(command: place.path) else { return nil }
      let name = place.path.joined(separator: "-")
      return Document(
        name: name, summary: "what '\(place.path.joined(separator: " "))' prints",
        schema: shape.record.document(named: name, isArray: !shape.isSingle))
    }
    return commands + [
      document("connection", "one connection", .connection), document("applet", "one Applet", .applets.single),
      document("dry-run", "what --dry-run prints", .requests),
      Document(name: "error", summary: "the line on standard error", schema: Problem.schema),
      Document(
        name: "help", summary: "what 'help --json' prints",
        schema: (try? JSONValue(parsing: Array(HelpSchema.text.utf8))) ?? .null),
    ]
  }

  private static func document(_ name: String, _ summary: String, _ shape: Shape) -> Document {
    Document(name: name, summary: summary, schema: shape.record.document(named: name, isArray: !shape.isSingle))
  }
}

extension Problem {
  static var schema: JSONValue {
    let detail = RecordSchema(["parameter": .optionalString, "message": .optionalString])
    let error = RecordSchema([
      "code": .word(Code.allCases.map(\.rawValue)), "message": .string, "hint": .optionalString,
      "status": .optionalInt, "details": .records(detail),
    ])
    return RecordSchema(["error": .record(error)]).document(named: "error", isArray: false)
  }
}
