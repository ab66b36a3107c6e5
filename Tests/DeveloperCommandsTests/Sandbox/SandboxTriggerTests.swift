import Foundation
import HTTP
import JSON
import ProgramDriver
import Sandbox
import Session
import Support
import Testing

@testable import DeveloperCommands

/// `sandbox trigger`, and the state of a running server as a seed.
@Suite struct SandboxTriggerTests {
  let sandbox = ServedSandbox()

  private func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

  private static let token = [HeaderField("Authorization", "Bearer \(SandboxFixtures.userToken)")]

  private func connection(_ id: String) -> JSONValue? {
    sandbox.answer("GET", "/v2/connections/\(id)", Self.token).flatMap { try? JSONValue(parsing: $0.body) }
  }

  // MARK: Triggers

  @Test func theOnlyTriggerIsFired() throws {
    sandbox.start { _ in
      let run = sandbox.run("sandbox trigger Wd5Po8Rk --json")
      #expect(run.exit == .success && run.errors == "", "\(run.errors)")
      let event = try json(run.output)
      #expect(event["step"] == "found" && event["cause"] == "fired" && event["user_id"] == "u-5521")
      #expect(event["connection_id"] == "Wd5Po8Rk" && event["endpoint"] == "location.exit_region_location")
      let number = try #require(event["number"]?.int)
      #expect(event["effects"] == [JSONValue(number + 1)])
      #expect(sandbox.run("sandbox activity \(number) --json").output == run.output)
      let webhook = try json(sandbox.run("sandbox requests \(number + 1) --json").output)
      #expect(webhook["path"] == "/ifttt/v1/webhooks/trigger_subscription/fired" && webhook["caused_by"]?.int == number)
      let schema = sandbox.run("schema sandbox-trigger").output
      #expect(try JSONSchemaValidator.problems(in: [.init(schema: schema, documents: [run.output])]) == [])
    }
  }

  @Test func ingredientsAreTyped() throws {
    sandbox.start { _ in
      let fire = "sandbox trigger Fq3Lw8Zt location.enter_region_location"
      let run = sandbox.run("\(fire) --set OccurredAt=a=b --set LocationMapUrl= --json")
      #expect(run.exit == .success, "\(run.errors)")
      let number = try #require(try json(run.output)["effects"]?.array?.first?.int)
      let webhook = try json(sandbox.run("sandbox requests \(number) --json").output)
      let body = try json(webhook["request"]?["body"]?.string ?? "")
      #expect(body["event_data"]?["ingredients"]?["OccurredAt"] == "a=b")
      #expect(body["event_data"]?["ingredients"]?["LocationMapUrl"] == "")
      let wrong = sandbox.run("\(fire) --set Occurred=x")
      #expect(wrong.exit == .failure && wrong.errors.contains("OccurredAt, LocationMapUrl"), "\(wrong.errors)")
      #expect(sandbox.run("\(fire) --set OccurredAt").exit == .usage)
    }
  }

  @Test func oneOfSeveralTriggersIsNamed() {
    sandbox.start { _ in
      let run = sandbox.run("sandbox trigger Rw9Ky4Hc")
      #expect(run.exit == .usage && run.errors.contains("skyglass.sunset, tidebook.every_day_at"), "\(run.errors)")
      #expect(run.errors.contains("ifttt sandbox trigger Rw9Ky4Hc skyglass.sunset"), "\(run.errors)")
      #expect(sandbox.run("sandbox trigger Rw9Ky4Hc skyglass.sunset").exit == .success)
      #expect(sandbox.run("sandbox trigger Rw9Ky4Hc ae57b093-4cd1-4f86-92e8-0b6d3c7f1a54").exit == .success)
      // Its feature is disabled.
      #expect(sandbox.run("sandbox trigger Rw9Ky4Hc tidebook.every_day_at").exit == .failure)
    }
  }

  @Test func whatCannotFireIsExplained() {
    sandbox.start { _ in
      for (line, exit, text) in [
        ("Or4Ch7Dz", .notFound, "has no connection 'Or4Ch7Dz'"),
        ("Kd7Rn2Qx tidebook.list_tides", .notFound, "location.exit_region_location"),
        ("Ud6Jn1Gs", .failure, "has configured no trigger"),
        ("Ud6Jn1Gs skyglass.storm_warning", .failure, "never enabled"),
        ("Kd7Rn2Qx --user-id u-7304", .failure, "disabled"), ("Kd7Rn2Qx --user-id nobody", .notFound, "No user"),
        ("Kd7Rn2Qx x --user-id nobody", .notFound, "No user"),
      ] as [(String, ExitCode, String)] {
        let run = sandbox.run("sandbox trigger \(line)")
        #expect(run.exit == exit && run.errors.contains(text), "\(line): \(run.errors)")
        #expect(run.errors.contains("sandbox seed --running"), "\(run.errors)")
      }
    }
    #expect(sandbox.run("sandbox trigger Kd7Rn2Qx").exit == .notFound, "without a server")
    #expect(sandbox.run("sandbox trigger").exit == .usage)
  }

  @Test func aDryRunFiresNothing() {
    let run = sandbox.run("sandbox trigger Kd7Rn2Qx --dry-run")
    #expect(run.exit == .success && run.errors == "Would fire the trigger of connection Kd7Rn2Qx.\n")
    let named = sandbox.run("sandbox trigger Kd7Rn2Qx location.exit_region_location --dry-run")
    #expect(named.errors == "Would fire trigger location.exit_region_location of connection Kd7Rn2Qx.\n")
  }

  // MARK: Seeds

  @Test func aServerContinuesFromTheStateOfAnother() throws {
    var seed = ""
    sandbox.start { _ in
      _ = sandbox.answer("POST", "/v2/connections/Kd7Rn2Qx/disable", Self.token)
      _ = sandbox.answer("GET", "/connect/Ud6Jn1Gs?email=ann%40mail.test&emulator_outcome=complete")
      let run = sandbox.run("sandbox seed --running")
      #expect(run.exit == .success && run.errors == "", "\(run.errors)")
      #expect(sandbox.run("sandbox seed --url http://127.0.0.1:8080").output == run.output)
      seed = run.output
    }
    #expect(try json(seed)["users"]?.array?.map { $0["id"] } == ["u-5521", "u-7304", "90210", "u-9001"])
    let file = sandbox.folder.write("state.json", seed)
    sandbox.start("sandbox start --json --seed \(file)") { _ in
      #expect(connection("Kd7Rn2Qx")?["user_status"] == "disabled")
      #expect(sandbox.run("sandbox users").output.contains("u-9001"))
    }
    sandbox.start { _ in
      #expect(connection("Kd7Rn2Qx")?["user_status"] == "enabled")
      let loaded = sandbox.run("sandbox reset --seed \(file) --json")
      #expect(loaded.output == #"{"url":"http://127.0.0.1:8080","reset":true}"# + "\n", "\(loaded.errors)")
      #expect(connection("Kd7Rn2Qx")?["user_status"] == "disabled")
      _ = sandbox.answer("POST", "/v2/connections/Kd7Rn2Qx/enable", Self.token)
      sandbox.run("sandbox reset")
      #expect(connection("Kd7Rn2Qx")?["user_status"] == "disabled", "the loaded seed stays")
    }
  }

  @Test func aBuiltInSeedIsLoaded() {
    sandbox.start { _ in
      #expect(connection("Rw9Ky4Hc")?["name"] == "Turn on garden lamps")
      #expect(sandbox.run("sandbox reset --seed unusual").exit == .success)
      #expect(connection("Rw9Ky4Hc")?["name"] == "مصابيح الحديقة عند الغروب")
    }
  }

  @Test func anInvalidSeedIsNotSent() {
    let file = sandbox.folder.write("seed.json", #"{"format":1,"connectons":[]}"#)
    sandbox.start { _ in
      for line in ["sandbox reset --seed \(file)", "sandbox reset --seed \(file) --dry-run"] {
        let run = sandbox.run(line)
        #expect(run.exit == .failure && run.errors.contains("connectons is not a known key"), "\(run.errors)")
      }
      #expect(sandbox.run("sandbox reset --seed nothing").exit == .usage)
      #expect(connection("Kd7Rn2Qx")?["user_status"] == "enabled")
    }
    let dry = sandbox.run("sandbox reset --seed plain --dry-run")
    #expect(dry.exit == .success && dry.errors == "Would reset the sandbox server and load the seed.\n")
  }

  @Test func theProfileHasABuiltInSeed() {
    let home = Home()
    func name() -> String {
      home.sandbox("connections show Rw9Ky4Hc --max-age 0 --fields name -o csv --no-header").output
    }
    #expect(name() == "Turn on garden lamps\n")
    #expect(home.sandbox("sandbox reset --seed unusual --dry-run").exit == .success)
    #expect(name() == "Turn on garden lamps\n")
    #expect(home.sandbox("sandbox reset --seed unusual").exit == .success)
    #expect(name() == "مصابيح الحديقة عند الغروب\n")
    home.environment["IFTTT_SANDBOX_SEED"] = "unusual"
    #expect(home.sandbox("sandbox reset --seed plain").exit == .success, "the option has precedence")
    home.environment = [:]
    #expect(name() == "Turn on garden lamps\n")
    let run = home.sandbox("sandbox reset --seed ./seed.json")
    #expect(run.exit == .usage && run.errors.contains("only for a running server"), "\(run.errors)")
  }

  @Test(arguments: ["--running --seed plain", "--url http://127.0.0.1:8080 --definition definition.json"])
  func theStateIsNoFixture(_ options: String) {
    let run = sandbox.run("sandbox seed \(options)")
    #expect(run.exit == .usage && run.errors.contains("cannot be combined with the state of a running server"))
    #expect(sandbox.run("sandbox seed --running").exit == .notFound, "without a server")
  }

  // MARK: Users

  @Test func theListOfUsersHasTheirTokens() throws {
    sandbox.start { _ in
      let file = try json(sandbox.folder.text("sandbox-server-8080.json") ?? "")
      let key = HeaderField("Authorization", "Bearer \(file["key"]?.string ?? "")")
      let page = try #require(sandbox.answer("GET", "/.sandbox/users", [key]))
      #expect(
        try JSONValue(parsing: page.body)["users"]?.array?.first == [
          "user_id": "u-5521", "login": "kai_lamps", "email": "kai@mail.test",
          "user_token": .string(SandboxFixtures.userToken), "access_token": "at_7f20c1",
        ])
    }
  }
}
