import CommandLine
import Commands
package import HTTP
package import Plugins
package import Session
package import Support
package import Testing
package import World

/// One user's machine for one test: a folder for the store, an environment, and a clock that only advances during
/// commands.
package final class Home {
  package let folder: TemporaryFolder
  package var environment: [String: String] = [:]
  package var terminal = Terminal.none
  package var now = Timestamp(milliseconds: 1_790_000_000_000)
  /// The secrets that no command may print, unless the test allows it.
  package var secrets = Home.sandboxSecrets
  /// The world of the last command, for tests that check more than text.
  package private(set) var last: TestWorld?
  /// A closure that prepares each command's test world, for example to make it fail.
  package var prepare: (TestWorld) -> Void = { _ in }
  /// A closure that modifies each command's world.
  package var adapt: (inout World) -> Void = { _ in }
  /// The listener on this machine, if commands need one.
  package var listener: (any LoopbackListener)?
  /// The results of programs that commands run and wait for; nil if none are expected.
  package var programs: (([String], [UInt8]) throws(SystemError) -> ProcessResult)?
  /// Makes the transport of a command without scripted responses; nil if such a command must not send anything.
  package var network: ((_ clock: any Clock) -> any Transport)?
  /// The installed provider plugins.
  package var providers: [InstalledProvider] = []
  private var seed: UInt64 = 1

  package init(_ folder: TemporaryFolder = TemporaryFolder()) { self.folder = folder }

  package static let sandboxSecrets = [
    "sandbox-key-lampost-7hQ2xV9mTz4LcB1n", "Zq8v_T2mLr-5YpWc0NdXs7KhGb3JtE9uFa6RiOxQ1lDyVwBk", "at_7f20c1",
    "lantern-4417", "sandbox-webhooks-Jd4Rt8Xw2Mn6PqKv9Yb3",
  ]

  package struct Outcome {
    package let output: String
    package let errors: String
    package let exit: ExitCode

    package var lines: [String] { output.split(separator: "\n").map(String.init) }
    package var notes: [String] { errors.split(separator: "\n").map(String.init) }
  }

  /// Run a command line, written as in a shell.
  ///
  /// - Parameters:
  ///   - answers: The responses of IFTTT, one per request. A request without a response fails the test, and so does an unused
  ///     response.
  ///   - reveals: Whether the output may contain a secret.
  @discardableResult
  package func run(
    _ line: String, input: ScriptedInput? = nil, answers: Server? = nil, reveals: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Outcome {
    seed += 1
    let test = TestWorld(
      environment: environment, now: now, input: input, terminal: terminal, folder: folder, seed: seed,
      programs: programs, sourceLocation: sourceLocation)
    prepare(test)
    last = test
    var world = test.world
    adapt(&world)
    let listener = listener
    let exit = Program.run(
      ShellWords.split(line) ?? [], world: world,
      transport: { [network] world in
        guard answers == nil, let network else { return (answers ?? Server()).transport(clock: world.clock) }
        return network(world.clock)
      },
      listener: listener.map { listener in { listener } },
      providers: providers.isEmpty ? nil : GivenProviders(providers))
    now = test.clock.now()
    let outcome = Outcome(output: test.output.text, errors: test.errors.text, exit: exit)
    for secret in secrets where !reveals {
      #expect(!outcome.output.contains(secret), "the output contains a secret", sourceLocation: sourceLocation)
      #expect(!outcome.errors.contains(secret), "stderr contains a secret", sourceLocation: sourceLocation)
    }
    return outcome
  }

  /// Run a command line on the built-in sandbox.
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
  /// A home that tracks these ids, each fetched a moment ago.
  package static func tracking(_ ids: String...) -> Home { tracking(ids) }

  package static func tracking(_ ids: [String]) -> Home {
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
