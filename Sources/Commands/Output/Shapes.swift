import JSON
import Pages

/// Every JSON output and the command that prints it.
enum Shapes {
  /// What a command prints, looked up without building the tree: completion asks for it at every TAB.
  private struct Entry {
    let command: String
    let shape: () -> Shape
    /// Whether one thing asked for by name gives one object, and several an array.
    var isSingleForOne = false
  }

  /// In the order of the tree.
  private static var entries: [Entry] {
    [
      Entry(command: "connections list") { .connections },
      Entry(command: "connections show", shape: { .connections }, isSingleForOne: true),
      Entry(command: "connections add") { .tracking },
      Entry(command: "connections remove") { .tracking },
      Entry(command: "connections enable") { .changes },
      Entry(command: "connections disable") { .changes },
      Entry(command: "connections wait", shape: { .connections }, isSingleForOne: true),
      Entry(command: "connections watch") { .connectionEvents },
      Entry(command: "connections open") { .openedPage },
      Entry(command: "applets fetch", shape: { .applets }, isSingleForOne: true),
      Entry(command: "applets enable") { .changes },
      Entry(command: "applets disable") { .changes },
      Entry(command: "token exchange") { .exchange },
      Entry(command: "token list") { .tokens },
      Entry(command: "token show") { .tokens.single },
      Entry(command: "token set") { .tokens.single },
      Entry(command: "token verify") { .identity },
      Entry(command: "profile list") { .profiles },
      Entry(command: "profile create") { .profiles.single },
      Entry(command: "profile show") { .profiles.single },
      Entry(command: "store info") { .storeFacts },
      Entry(command: "store check") { .storeFindings },
      Entry(command: "doctor") { .doctor },
      Entry(command: "schema") { .schemas },
      Entry(command: "version") { .version },
    ]
  }

  /// The shape of what a command prints; nil for one that prints none.
  static func of(command path: [String]) -> Shape? {
    let command = path.joined(separator: " ")
    return entries.first { $0.command == command }?.shape()
  }

  struct Document {
    let name: String
    /// What it describes, for the list of names.
    let summary: String
    let schema: () -> JSONValue
  }

  /// Every schema that `ifttt schema` prints: one a command, named after it, then those that belong to no command.
  static var documents: [Document] {
    let commands = entries.map { entry in
      let name = entry.command.split(separator: " ").joined(separator: "-")
      return Document(name: name, summary: "what '\(entry.command)' prints") {
        let shape = entry.shape()
        let form: RecordSchema.Form = entry.isSingleForOne ? .oneOrMany : shape.isSingle ? .one : .many
        return shape.record.document(named: name, form)
      }
    }
    return commands + [
      Document(name: "connection", summary: "one connection") { connectionSchema },
      Document(name: "applet", summary: "one Applet") { appletSchema },
      Document(name: "dry-run", summary: "what --dry-run prints") { requestsSchema },
      Document(name: "error", summary: "the line on standard error") { Problem.schema },
      Document(name: "help", summary: "what 'help --json' prints") { .written(HelpSchema.text) },
    ]
  }

  private static var connectionSchema: JSONValue { Shape.connection.record.document(named: "connection", .one) }
  private static var appletSchema: JSONValue { Shape.applets.record.document(named: "applet", .one) }
  private static var requestsSchema: JSONValue { Shape.requests.record.document(named: "dry-run", .many) }
}

extension Problem {
  static var schema: JSONValue {
    let detail = RecordSchema(["parameter": .optionalString, "message": .optionalString])
    let error = RecordSchema([
      "code": .word(Code.allCases.map(\.rawValue)), "message": .string, "hint": .optionalString,
      "status": .optionalInt, "details": .records(detail),
    ])
    return RecordSchema(["error": .record(error)]).document(named: "error", .one)
  }
}
