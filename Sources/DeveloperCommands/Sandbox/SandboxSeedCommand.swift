import CommandLine
import IFTTT
import JSON
import Sandbox
import Session
import Text
import World

enum SandboxSeedCommand: Command {
  struct Options: Sendable { var definition: String? }

  static let name = "seed"
  static let summary = "Print the sandbox's fixtures as a file to edit"
  static var discussion: [String] {
    [
      "Edit the output and pass it to 'ifttt sandbox start --seed FILE'. ifttt-sandbox(7) describes the format.",
      """
      With --definition, prints fixtures for the service in a service definition: one connection for each trigger, with \
      one feature for each action. The first feature also has the queries. Nothing is enabled at first. \
      'schema service-definition' prints the schema of the file.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [.value("definition", .file, into: \.definition, help: "Make the fixtures from this service definition")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("sandbox seed", "print fixtures to edit"),
      ExampleSchema("sandbox seed --definition definition.json", "print fixtures for your own service"),
    ]
  }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let seed = try options.definition.map { try defined(in: $0, session) } ?? SandboxSeed.builtIn.json
    // The seed is a file to edit, so it is indented in a pipe too. The terminal's layout also escapes control
    // characters.
    if session.world.terminal.outputIsTerminal { return Output(body: .document(seed.bytes)) }
    return Output.bytes(seed.indented)
  }

  private static func defined(in path: String, _ session: Session) throws -> JSONValue {
    let bytes = try session.console.contents(of: path, for: "--definition", limit: SandboxSeed.sizeLimit)
    var reason: String
    do throws(ServiceDefinitionError) {
      let json = DefinedSeed(try ServiceDefinition(parsing: bytes)).json
      // An id that a seed cannot have is reported here, and not when the seed is used.
      do throws(SeedError) {
        _ = try SandboxSeed(parsing: json.bytes)
        return json
      } catch { reason = "its seed would be rejected: \(error)" }
    } catch { reason = error.description }
    throw Problem(
      .refused, "'\(path)' is not a service definition", reason: reason,
      hint: "Compare it with the output of \(ifttt: "schema service-definition").")
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
