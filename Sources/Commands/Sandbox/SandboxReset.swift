import Arguments
import Display
import HTTP
import JSON

extension Shape {
  static var sandboxReset: Shape {
    Shape(
      name: "sandbox-reset", record: RecordSchema(["url": .string, "reset": .bool]),
      columns: [Column("URL", "url", overflow: .keep), Column("RESET", "reset")], form: .one)
  }
}

enum SandboxReset: Command {
  static let name = "reset"
  static let summary = "Take the running server back to its beginning"
  static var discussion: [String] {
    [
      "What clients changed is as it was, tokens that were exchanged are void, no fault strikes, no request is remembered."
    ]
  }
  static var flags: [Flag<ServerChoice>] { ServerChoice.flags }
  static var examples: [ExampleSchema] { [ExampleSchema("sandbox reset", "before each test")] }
  static var shape: Shape? { .sandboxReset }
  static func defaults() -> ServerChoice { ServerChoice() }

  static func run(_ options: ServerChoice, in session: Session) throws -> Output {
    if session.options.isDryRun { return session.dryRun(change: "Would reset the sandbox server.") }
    let control = try ServerControl(options, in: session)
    _ = try control.ask(.post, "/reset")
    let row: JSONValue = ["url": .string(control.server.url), "reset": true]
    return .one(row.bytes, as: .sandboxReset)
  }
}
