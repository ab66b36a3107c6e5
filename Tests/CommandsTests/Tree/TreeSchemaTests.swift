import CommandLine
import JSON
import ProgramDriver
import Sandbox
import Support
import Testing

@testable import Commands
@testable import Session

/// The JSON output of every command conforms to the schema that the program prints for it, according to an
/// independent validator.
@Suite struct TreeSchemaTests {
  /// One run, and the name of the schema of its output.
  private struct Sample {
    let schema: String
    let line: String
    var input: String?
    var code = ExitCode.success
    /// Nil for all JSON formats.
    var format: String?
  }

  /// The order matters, because some runs need the results of earlier ones.
  private static let samples = [
    Sample(schema: "connections-list", line: "connections list"),
    Sample(schema: "connections-list", line: "connections list --status never_enabled"),
    Sample(schema: "location-on", line: "location on Kd7Rn2Qx"),
    Sample(schema: "location-off", line: "location off Fq3Lw8Zt"),
    Sample(schema: "location-replay", line: "location replay WALK --remember --yes"),
    Sample(schema: "location-regions", line: "location regions"),
    Sample(schema: "location-report", line: "location report d27e9a40-5b13-4c68-9f02-3e8a6b7c1d54 exit"),
    Sample(schema: "location-events-list", line: "location events list"),
    Sample(schema: "location-events-flush", line: "location events flush"),
    Sample(schema: "location-events-clear", line: "location events clear --yes"),
    Sample(schema: "location-reset", line: "location reset"),
    Sample(schema: "connections-list", line: "connections list --refresh --as service"),
    Sample(schema: "connections-show", line: "connections show Kd7Rn2Qx"),
    Sample(schema: "connections-show", line: "connections show Kd7Rn2Qx Fq3Lw8Zt"),
    Sample(schema: "connections-show", line: "connections show Kd7Rn2Qx Nope1234", code: .partial),
    Sample(schema: "connection", line: "connections show Fq3Lw8Zt --as anonymous"),
    Sample(schema: "connections-show", line: "connections show Kd7Rn2Qx Fq3Lw8Zt --users USERS"),
    Sample(schema: "connections-show", line: "connections show Kd7Rn2Qx --users USERS --ordered"),
    Sample(schema: "connections-list", line: "connections list --users USERS"),
    Sample(schema: "connections-remove", line: "connections remove Kd7Rn2Qx Fq3Lw8Zt"),
    Sample(schema: "connections-add", line: "connections add Kd7Rn2Qx Fq3Lw8Zt Rw9Ky4Hc"),
    Sample(schema: "connections-disable", line: "connections disable Kd7Rn2Qx Fq3Lw8Zt"),
    Sample(schema: "connections-enable", line: "connections enable Kd7Rn2Qx Fq3Lw8Zt Nope1234", code: .partial),
    Sample(schema: "connections-enable", line: "connections enable Ud6Jn1Gs", code: .failure),
    Sample(schema: "connections-wait", line: "connections wait Kd7Rn2Qx --for status=enabled"),
    Sample(schema: "connections-wait", line: "connections wait Kd7Rn2Qx Fq3Lw8Zt --for status!=unknown"),
    Sample(
      schema: "connections-wait", line: "connections wait pT5vXb2M --for status=enabled --timeout 0", code: .notYet),
    Sample(schema: "connections-watch", line: "connections watch --initial --timeout 0"),
    Sample(schema: "connections-options", line: "connections options Kd7Rn2Qx"),
    Sample(schema: "connections-run", line: "connections run Kd7Rn2Qx tidebook.add_entry"),
    Sample(schema: "connections-query", line: "connections query Kd7Rn2Qx list_tides --all"),
    Sample(schema: "connections-test", line: "connections test Kd7Rn2Qx exit_region_location"),
    Sample(schema: "connections-options", line: "connections options Kd7Rn2Qx --refresh"),
    Sample(schema: "configure", line: "configure Kd7Rn2Qx"),
    Sample(schema: "configure", line: "configure Fq3Lw8Zt"),
    Sample(schema: "configure", line: "configure Kd7Rn2Qx --set scene=Evening"),
    Sample(schema: "connections-undo", line: "connections undo"),
    Sample(schema: "connections-redo", line: "connections redo"),
    Sample(schema: "connections-history", line: "connections history"),
    Sample(schema: "connections-history-run", line: "connections history 1"),
    Sample(
      schema: "connections-diff", line: "connections diff -",
      input:
        #"{"version":1,"connections":[{"id":"Kd7Rn2Qx","status":"disabled"},{"id":"Hx5Qm9Jd","status":"enabled"}]}"#),
    Sample(
      schema: "connections-apply", line: "connections apply - --yes",
      input:
        #"{"version":1,"connections":[{"id":"Hx5Qm9Jd","status":"disabled"},{"id":"nope","status":"enabled"}]}"#,
      code: .partial),
    Sample(schema: "connections-activate", line: "connections activate Kd7Rn2Qx"),
    Sample(schema: "dry-run", line: "connections activate Ud6Jn1Gs --dry-run"),
    Sample(schema: "connections-open", line: "connections open Kd7Rn2Qx --no-browser"),
    Sample(schema: "applets-fetch", line: "applets fetch"),
    Sample(schema: "applets-fetch", line: "applets fetch --order enabled_count_desc --platform ios"),
    Sample(schema: "applets-fetch", line: "applets fetch mB3xWq7T"),
    Sample(schema: "applets-fetch", line: "applets fetch mB3xWq7T cH8nRt5K"),
    // JSON puts it in an array; JSON Lines prints it alone.
    Sample(schema: "applet", line: "applets fetch vL2sJy9D", format: "jsonl"),
    Sample(schema: "applets-disable", line: "applets disable mB3xWq7T nope", code: .partial),
    Sample(schema: "applets-enable", line: "applets enable mB3xWq7T vL2sJy9D"),
    Sample(schema: "applets-enable", line: "applets enable cH8nRt5K", code: .failure),
    Sample(schema: "applets-activate", line: "applets activate vL2sJy9D"),
    Sample(schema: "token-exchange", line: "token exchange"),
    Sample(schema: "token-exchange", line: "token exchange --api v1"),
    Sample(schema: "token-exchange", line: "token exchange --reveal --no-save"),
    Sample(schema: "token-exchange-users", line: "token exchange --users USERS"),
    Sample(schema: "connections-changes-users", line: "connections disable Hx5Qm9Jd --users USERS --yes"),
    Sample(
      schema: "connections-diff-users", line: "connections diff - --users USERS",
      input: #"{"version":1,"connections":[{"id":"Kd7Rn2Qx","status":"disabled"}]}"#),
    Sample(schema: "connections-export-users", line: "connections export Kd7Rn2Qx --users USERS"),
    Sample(schema: "report-merge", line: "report merge SUMMARY"),
    Sample(schema: "run-summary", line: "report merge SUMMARY"),
    Sample(schema: "token-set", line: "token set --user-id other --user-token-file -", input: "a-token-of-some-length"),
    Sample(schema: "token-set", line: "token set --user-id= --user-token-file -", code: .usage),
    Sample(schema: "token-list", line: "token list"),
    Sample(schema: "token-show", line: "token show other --reveal"),
    Sample(schema: "token-verify", line: "token verify"),
    Sample(schema: "token-verify", line: "token verify --user-id other", code: .credentials),
    Sample(schema: "profile-create", line: "profile create work --service lampost"),
    Sample(schema: "profile-set", line: "profile set work --user-id ''"),
    Sample(schema: "profile-list", line: "profile list"),
    Sample(schema: "profile-show", line: "profile show"),
    Sample(schema: "profile-show", line: "profile show work"),
    Sample(schema: "service-notify", line: "service notify --user-id u-5521 --trigger-identity 7d1f0c93"),
    Sample(schema: "service-notify", line: "service notify --stdin", input: "7d1f0c93\n{\"user_id\":\"u-1\"}\n"),
    Sample(schema: "webhook-fire", line: "webhook fire door_opened --value1 Garage"),
    Sample(schema: "webhook-fire", line: "webhook fire door_opened --stdin", input: "{}"),
    Sample(schema: "dry-run", line: "webhook fire door_opened --dry-run"),
    Sample(schema: "privacy-on", line: "privacy on"),
    Sample(schema: "privacy-show", line: "privacy show"),
    Sample(schema: "privacy-reset", line: "privacy reset"),
    Sample(schema: "privacy-off", line: "privacy off"),
    Sample(schema: "plugin-list", line: "plugin list"),
    Sample(schema: "plugin-new", line: "plugin new tides"),
    Sample(schema: "plugin-install", line: "plugin install PLUGIN --yes"),
    Sample(schema: "plugin-list", line: "plugin list"),
    Sample(schema: "plugin-show", line: "plugin show tides"),
    Sample(schema: "plugin-verify", line: "plugin verify"),
    Sample(schema: "plugin-link", line: "plugin link PLUGIN --yes"),
    Sample(schema: "plugin-package", line: "plugin package PLUGIN --directory SITE --index SITE/index.json"),
    Sample(schema: "plugin-index-add", line: "plugin index add local SITE/index.json"),
    Sample(schema: "plugin-index-list", line: "plugin index list"),
    Sample(schema: "plugin-index-update", line: "plugin index update"),
    Sample(schema: "plugin-search", line: "plugin search tides"),
    Sample(schema: "plugin-outdated", line: "plugin outdated"),
    Sample(schema: "plugin-upgrade", line: "plugin upgrade --all"),
    Sample(schema: "plugin-rollback", line: "plugin rollback tides --yes", code: .failure),
    Sample(schema: "plugin-trust-add", line: "plugin trust add acme KEY"),
    Sample(schema: "plugin-trust-list", line: "plugin trust list"),
    Sample(schema: "plugin-trust-remove", line: "plugin trust remove acme"),
    Sample(schema: "plugin-index-remove", line: "plugin index remove local"),
    Sample(schema: "plugin-unlink", line: "plugin unlink tides"),
    Sample(schema: "plugin-remove", line: "plugin remove tides --yes"),
    Sample(schema: "token-remove", line: "token remove other"),
    Sample(schema: "profile-use", line: "profile use work"),
    Sample(schema: "profile-remove", line: "profile remove work --yes"),
    Sample(schema: "doctor", line: "doctor"),
    Sample(schema: "doctor", line: "doctor --fix --dry-run"),
    Sample(schema: "store-info", line: "store info"),
    Sample(schema: "store-check", line: "store check"),
    Sample(schema: "store-backup", line: "store backup BACKUP"),
    Sample(schema: "store-restore", line: "store restore BACKUP --yes"),
    Sample(schema: "store-rekey", line: "store rekey"),
    // The output with webhooks is checked in ServiceEventsTests.
    Sample(schema: "service-listen", line: "service listen", code: .failure),
    Sample(schema: "service-events-list", line: "service events list"),
    Sample(schema: "service-events-show", line: "service events show 1", code: .notFound),
    Sample(
      schema: "service-events-replay", line: "service events replay 1 --forward http://localhost", code: .notFound),
    Sample(schema: "service-events-clear", line: "service events clear --yes"),
    Sample(schema: "schema", line: "schema"),
    Sample(schema: "version", line: "version"),
    Sample(schema: "planned-changes", line: "connections disable Kd7Rn2Qx Fq3Lw8Zt --dry-run"),
    Sample(schema: "planned-changes", line: "connections enable Kd7Rn2Qx --dry-run"),
    Sample(
      schema: "planned-changes", line: "connections disable Kd7Rn2Qx --dry-run --exit-code --force", code: .notYet),
    Sample(schema: "dry-run", line: "token exchange --dry-run"),
    Sample(schema: "dry-run", line: "api POST /v2/connections/Kd7Rn2Qx/disable -f a=b --dry-run"),
  ]

  /// Commands whose output is a file of another kind in every format: pages, scripts, fixtures to edit and drawings.
  private static let others: Set<String> = [
    "completion", "init", "man", "sandbox seed", "connections button", "location map",
  ]

  private func schema(_ name: String, in home: SandboxHome) throws -> String {
    let run = home.run("schema \(name)")
    try #require(run.code == .success, "\(run.errors)")
    return run.output
  }

  @Test(arguments: ["json", "jsonl"]) func outputsConformToTheirSchemas(format: String) throws {
    let home = SandboxHome()
    let walk = home.folder.write("walk.gpx", try Checkout.text("Examples/location/walk.gpx"))
    let users = home.folder.write("users.csv", "user_id,access_token\nu-5521,\(SandboxFixtures.accessToken)\n")
    let summary = home.folder.write("summary.json", SampleSummary.text(ofShard: 1, of: 1))
    let key = home.folder.write("acme.pub", SamplePublicKey.text)
    var cases: [JSONSchemaValidator.Case] = []
    var lines: [String] = []
    for sample in Self.samples where sample.format ?? format == format {
      let run = home.run(
        sample.line.replacing("BACKUP", with: home.folder["backup.db"])
          .replacing("WALK", with: walk).replacing("USERS", with: users).replacing("SUMMARY", with: summary).replacing(
            "PLUGIN", with: home.folder["ifttt-tides"]
          ).replacing("SITE", with: home.folder["site"]).replacing("KEY", with: key) + " -o \(format)",
        input: sample.input)
      #expect(run.code == sample.code, "\(sample.line): \(run.errors)")
      // A run that fails before it has output prints nothing.
      if run.output.isEmpty, run.code != .success { continue }
      let schema = try schema(sample.schema, in: home)
      cases.append(.init(schema: schema, documents: [Self.document(run.output, format, schema: schema)]))
      lines.append(sample.line)
    }
    let problems = try JSONSchemaValidator.problems(in: cases)
    #expect(problems == [], "\(lines.enumerated().map { "\($0): \($1)" })")
  }

  /// Joins the rows of JSON Lines into the array that JSON output would have.
  private static func document(_ output: String, _ format: String, schema: String) -> String {
    guard format == "jsonl" else { return output }
    let rows = output.split(separator: "\n")
    let isArray = (try? JSONValue(parsing: Array(schema.utf8)))?["type"] == "array" || rows.count > 1
    return isArray ? "[\(rows.joined(separator: ","))]" : output
  }

  @Test func everyCommandIsTested() {
    let tried = Set(Self.samples.map { $0.line })
    for position in CommandPosition(root: Root.tree.ownSchema).subtree where position.isRunnable && !position.isRoot {
      let command = position.path.joined(separator: " ")
      // Commands that need a running server are tested in SandboxCommandTests. Commands that start plugins are tested
      // with the built program in PluginTestProgramTests.
      // Commands that send requests to a partner's server are tested with one in ServiceTestProgramTests and
      // ServiceCallProgramTests.
      guard command != "help", command != "plugin test", !["service test", "service call"].contains(command),
        !command.hasPrefix("sandbox ") || command == "sandbox seed"
      else { continue }
      let isTried = tried.contains { $0 == command || $0.hasPrefix(command + " ") }
      #expect(isTried != Self.others.contains(command), "\(command)")
    }
    let schemas = Set(Self.samples.map(\.schema)).union([
      "error", "help", "service-definition", "connections-file", "connections-plan", "plugin-manifest",
    ])
    // The output of the sandbox's commands is checked in SandboxCommandTests, with a running server.
    let all = Set(SchemaDocument.all.map(\.name)).subtracting([
      "plugin-test", "service-test", "service-call",
    ])
    #expect(schemas == all.filter { !$0.hasPrefix("sandbox-") })
  }

  @Test(arguments: ["user", "service", "anonymous"]) func everyConnectionConforms(level: String) throws {
    let home = SandboxHome()
    let ids = SandboxFixtures.connectionIDs + (level == "anonymous" ? [] : [SandboxFixtures.foreignConnectionID])
    var shown: [String] = []
    for id in ids {
      let run = home.run("connections show \(id) --json --as \(level)")
      guard run.code == .success else {
        #expect(run.code == .notFound || run.code == .credentials, "\(id): \(run.errors)")
        continue
      }
      shown.append(run.output)
    }
    #expect(shown.count >= 5)
    let list = home.run("connections list --json --as \(level)")
    #expect(list.code == .success, "\(list.errors)")
    let problems = try JSONSchemaValidator.problems(in: [
      .init(schema: try schema("connection", in: home), documents: shown),
      .init(schema: try schema("connections list", in: home), documents: [list.output]),
    ])
    #expect(problems == [])
  }

  @Test func wordsAndHyphensNameTheSameSchema() throws {
    let home = SandboxHome()
    #expect(try schema("connections list", in: home) == schema("connections-list", in: home))
    #expect(home.run("schema connections lists").code == .notFound)
  }

  @Test func everySchemaIsValid() throws {
    let home = SandboxHome()
    let cases = try SchemaDocument.all.map { document in
      JSONSchemaValidator.Case(schema: try schema(document.name, in: home), documents: [])
    }
    #expect(try JSONSchemaValidator.problems(in: cases) == [])
  }

  /// A schema that accepted everything would make the other tests worthless.
  @Test func schemasRejectInvalidDocuments() throws {
    let home = SandboxHome()
    let cases = try SchemaDocument.all.map { document in
      JSONSchemaValidator.Case(
        schema: try schema(document.name, in: home), documents: ["{}", "[{}]", "null", #"{"error":{}}"#])
    }
    let problems = try JSONSchemaValidator.problems(in: cases)
    let refused = Set(problems.map { $0.split(separator: " ").prefix(2).joined(separator: " ") })
    #expect(refused.count == cases.count * 4)
  }

  @Test func helpConforms() throws {
    let home = SandboxHome()
    var (lines, documents): ([String], [String]) = ([], [])
    for position in CommandPosition(root: Root.tree.ownSchema).subtree {
      let line = (["help"] + position.path).joined(separator: " ") + " --json"
      let run = home.run(line)
      #expect(run.code == .success, "\(line): \(run.errors)")
      // The validator does not say which document is not JSON.
      #expect((try? JSONValue(parsing: Array(run.output.utf8))) != nil, "\(line)")
      lines.append(line)
      documents.append(run.output)
    }
    let problems = try JSONSchemaValidator.problems(of: documents, against: schema("help", in: home)).map { problem in
      // It begins with the number of the document.
      let number = Int(problem.prefix { $0 != " " })
      return "\(number.map { lines[$0] } ?? ""): \(problem)"
    }
    #expect(problems == [])
  }

  private static let failures: [(line: String, code: ExitCode)] = [
    ("connections show Nope1234", .notFound),
    ("connections enable Ud6Jn1Gs", .failure),
    ("connections show Kd7Rn2Qx Nope1234", .partial),
    ("connections lsit", .usage),
    ("connections list --stauts enabled", .usage),
    ("connections list --fields nonsense", .usage),
    ("connections show", .usage),
    ("connections list --profile nobody", .notFound),
    ("token show", .notFound),
    ("profile create default --user-id x --connect-url http://example.com", .usage),
    ("api GET /v2/connections/Nope1234", .notFound),
    ("api POST /v2/connections/Kd7Rn2Qx/nonsense", .notFound),
    ("connections wait Xe2Gf9Ln --for status=enabled --timeout 0", .notYet),
    ("connections watch Nope1234", .notFound),
    ("schema nonsense", .notFound),
    ("profile remove work", .notFound),
    ("connections disable Kd7Rn2Qx --dry-run --exit-code -q", .notYet),
  ]

  @Test func errorLinesConform() throws {
    let home = SandboxHome()
    var lines: [String] = []
    for failure in Self.failures {
      for format in ["--json", "-o jsonl"] {
        let run = home.run("\(failure.line) \(format)")
        #expect(run.code == failure.code, "\(failure.line): \(run.errors)")
        #expect(run.errors.last == "\n" && run.errors.dropLast().contains("\n") == false, "\(run.errors)")
        lines.append(run.errors)
      }
    }
    #expect(try JSONSchemaValidator.problems(of: lines, against: schema("error", in: home)) == [])
  }
}
