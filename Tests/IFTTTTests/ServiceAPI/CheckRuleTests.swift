import Foundation
import HTTP
import JSON
import Support
import Testing

@testable import IFTTT

/// The rules that single responses are checked for.
@Suite struct CheckRuleTests {
  private func value(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

  @Test(arguments: [
    ("[]", nil), (#"[{"label":"A","value":"a"}]"#, nil),
    (#"[{"label":"G","values":[{"label":"A","value":"a"}]}]"#, nil), ("{}", #""data" is not an array"#),
    ("[7]", "data[0] is not an object"), (#"[{"value":"a"}]"#, "data[0].label is not a string"),
    (#"[{"label":"A"}]"#, "data[0].value is not a string"),
    (#"[{"label":"A","value":7}]"#, "data[0].value is not a string"),
    (#"[{"label":"G","values":{}}]"#, "data[0].values is not an array"),
    (
      #"[{"label":"G","values":[{"label":"H","values":[]}]}]"#, "data[0].values[0] is a group within a group"
    ),
  ])
  func options(text: String, problem: String?) throws {
    #expect(FieldOptionsRule.problem(of: try value(text)) == problem)
  }

  private func failures(_ rows: String) throws -> Set<String> {
    let rows = try value(rows).array?.compactMap(\.object) ?? []
    return Set(EventRules(rows).findings.filter { $0.finding.outcome == .failed }.map(\.check.name))
  }

  private func event(_ id: String, _ time: String) -> String { #"{"meta":{"id":\#(id),"timestamp":\#(time)}}"# }

  @Test func events() throws {
    let good = [event(#""c""#, "1772647500"), event(#""b""#, "1772647500"), event(#""a""#, "1772647400")]
    func list(_ events: [String]) -> String { "[\(events.joined(separator: ","))]" }
    #expect(try failures(list(good)) == [])
    #expect(try failures(list(good.dropLast())) == ["returns-at-least-three-items"])
    #expect(try failures(list(good.reversed())) == ["newest-first"])
    #expect(try failures(list([good[0]] + good)) == ["unique-ids"])
    for id in ["7", "null", #""""#] { #expect(try failures(list([event(id, "1772647500")] + good)) == ["unique-ids"]) }
    for time in ["1772647500000", "1772647500.5", #""1772647500""#] {
      #expect(try failures(list(good.map { $0.replacing("1772647500", with: time) })).contains("timestamps"), "\(time)")
    }
  }

  private func exchange(_ status: Int, _ body: String, type: String? = "application/json; charset=utf-8") throws
    -> ServiceExchange
  {
    var response = Response(status: status, body: Array(body.utf8))
    if let type { response.headers = [HeaderField("content-type", type)] }
    return ServiceExchange(request: Request(.get, try WebURL(parsing: "https://a.test")), result: .success(response))
  }

  @Test(
    arguments: [
      ("application/json; charset=utf-8", .passed), ("application/json;charset=UTF-8", .passed),
      (#"Application/JSON; charset="utf-8""#, .passed), ("application/json", .warning),
      ("application/json; odata=none", .warning), ("text/html; charset=utf-8", .failed), ("text/html", .failed),
      ("application/json; charset=latin1", .failed), (nil, .failed),
    ] as [(String?, ServiceCheckResult.Outcome)])
  func contentTypes(type: String?, outcome: ServiceCheckResult.Outcome) throws {
    #expect(try exchange(200, "{}", type: type).contentType.outcome == outcome)
  }

  @Test func rejections() throws {
    let errors = #"{"errors":[{"message":"No."}]}"#
    #expect(try exchange(401, errors).isRejected(with: 401) == .passed)
    #expect(try exchange(401, "{}").isRejected(with: 401) != .passed)
    #expect(try exchange(401, "").isRejected(with: 401, needsErrors: false) == .passed)
    #expect(try exchange(403, errors).isRejected(with: 401) == .failed("expected 401, but the response was 403: No."))
  }

  @Test func selections() throws {
    func selects(
      _ only: [String], _ skip: [String] = [], _ check: ServiceCheck, _ part: ServicePart, _ path: ServicePath
    )
      throws -> Bool
    {
      func names(_ texts: [String]) throws -> [CheckSelection.Name] {
        try texts.map { try #require(CheckSelection.Name(parsing: $0)) }
      }
      return CheckSelection(only: try names(only), skip: try names(skip)).includes(check, part, path)
    }
    let options = ServicePath("triggers", "on", "fields", "lamp", "options")
    #expect(try selects([], [], .statusOK, .status, .status))
    #expect(try selects(["triggers/on"], [], .optionsList, .options, options))
    #expect(try !selects(["triggers/o"], [], .optionsList, .options, options))
    #expect(try !selects(["triggers/on"], ["options"], .optionsList, .options, options))
    #expect(try selects(["Returns at least three items"], [], .threeItems, .triggers, ServicePath("triggers", "on")))
    #expect(CheckSelection.Name(parsing: "limit-2") == nil)
  }

  @Test(
    arguments: [
      ("[]", "it is not a JSON object"), ("{}", "it is empty"), (#"{"trigger":[]}"#, nil),
      (#"{"triggers":{}}"#, "triggers is not an array"),
      (#"{"triggers":[{}]}"#, "triggers[0].id is not a text, or empty"),
      (
        #"{"actions":[{"id":"a","fields":[{"id":"f","required":1}]}]}"#,
        "actions[0].fields[0].required is neither true nor false"
      ),
      (#"{"triggers":[{"id":"t","validation":true}]}"#, #"triggers[0].validation is not "contextual""#),
      (
        #"{"triggers":[{"id":"t","validation":"contextual","fields":[{"id":"f"}]}]}"#,
        "triggers[0] has contextual validation, but no field with validation"
      ),
      (#"{"service":{"authentication":"basic"}}"#, #"service.authentication is neither "oauth2" nor "none""#),
    ] as [(String, String?)])
  func definitionsAreChecked(text: String, problem: String?) {
    let error = #expect(throws: ServiceDefinitionError.self) { try ServiceDefinition(parsing: Array(text.utf8)) }
    if let problem { #expect(error?.description == problem) }
  }
}

/// The checks, their manual page and the example of a server have the same names.
@Suite struct CheckNameTests {
  @Test func theManualPageExplainsEachCheck() throws {
    let page = try Checkout.text("man/man7/ifttt-service.7")
    for check in ServiceCheck.all { #expect(page.contains("\n.It Ql \(check.name)\n"), "\(check.name)") }
    #expect(page.components(separatedBy: "\n.It Ql ").count - 1 == ServiceCheck.all.count + 4)
  }

  @Test func theExampleCanBreakEachRule() throws {
    let rules = try Checkout.text("Examples/service/rules.py")
    // A broken token endpoint breaks everything that follows, and so do the redirect and the refresh.
    let others: Set = ["authorize", "token", "refresh"]
    for check in ServiceCheck.all where !others.contains(check.name) {
      #expect(rules.contains("\"\(check.name)\": Rule("), "\(check.name)")
    }
  }
}
