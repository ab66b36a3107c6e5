import AppletCommands
import Arguments
import Batch
import CommandContext
import JSON
import Pages

/// A JSON Schema that `ifttt schema` prints.
struct SchemaDocument {
  let name: String
  /// A description of what it applies to, for the list of names.
  let summary: String
  let schema: () -> JSONValue

  /// One schema for each command that prints JSON, named after it, followed by those that belong to no command.
  static var all: [SchemaDocument] {
    commands(below: .group(Root.group), []) + [
      SchemaDocument(name: "connection", summary: "one connection") {
        OutputSchema.connection.record.document(named: "connection", .one)
      },
      SchemaDocument(name: "applet", summary: "one Applet") {
        OutputSchema.applets.record.document(named: "applet", .one)
      },
      SchemaDocument(name: "dry-run", summary: "the output of --dry-run") {
        OutputSchema.requests.record.document(named: "dry-run", .many)
      },
      SchemaDocument(name: "error", summary: "an error on stderr") { Problem.schema },
      SchemaDocument(name: "help", summary: "the output of 'help --json'") { .written(HelpSchema.text) },
    ]
  }

  private static func commands(below node: Node, _ path: [String]) -> [SchemaDocument] {
    switch node {
    case .group(let group): return group.children().flatMap { commands(below: $0, path + [$0.name]) }
    case .command(let command):
      guard let shape = command.facts() else { return [] }
      let name = path.joined(separator: "-")
      return [
        SchemaDocument(name: name, summary: "the output of '\(path.joined(separator: " "))'") {
          shape.record.document(named: name, shape.form)
        }
      ]
    }
  }
}

extension Problem {
  static var schema: JSONValue {
    let detail = RecordSchema(["parameter": .optionalString, "message": .optionalString])
    let error = RecordSchema([
      "code": .word(Code.allCases.map(\.rawValue)), "message": .string, "hint": .optionalString,
      "status": .optionalInt, "details": .records(detail), "exit_code": .int, "request_id": .optionalString,
      "attempts": .optionalInt, "retry_after": .optionalInt,
    ])
    var document = RecordSchema(["error": .record(error)]).document(named: "error", .one).object ?? [:]
    // A plugin may add its own members to these.
    var properties = document["properties"]?.object ?? [:]
    var members = properties["error"]?.object ?? [:]
    members["additionalProperties"] = true
    properties["error"] = .object(members)
    document["properties"] = .object(properties)
    return .object(document)
  }
}
