import Arguments
import CommandContext
import Hints
import JSON
import Sandbox
import World

enum SandboxSeedCommand: Command {
  struct Options: Sendable {}

  static let name = "seed"
  static let summary = "Print the sandbox's fixtures as a file to edit"
  static var discussion: [String] {
    ["Edit the output and pass it to 'ifttt sandbox start --seed FILE'. ifttt-sandbox(7) describes the format."]
  }
  static var examples: [ExampleSchema] { [ExampleSchema("sandbox seed", "print fixtures to edit")] }
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
    let bytes = try session.console.contents(of: path, for: "--seed", limit: sizeLimit)
    do throws(SeedError) { return try SandboxSeed(parsing: bytes) } catch {
      throw Problem(
        .refused, "'\(path)' is not a valid seed file", reason: error.description,
        hint: "Start from the output of \(ifttt: "sandbox seed"); see ifttt-sandbox(7).")
    }
  }
}
