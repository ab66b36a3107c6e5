import HTTP
import IFTTT
import ProgramDriver
import Session
import Support
import Testing

@testable import DeveloperCommands

@Suite struct ServiceTestCommandTests {
  @Test func listsTheChecksWithoutARequest() {
    let home = Home()
    let all = home.run("service test http://127.0.0.1:8788 --list -o csv --no-header --fields check")
    #expect(all.exit == .success)
    #expect(all.lines.contains("returns-at-least-three-items") && !all.lines.contains("webhook-accepted"))
    let some = home.run("service test http://127.0.0.1:8788 --list --webhooks --only webhooks,limit-0 --json")
    #expect(some.output.contains(#""check":"webhook-wrong-key""#) && some.output.contains(#""check":"limit-0""#))
    #expect(!some.output.contains("status-ok"))
  }

  @Test func aDefinitionDecidesWhichValidationIsListed() {
    let home = Home()
    let file = home.folder.write(
      "definition.json",
      #"""
      {"triggers":[
        {"id":"a","fields":[{"id":"x","validation":true}]},
        {"id":"b","validation":"contextual","fields":[{"id":"y","validation":true},{"id":"z","validation":true}]}]}
      """#)
    let words = "service test http://127.0.0.1:8788 --list --only field-results,valid-value -o csv --no-header"
    let defined = home.run("\(words) --fields check,endpoint --definition \(file)")
    #expect(
      defined.lines == [
        "valid-value,triggers/a/fields/x/validate", "field-results,triggers/b/validate",
        "valid-value,triggers/b/validate",
      ])
    let forms = home.run("\(words) --fields check,endpoint")
    #expect(
      forms.lines == [
        "valid-value,triggers/SLUG/fields/FIELD/validate", "field-results,triggers/SLUG/validate",
        "valid-value,triggers/SLUG/validate",
      ])
  }

  @Test func theSchemaOfADefinitionKnowsContextualValidation() throws {
    let schema = Home().run("schema service-definition").output
    func problems(_ definition: String) throws -> [String] {
      try JSONSchemaValidator.problems(of: [definition], against: schema)
    }
    #expect(try problems(Checkout.text("Examples/service/definition.json")) == [])
    #expect(try !problems(#"{"triggers":[{"id":"a","validation":"together"}]}"#).isEmpty)
    #expect(try !problems(#"{"triggers":[{"validation":"contextual"}]}"#).isEmpty, "it is a step, which needs an id")
  }

  @Test(arguments: [80, 200]) func theReportNamesAnEndpointOnceAndFitsTheTerminal(columns: Int) {
    let endpoint = ServicePath(["triggers", "lamp_of_room_switched_on", "fields", "lamp", "validate"])
    var text = ServiceCheckText(columns: columns, color: false, details: false)
    func lines(_ check: ServiceCheck, _ outcome: ServiceCheckResult.Outcome, _ endpoint: ServicePath) -> [String] {
      text.lines(
        ServiceCheckResult(check: check, part: .validation, endpoint: endpoint, outcome: outcome, message: "A reason.")
      ).split(separator: "\n").map(String.init)
    }
    #expect(
      lines(.validValue, .passed, endpoint)
        == ["triggers/lamp_of_room_switched_on/fields/lamp/validate", "  passed   valid-value"])
    let failed = lines(.invalidValue, .failed, endpoint)
    #expect(failed.prefix(2) == ["  failed   invalid-value", "           A reason."])
    #expect(failed.count > 2 && failed.allSatisfy { $0.count <= columns && $0.hasPrefix("  ") })
    #expect(lines(.statusOK, .warning, .status).prefix(2) == ["status", "  warning  status-ok"])
  }

  @Test func aSignInNeedsItsOptions() {
    let run = Home().run("service test http://127.0.0.1:8788 --sign-in --client-id x")
    #expect(run.exit == .usage)
    #expect(run.errors.contains("--sign-in needs --authorize-url, --token-url"))
  }

  @Test(arguments: ["http://example.com", "https://a.test/?x=1", "ftp://a.test", "a.test"])
  func rejectsOtherURLs(url: String) {
    #expect(Home().run("service test \(url) --list").exit == .usage)
  }

  @Test(arguments: [
    "actions/a --follow", "queries/q --realtime", "triggers/t --cursor x", "actions/a --limit 1", "triggers/",
    "triggers/a/b", "things/a",
  ])
  func rejectsCallsThatMakeNoSense(words: String) {
    #expect(Home().run("service call http://127.0.0.1:8788 \(words)").exit == .usage)
  }
}
