import Arguments
import Commands
import HTTP
import Listener
import Support
import Testing
import World

/// One user's machine for one test: a folder for the store, an environment, and a clock that stands still between commands.
final class Home {
  let folder: TemporaryFolder
  var environment: [String: String] = [:]
  var terminal = Terminal.none
  var now = Timestamp(milliseconds: 1_790_000_000_000)
  /// Nothing that a command prints may hold one of these, unless the test says so.
  var secrets = Home.sandboxSecrets
  /// What the last command left behind, for tests that look at more than text.
  private(set) var last: TestWorld?
  /// Makes a command's world fail or stop in its own way.
  var prepare: (TestWorld) -> Void = { _ in }
  /// Changes what a command's world says of itself.
  var adapt: (inout World) -> Void = { _ in }
  /// What serves on this machine, where a command does.
  var listener: (any LoopbackListener)?
  /// The provider plugins there are.
  var providers: [InstalledProvider] = []
  private var seed: UInt64 = 1

  init(_ folder: TemporaryFolder = TemporaryFolder()) { self.folder = folder }

  static let sandboxSecrets = [
    "sandbox-key-lampost-7hQ2xV9mTz4LcB1n", "Zq8v_T2mLr-5YpWc0NdXs7KhGb3JtE9uFa6RiOxQ1lDyVwBk", "at_7f20c1",
    "lantern-4417",
  ]

  struct Outcome {
    let output: String
    let errors: String
    let exit: ExitCode

    var lines: [String] { output.split(separator: "\n").map(String.init) }
    var notes: [String] { errors.split(separator: "\n").map(String.init) }
  }

  /// Runs a command line, written as in a shell.
  ///
  /// - Parameters:
  ///   - answers: what IFTTT answers, one a request. A request that finds none fails the test, and so does an answer that is
  ///     left over.
  ///   - reveals: whether the output may hold a secret.
  @discardableResult
  func run(
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
      listener: listener.map { listener in { listener } }, providers: providers.isEmpty ? nil : { [providers] in providers })
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
  func sandbox(
    _ line: String, input: ScriptedInput? = nil, reveals: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Outcome {
    run("--profile sandbox \(line)", input: input, reveals: reveals, sourceLocation: sourceLocation)
  }

  func wait(_ duration: Duration) { now = now - (.zero - duration) }
}
