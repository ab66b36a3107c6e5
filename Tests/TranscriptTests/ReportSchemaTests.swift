import Foundation
import Support
import Testing

/// The reports of every command that has `--report`, as Jenkins and GitLab read them, and what the same runs add to a
/// job of GitHub Actions.
@Suite(.enabled(if: PartnerServer.isAvailable, "skipped: needs curl and python3"))
struct ReportSchemaTests {
  /// A run of a command in the sandbox, and the test cases in its report.
  struct Run: Sendable, CustomTestStringConvertible {
    let command: String
    let arguments: String
    let cases: [String]
    /// The error codes, separated by commas.
    var errors = ""
    /// Commands that run before it.
    var before: [String] = []
    var testDescription: String { "\(command) \(arguments)" }

    init(_ command: String, _ arguments: String, _ cases: [String], errors: String = "", after before: [String] = []) {
      (self.command, self.arguments, self.cases) = (command, arguments, cases)
      (self.errors, self.before) = (errors, before)
    }
  }

  static let runs = [
    Run("connections show", "Kd7Rn2Qx nope0000", ["success Kd7Rn2Qx", "failure nope0000"], errors: "not_found"),
    Run("connections show", "Kd7Rn2Qx", ["success Kd7Rn2Qx"]),
    Run("connections show", "Kd7Rn2Qx --users users.csv --as service", ["success u-5521", "success u-7304"]),
    Run("connections list", "--refresh", ["success Kd7Rn2Qx"], after: ["connections remove @others"]),
    Run("connections add", "Kd7Rn2Qx", ["success Kd7Rn2Qx"]),
    Run("connections enable", "Kd7Rn2Qx", ["success Kd7Rn2Qx"]),
    Run("connections disable", "Kd7Rn2Qx Rw9Ky4Hc", ["success Kd7Rn2Qx", "success Rw9Ky4Hc"]),
    Run(
      "connections disable", "Kd7Rn2Qx --users users.csv --yes", ["success u-5521", "success u-7304"],
      after: ["token exchange --users users.csv"]),
    Run("connections undo", "--yes", ["success Kd7Rn2Qx"], after: ["connections disable Kd7Rn2Qx"]),
    Run(
      "connections redo", "--yes", ["success Kd7Rn2Qx"],
      after: ["connections disable Kd7Rn2Qx", "connections undo --yes"]),
    Run(
      "connections wait", "Kd7Rn2Qx Rw9Ky4Hc --for status=disabled --timeout 0",
      ["success Rw9Ky4Hc", "failure Kd7Rn2Qx"], errors: "not_yet", after: ["connections disable Rw9Ky4Hc"]),
    Run(
      "connections diff", "wanted.json", ["failure Kd7Rn2Qx", "success Rw9Ky4Hc", "failure nope0000"],
      errors: "differs,not_found"),
    Run(
      "connections diff", "wanted.json --users users.csv --as service",
      [
        "failure u-5521 Kd7Rn2Qx", "success u-5521 Rw9Ky4Hc", "failure u-5521 nope0000", "success u-7304 Kd7Rn2Qx",
        "success u-7304 Rw9Ky4Hc", "failure u-7304 nope0000",
      ], errors: "differs,not_found"),
    Run(
      "connections apply", "wanted.json --yes", ["success Rw9Ky4Hc", "failure nope0000", "success Kd7Rn2Qx"],
      errors: "not_found"),
    Run("connections export", "Kd7Rn2Qx --users users.csv --as service", ["success u-5521", "success u-7304"]),
    Run("configure", "Kd7Rn2Qx --set note=Evening --yes", ["success Kd7Rn2Qx"]),
    Run("applets enable", "mB3xWq7T nope0000", ["success mB3xWq7T", "failure nope0000"], errors: "not_found"),
    Run("applets disable", "mB3xWq7T", ["success mB3xWq7T"]),
    Run("token exchange", "--users users.csv", ["success u-5521", "success u-7304"]),
    Run("service notify", "--user-id u-5521", ["success batch 1"]),
    Run("service test", "@server --only status,triggers/lamp_switched_on", []),
    Run("plugin test", "@plugin --check start,cancel", ["success start", "skipped cancel"]),
  ]

  /// The command with its reports, as in a job of GitHub Actions.
  @Test(arguments: runs) func theReportsAreValid(_ run: Run) throws {
    let home = Home(nil, ["IFTTT_PROFILE": "sandbox", "GITHUB_ACTIONS": "true"])
    home.environment["GITHUB_STEP_SUMMARY"] = home.workplace["summary.md"]
    home.environment["GITHUB_OUTPUT"] = home.workplace["output.txt"]
    home.workplace.write("users.csv", "user_id,access_token\nu-5521,at_7f20c1\nu-7304,at_c93e58\n")
    home.workplace.write(
      "wanted.json",
      #"{"version":1,"connections":[{"id":"Kd7Rn2Qx","status":"disabled"},{"id":"Rw9Ky4Hc"},{"id":"nope0000"}]}"#)
    var server: PartnerServer?
    for line in run.before { try perform(line, home) }
    var arguments = run.arguments
    if arguments.contains("@server") {
      let started = try PartnerServer()
      arguments = arguments.replacingOccurrences(of: "@server", with: started.url)
      home.environment["IFTTT_SERVICE_KEY"] = PartnerServer.serviceKey
      server = started
    }
    if arguments.contains("@plugin") {
      try perform("plugin new tides", home)
      arguments = arguments.replacingOccurrences(of: "@plugin", with: "ifttt-tides")
    }
    for name in ["summary.md", "output.txt"] { home.workplace.write(name, "") }
    let outcome = try home.run(
      "\(run.command) \(arguments) --jobs 1 --report junit=report.xml --report dotenv=counts.env".split(separator: " ")
        .map(String.init))
    withExtendedLifetime(server) {}
    let cases = try cases(of: run.command, in: home)
    if run.cases.isEmpty { #expect(cases.count > 5) } else { #expect(cases == run.cases, "\(outcome.errors)") }
    #expect((outcome.status == 0) == run.errors.isEmpty, "\(outcome.errors)")
    func number(of kind: String) -> Int { cases.filter { $0.hasPrefix("\(kind) ") }.count }
    let counts = [
      ("total", cases.count), ("succeeded", number(of: "success")), ("failed", number(of: "failure")),
      ("skipped", number(of: "skipped")),
    ]
    func text(_ name: String) -> String { (try? String(contentsOfFile: home.workplace[name], encoding: .utf8)) ?? "" }
    #expect(text("output.txt") == counts.map { "\($0)=\($1)\n" }.joined() + "errors=\(run.errors)\n")
    #expect(
      text("counts.env")
        == counts.map { "IFTTT_\($0.uppercased())=\($1)\n" }.joined() + "IFTTT_ERRORS=\(run.errors)\n")
    let summary = text("summary.md")
    #expect(summary.hasPrefix("### ifttt \(run.command)\n\n"), "\(summary)")
    #expect(summary.components(separatedBy: "### ").count == 2, "one summary for each run: \(summary)")
    #expect(summary.components(separatedBy: "\n| <code>").count == cases.count + 1, "\(summary)")
  }

  private func perform(_ line: String, _ home: Home) throws {
    var words = line.split(separator: " ").map(String.init)
    if words.last == "@others" {
      let listed = try home.run("connections", "list", "-o", "jsonl", "--fields", "id").text
      let ids = listed.split(separator: "\"").map(String.init).filter { $0.utf8.count == 8 }
      words = words.dropLast() + ids.filter { $0 != "Kd7Rn2Qx" }
    }
    let outcome = try home.run(words)
    try #require(outcome.status == 0, "\(line): \(outcome.errors)")
  }

  /// Checks the report as its readers do, and returns the outcome and the name of each case.
  private func cases(of command: String, in home: Home) throws -> [String] {
    let script = Checkout.path("Tests/TranscriptTests/Servers/junit.py")
    let outcome = try Tool.required("python3").run(
      Python.arguments + [script, home.workplace["report.xml"], command], in: ScratchFolder())
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output.split(separator: "\n").map(String.init)
  }

  /// Commands that have `--report` and run above; so that a new one is added there.
  @Test func everyCommandWithReportsIsTested() throws {
    let outcome = try Home().run("help", "--json")
    let tree = try JSONSerialization.jsonObject(with: Data(outcome.output))
    var found: Set<String> = []
    func visit(_ value: Any, _ path: [String]) {
      guard let command = value as? [String: Any] else { return }
      let name = (command["name"] as? String) ?? ""
      let path = name == "ifttt" ? [] : path + [name]
      let options = command["options"] as? [[String: Any]] ?? []
      if options.contains(where: { $0["name"] as? String == "report" }) { found.insert(path.joined(separator: " ")) }
      for subcommand in command["subcommands"] as? [Any] ?? [] { visit(subcommand, path) }
    }
    visit(tree, [])
    #expect(found == Set(Self.runs.map(\.command)), "\(found)")
  }

  /// The check itself finds reports that a reader would reject.
  @Test(arguments: [
    (#"name="a" classname="c" time="0.000"/><testcase name="a" classname="c" time="0""#, "cannot tell"),
    (#"name="a" classname="c" time="0" file="x""#, "'file'"), (#"classname="c" time="0""#, "testcase"),
  ])
  func theCheckFindsFaults(_ attributes: String, _ reason: String) throws {
    let home = Home()
    let count = attributes.components(separatedBy: "<testcase").count
    home.workplace.write(
      "report.xml",
      #"<testsuites><testsuite name="ifttt x" tests="\#(count)" failures="0" errors="0" skipped="0"><testcase "#
        + "\(attributes)/></testsuite></testsuites>")
    let script = Checkout.path("Tests/TranscriptTests/Servers/junit.py")
    let outcome = try Tool.required("python3").run(
      Python.arguments + [script, home.workplace["report.xml"], "x"], in: ScratchFolder())
    #expect(outcome.status == 1 && outcome.errors.contains(reason), "\(outcome.errors)")
  }
}
