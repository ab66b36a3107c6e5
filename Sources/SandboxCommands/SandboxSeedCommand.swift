import Arguments
import CommandContext
import Hints
import JSON
import Sandbox
import World

enum SandboxSeedCommand: Command {
  struct Options: Sendable {}

  static let name = "seed"
  static let summary = "Print the sandbox's fixtures, as a file to change"
  static var discussion: [String] {
    ["Change what is printed and give it to 'ifttt sandbox start --seed FILE'. The format is in ifttt-sandbox(7)."]
  }
  static var examples: [ExampleSchema] { [ExampleSchema("sandbox seed", "a file to change")] }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let seed = SandboxSeed.builtIn.json
    // The seed is a file to edit, so it is indented in a pipe too. The terminal's layout also escapes control
    // characters.
    if session.world.terminal.outputIsTerminal { return Output(body: .document(seed.bytes)) }
    return Output(body: .bytes(seed.indented))
  }
}

extension SandboxSeed {
  /// The seed in a user's file; the built-in one if no file is given.
  static func read(_ path: String?, in session: Session) throws -> SandboxSeed {
    guard let path else { return .builtIn }
    let bytes = try session.contents(of: path, for: "--seed", limit: sizeLimit)
    do throws(SeedError) { return try SandboxSeed(parsing: bytes) } catch {
      throw Problem(
        .refused, "'\(path)' is no world for the sandbox", reason: error.description,
        hint: "\(ifttt: "sandbox seed") prints one that is; see ifttt-sandbox(7).")
    }
  }
}
