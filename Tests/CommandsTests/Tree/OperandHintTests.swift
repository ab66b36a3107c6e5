import CommandLine
import ProgramDriver
import Support
import Testing

@testable import Commands
@testable import Session

/// Errors in operands name what is wrong or missing, for every command.
@Suite struct OperandHintTests {
  private func errors(_ line: String) -> String { Home().run(line).errors }
  private func firstLine(_ line: String) -> String { errors(line).split(separator: "\n").first.map(String.init) ?? "" }

  // MARK: A dash in place of an id

  /// The commands with an argument that identifies something.
  private static func identifying(_ schema: CommandSchema, _ path: [String] = []) -> [(
    path: [String], command: CommandSchema
  )] {
    let own = schema.arguments.first.map { argument in
      switch argument.value.completion {
      case .dynamic: true
      case .none: argument.value.placeholder.hasSuffix("ID")
      default: false
      }
    }
    return (own == true ? [(path, schema)] : [])
      + schema.subcommands.flatMap { identifying($0, path + [$0.name]) }
  }

  @Test func aDashIsNotAnIdButStdin() throws {
    let commands = Self.identifying(Root.tree.ownSchema)
    #expect(commands.count > 25)
    for (path, command) in commands {
      let rest = command.arguments.dropFirst().filter(\.isRequired).map { _ in "x" }
      let line = (path + ["-"] + rest).joined(separator: " ")
      let run = Home().run(line, input: .text(""))
      let hasInput = command.options.contains { $0.name == "stdin" }
      if hasInput, command.arguments[0].isRepeatable, !command.arguments[0].isRequired {
        let other = Home().run((path + ["--stdin"] + rest).joined(separator: " "), input: .text(""))
        #expect(run.exit == other.exit && run.errors == other.errors && run.output == other.output, "\(line)")
        let both = Home().run(line + " aa")
        #expect(both.exit == .usage && both.errors.contains("pass either ids or"), "\(both.errors)")
        continue
      }
      #expect(run.exit == .usage, "\(line): \(run.errors)")
      #expect(
        run.errors.contains("invalid value '-' for '\(command.arguments[0].value.placeholder)'"),
        "\(line): \(run.errors)")
    }
  }

  @Test func aDashReadsIdsFromStdin() {
    let run = SandboxHome().run(
      "connections show - -o tsv --no-header --fields id", input: "Kd7Rn2Qx\nXe2Gf9Ln\n")
    #expect(run.output == "Kd7Rn2Qx\nXe2Gf9Ln\n", "\(run.errors)")
  }

  // MARK: Unknown options

  @Test(arguments: [
    "api /v2/me --tmpl .x", "api --tmpl .x /v2/me", "api .x /v2/me --tmpl", "token exchange more --tmpl x",
  ])
  func anUnknownOptionComesBeforeItsValue(_ line: String) {
    #expect(firstLine(line) == "ifttt: unknown option '--tmpl'")
  }

  @Test func anInvalidValueOfAKnownOptionStillComesFirst() {
    #expect(firstLine("--max-age lots api /v2/me --tmpl .x").contains("invalid value 'lots'"))
  }

  @Test func waitSuggestsItsCondition() {
    let errors = errors("connections wait Kd7Rn2Qx --status enabled")
    #expect(errors.contains("Did you mean 'ifttt connections wait Kd7Rn2Qx --for status=enabled'?"), "\(errors)")
    #expect(!self.errors("connections open Kd7Rn2Qx --status enabled").contains("--for"))
  }

  @Test func aTopicAsAnOptionIsNotASecret() {
    let errors = errors("help --exit-codes")
    #expect(!errors.contains("secret"))
    #expect(errors.contains("'ifttt help exit-codes'"))
  }

  // MARK: Missing arguments

  @Test func theMissingArgumentIsNamed() {
    #expect(firstLine("location report enter") == "ifttt: missing argument REGION")
    #expect(firstLine("location report home-1") == "ifttt: missing argument EVENT")
  }

  // MARK: Pages

  @Test(arguments: ["help ifttt connections add", "help ifttt", "man ifttt connections add", "man ifttt", "help help"])
  func aPageIsFoundByTheWholeCommandLine(_ line: String) {
    let run = Home().run(line)
    #expect(run.exit == .success, "\(run.errors)")
    #expect(run.output == Home().run(line.replacing(" ifttt", with: "")).output)
  }

  @Test func anUnknownPageIsStillAnError() { #expect(Home().run("help ifttt nothing").exit == .usage) }

  // MARK: Closed sets of values

  @Test(arguments: [
    "connections list --offline -o JSON", "connections list --offline --status ENABLED", "completion BASH",
    "--color Never connections list --offline",
  ])
  func theCaseOfAClosedSetIsIgnored(_ line: String) {
    let run = Home().run(line)
    #expect(run.exit == .success, "\(run.errors)")
    #expect(run.output == Home().run(line.lowercased()).output)
  }
}
