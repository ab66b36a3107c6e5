import Foundation
import Support
import Testing

/// The output of `schema openapi`, with tools that read OpenAPI: validators, Schemathesis, and a generator of clients.
@Suite(.enabled(if: OpenAPITools.python != nil, Comment(rawValue: OpenAPITools.requirement)))
struct OpenAPIProgramTests {
  private static func document(_ options: [String] = []) throws -> String {
    let outcome = try Home().run(["schema", "openapi"] + options)
    try #require(outcome.status == 0, "\(outcome.errors)")
    return outcome.text
  }

  @Test(arguments: [[], ["--service"], ["--service", "--definition", PartnerServer.definition]])
  func validatorsFindNothing(options: [String]) throws {
    let outcome = try OpenAPITools.run("validate.py", on: Self.document(options))
    #expect(outcome.status == 0 && outcome.output == "", "\(outcome.output)\(outcome.errors)")
  }

  @Test func validatorsFindProblems() throws {
    let broken = try Self.document().replacingOccurrences(of: #""in":"path""#, with: #""in":"nowhere","about":"x""#)
    let outcome = try OpenAPITools.run("validate.py", on: broken)
    #expect(outcome.status != 0 || outcome.output != "")
  }

  /// - Parameter cases: The minimum number of requests.
  private func fuzz(_ document: String, _ url: String, seed: Int, _ header: [String], cases: Int) throws {
    let outcome =
      switch header.count {
      case 0: try OpenAPITools.run("fuzz.py", on: document, url, "\(seed)")
      case 1: try OpenAPITools.run("fuzz.py", on: document, url, "\(seed)", header[0])
      default: try OpenAPITools.run("fuzz.py", on: document, url, "\(seed)", header[0], header[1])
      }
    let summary = outcome.output.firstMatch(of: /(\d+) generated, (\d+) passed/)
    let numbers = try #require(summary, "\(outcome.output)\(outcome.errors)").output
    #expect(outcome.status == 0 && numbers.1 == numbers.2, "\(outcome.output)")
    #expect(Int(numbers.1) ?? 0 >= cases)
  }

  @Test(arguments: ["none", "IFTTT_SERVICE_KEY", "IFTTT_USER_TOKEN"])
  func schemathesisFindsNothingInTheSandbox(credential: String) throws {
    let server = try SandboxServer()
    let secret = server.environment[credential] ?? ""
    let header =
      switch credential {
      case "none": [String]()
      case "IFTTT_SERVICE_KEY": ["IFTTT-Service-Key: \(secret)"]
      default: ["Authorization: Bearer \(secret)"]
      }
    try fuzz(Self.document(), server.url, seed: credential.count, header, cases: 1500)
  }

  @Test(arguments: [true, false], [true, false])
  func schemathesisFindsNothingInTheService(signsIn: Bool, hasDefinition: Bool) throws {
    let server = try PartnerServer(signsIn ? [] : ["--no-sign-in"])
    let folder = TemporaryFolder()
    let definition =
      signsIn ? PartnerServer.definition : try PartnerServer.definitionWithoutSignIn(in: folder)
    let key = "IFTTT-Service-Key: \(PartnerServer.serviceKey)"
    try fuzz(
      Self.document(["--service"] + (hasDefinition ? ["--definition", definition] : [])), server.url, seed: 1,
      signsIn ? [key, "Authorization: Bearer \(server.accessToken())"] : [key], cases: 500)
  }

  @Test func aGeneratedClientDisablesAConnection() throws {
    let server = try SandboxServer()
    let token = try #require(server.environment["IFTTT_USER_TOKEN"])
    let outcome = try OpenAPITools.run(
      "client.py", on: Self.document(), server.url, token, "Kd7Rn2Qx", "lampost")
    #expect(outcome.output == "True\nenabled\ndisabled\ndisabled\nNone\nnot_found\n", "\(outcome.errors)")
  }
}
