import CommandLine
import HTTP
import Output
import Session
import Store
import World

private struct SandboxResetRow: OutputRecord {
  /// Nil for the sandbox profile.
  let url: String?

  var card: Card? {
    Card(items: (url.map { [.line(label: "URL", value: $0)] } ?? []) + [.line(label: "RESET", value: "true")])
  }

  static let fields: Fields = [
    Field("url", "The base URL of the server; null for the sandbox profile", column: "URL") { $0.url },
    Field("reset", "Always true", column: "RESET") { _ in true },
  ]
}

enum SandboxReset: Command {
  static let name = "reset"
  static let summary = "Reset the running server, or the sandbox profile"
  static var discussion: [String] {
    [
      """
      Reverts every change that clients made, invalidates exchanged tokens, clears all injected faults and discards \
      the recorded requests.
      """,
      """
      With --profile sandbox, and without --url, resets the sandbox profile instead: the emulator's state, and the \
      credentials, tracked connections and cached data of the profile. In this case, 'url' is null. The profile then \
      has the seed in IFTTT_SANDBOX_SEED, or else 'plain'.
      """,
    ]
  }
  static var flags: [Flag<ServerChoice>] { ServerChoice.flags }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("sandbox reset", "reset the server before each test"),
      ExampleSchema("--profile sandbox sandbox reset", "reset the sandbox profile"),
    ]
  }
  static var shape: OutputSchema? { .one(SandboxResetRow.self) }

  static func run(_ options: ServerChoice, in session: Session) throws -> Output {
    if options.url == nil, try session.profileName.isSandbox {
      if session.options.isDryRun { return session.dryRun(change: "Would reset the sandbox profile.") }
      try session.storage.resetSandboxProfile()
      return .one(SandboxResetRow(url: nil))
    }
    if session.options.isDryRun { return session.dryRun(change: "Would reset the sandbox server.") }
    let control = try ServerControl(options, in: session)
    _ = try control.send(.post, "/reset")
    return .one(SandboxResetRow(url: control.server.url))
  }
}
