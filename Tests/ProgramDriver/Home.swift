import Arguments
package import CommandContext
import Commands
import HTTP
package import Listener
package import PluginHost
package import Support
package import Testing
package import Time
package import World

/// One user's machine for one test: a folder for the store, an environment, and a clock that stands still between commands.
package final class Home {
  package let folder: TemporaryFolder
  package var environment: [String: String] = [:]
  package var terminal = Terminal.none
  package var now = Timestamp(milliseconds: 1_790_000_000_000)
  /// Nothing that a command prints may hold one of these, unless the test says so.
  package var secrets = Home.sandboxSecrets
  /// What the last command left behind, for tests that look at more than text.
  package private(set) var last: TestWorld?
  /// Makes a command's world fail or stop in its own way.
  package var prepare: (TestWorld) -> Void = { _ in }
  /// Changes what a command's world says of itself.
  package var adapt: (inout World) -> Void = { _ in }
  /// What serves on this machine, where a command does.
  package var listener: (any LoopbackListener)?
  /// The provider plugins there are.
  package var providers: [InstalledProvider] = []
  private var seed: UInt64 = 1

  package init(_ folder: TemporaryFolder = TemporaryFolder()) { self.folder = folder }

  package static let sandboxSecrets = [
    "sandbox-key-lampost-7hQ2xV9mTz4LcB1n", "Zq8v_T2mLr-5YpWc0NdXs7KhGb3JtE9uFa6RiOxQ1lDyVwBk", "at_7f20c1",
    "lantern-4417",
  ]

  package struct Outcome {
    package let output: String
    package let errors: String
    package let exit: ExitCode

    package var lines: [String] { output.split(separator: "\n").map(String.init) }
    package var notes: [String] { errors.split(separator: "\n").map(String.init) }
  }

  /// Runs a command line, written as in a shell.
  ///
  /// - Parameters:
  ///   - answers: what IFTTT answers, one a request. A request that finds none fails the test, and so does an answer that is
  ///     left over.
  ///   - reveals: whether the output may hold a secret.
  @discardableResult
  package func run(
    _ line: String, input: ScriptedInput? = nil, answers: Server? = nil, reveals: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Outcome {
    seed += 1
    let test = TestWorld(
      environment: environment, now: now, input: input, terminal: terminal, folder: folder, seed: seed,
      programs: nil, sourceLocation: sourceLocation)
    prepare(test)
    last = test
    var world = test.world
    adapt(&world)
    let listener = listener
    let exit = Program.run(
      ShellWords.split(line) ?? [], world: world, transport: { (answers ?? Server()).transport(clock: $0.clock) },
      listener: listener.map { listener in { listener } },
      providers: providers.isEmpty ? nil : ProviderSource(providers))
    now = test.clock.now()
    let outcome = Outcome(output: test.output.text, errors: test.errors.text, exit: exit)
    for secret in secrets where !reveals {
      #expect(!outcome.output.contains(secret), "the output holds a secret", sourceLocation: sourceLocation)
      #expect(!outcome.errors.contains(secret), "standard error holds a secret", sourceLocation: sourceLocation)
    }
    return outcome
  }

  /// The same on the built-in sandbox.
  @discardableResult
  package func sandbox(
    _ line: String, input: ScriptedInput? = nil, reveals: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Outcome {
    run("--profile sandbox \(line)", input: input, reveals: reveals, sourceLocation: sourceLocation)
  }

  package func wait(_ duration: Duration) { now = now - (.zero - duration) }
}

extension Home {
  /// A home that tracks the ids, each fetched a moment ago.
  package static func tracking(_ ids: String...) -> Home {
    let home = Home()
    home.environment["IFTTT_USER_TOKEN"] = "token-of-the-tests-0123456789"
    home.secrets.append("token-of-the-tests-0123456789")
    let server = ids.reduce(Server()) { $0.answering(200, Server.connection($1)) }
    let added = home.run("connections add \(ids.joined(separator: " "))", answers: server)
    #expect(added.exit == .success)
    #expect(added.errors == "")
    return home
  }
}
