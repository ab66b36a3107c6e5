import ProgramDriver
import Support
import Testing

@testable import Session

/// The output of invalid command lines, for people and for scripts.
@Suite struct TreeUsageErrorTests {
  private static let mistakes: [(line: String, environment: [String: String])] = [
    ("connections list --stauts enabled", [:]),
    ("conections", [:]),
    ("connections lsit", [:]),
    ("connections list --output jsn", [:]),
    ("connections list", ["IFTTT_OUTPUT": "x"]),
    ("connections show", [:]),
    ("connections list extra", [:]),
    ("connections list --status", [:]),
    ("connections list --quiet=yes", [:]),
    ("connections list --status enabeld", [:]),
    ("connections list --max-age 5w", [:]),
    ("connections list --jobs 0", [:]),
    ("connections list --fields id,nam", [:]),
    ("connections list --fields services.nam", [:]),
    ("token exchange --fields tok", [:]),
    ("connections list --fields id,,name", [:]),
    ("connections show a/b", [:]),
    ("connections show a b --raw", [:]),
    ("api GTE /v2/me", [:]),
    ("completion tcsh", [:]),
    ("help conections list", [:]),
    ("token show --revael", [:]),
    ("--profile no/name connections list", [:]),
    ("connections list -qx", [:]),
  ]

  @Test func usageErrorsEqualTheRecordedOnes() throws {
    var session = ""
    for mistake in Self.mistakes {
      let home = SandboxHome()
      let run = home.run(mistake.line, environment: mistake.environment)
      #expect(home.folder.names == [], "the run changed something: \(mistake.line)")
      #expect(run.code == .usage, "\(mistake.line)")
      #expect(run.output == "", "\(mistake.line)")
      let variables = mistake.environment.map { "\($0)=\($1) " }.joined()
      session += "$ \(variables)ifttt \(mistake.line)\n\(run.errors)\n"
    }
    #expect(try Golden.difference(session, from: "usage-errors.txt") == nil)
  }

  /// JSON output, however it is requested, has errors of one line.
  @Test(arguments: ["--json", "-o json", "-ojsonl", "--output=json", nil]) func usageErrorsAreOneLineOfJSON(
    option: String?
  ) throws {
    let schema = SandboxHome().run("schema error").output
    var lines: [String] = []
    for mistake in Self.mistakes where option == nil || !mistake.line.contains("--output") {
      guard mistake.environment.isEmpty else { continue }
      let environment = option == nil ? ["IFTTT_OUTPUT": "json"] : [:]
      // The option before and after the mistake.
      for line in Set([option.map { "\($0) \(mistake.line)" }, option.map { "\(mistake.line) \($0)" } ?? mistake.line])
      {
        guard let line, !line.hasSuffix("--status \(option ?? "-")") else { continue }
        let run = SandboxHome().run(line, environment: environment)
        #expect(run.code == .usage, "\(line)")
        #expect(run.errors.hasSuffix("}\n") && !run.errors.dropLast().contains("\n"), "\(line): \(run.errors)")
        lines.append(run.errors)
      }
    }
    #expect(lines.count >= 20)
    #expect(try JSONSchemaValidator.problems(of: lines, against: schema) == [])
  }
}
