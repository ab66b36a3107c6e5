import CommandLine
import HTTP
import Output
import JSON
import Sandbox
import Session
import Store
import Text
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
  struct Options: CommandOptions {
    var seed: SeedChoice?
    var server = ServerChoice()
  }

  static let name = "reset"
  static let summary = "Reset the running server, or the sandbox profile"
  static var discussion: [String] {
    [
      """
      Reverts every change that clients made, invalidates exchanged tokens, clears all injected faults and discards \
      the recorded requests.
      """,
      "With --seed, the server then has the contents of this seed, also after later resets.",
      """
      With --profile sandbox, and without --url, resets the sandbox profile instead: the emulator's state, and the \
      credentials, tracked connections and cached data of the profile. In this case, 'url' is null. The profile then \
      has the built-in seed that --seed names, or else the one in IFTTT_SANDBOX_SEED, or else 'plain'.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value(
        "seed", .seed, into: \.seed, help: "Load this built-in seed, 'plain' or 'unusual', or this seed file")
    ] + .lifted(ServerChoice.flags, into: \.server)
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("sandbox reset", "reset the server before each test"),
      ExampleSchema("sandbox reset --seed unusual", "replace the contents of the server"),
      ExampleSchema("--profile sandbox sandbox reset", "reset the sandbox profile"),
    ]
  }
  static var shape: OutputSchema? { .one(SandboxResetRow.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    if options.server.url == nil, try session.profileName.isSandbox {
      let seed = try options.seed?.ofProfile
      if session.options.isDryRun { return session.dryRun(change: "Would reset the sandbox profile.") }
      try session.storage.resetSandboxProfile(to: seed)
      return .one(SandboxResetRow(url: nil))
    }
    let seed = try options.seed?.contents(in: session).json
    if session.options.isDryRun {
      let load = seed == nil ? "" : " and load the seed"
      return session.dryRun(change: "Would reset the sandbox server\(load).")
    }
    let control = try ServerControl(options.server, in: session)
    _ = try seed.map { try control.send(.put, "/seed", body: $0) } ?? control.send(.post, "/reset")
    return .one(SandboxResetRow(url: control.server.url))
  }
}

extension SeedChoice {
  /// The seed for the sandbox profile.
  fileprivate var ofProfile: BuiltInSeed {
    get throws {
      if case .builtIn(let seed) = self { return seed }
      throw Problem(
        .usage, "a seed file is only for a running server", reason: "Profile 'sandbox' has one of the built-in seeds.",
        hint: "Name one: \(ifttt: "--profile sandbox sandbox reset --seed unusual"). Or name a server with --url.")
    }
  }
}
