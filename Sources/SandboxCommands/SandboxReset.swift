import Arguments
import CommandContext
import Display
import HTTP
import JSON
import Store
import World

extension OutputSchema {
  static var sandboxReset: OutputSchema {
    OutputSchema(
      name: "sandbox-reset", record: RecordSchema(["url": .optionalString, "reset": .bool]),
      columns: [Column("URL", "url", overflow: .keep), Column("RESET", "reset")], form: .one)
  }
}

enum SandboxReset: Command {
  static let name = "reset"
  static let summary = "Reset the running server, or the sandbox profile"
  static var discussion: [String] {
    [
      """
      Reverts every change that clients made, voids exchanged tokens, clears all injected faults and discards the recorded \
      requests.
      """,
      """
      With --profile sandbox, and without --url, resets the sandbox profile instead: the emulator's state, and the \
      credentials, tracked connections and cached data of the profile. In this case, 'url' is null.
      """,
    ]
  }
  static var flags: [Flag<ServerChoice>] { ServerChoice.flags }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("sandbox reset", "before each test"),
      ExampleSchema("--profile sandbox sandbox reset", "the emulator inside the program"),
    ]
  }
  static var shape: OutputSchema? { .sandboxReset }
  static func defaults() -> ServerChoice { ServerChoice() }

  static func run(_ options: ServerChoice, in session: Session) throws -> Output {
    if options.url == nil, try session.profileName.isSandbox {
      if session.options.isDryRun { return session.dryRun(change: "Would reset the sandbox profile.") }
      try session.storage.resetSandboxProfile()
      let row: JSONValue = ["url": nil, "reset": true]
      return .one(row.bytes, as: .sandboxReset)
    }
    if session.options.isDryRun { return session.dryRun(change: "Would reset the sandbox server.") }
    let control = try ServerControl(options, in: session)
    _ = try control.ask(.post, "/reset")
    let row: JSONValue = ["url": .string(control.server.url), "reset": true]
    return .one(row.bytes, as: .sandboxReset)
  }
}
