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

  /// In one run, because the validators take longer to start than to read the documents.
  @Test func validatorsFindProblemsOnlyInABrokenDocument() throws {
    let options: [String: [String]] = [
      "connect": [], "service": ["--service"],
      "definition": ["--service", "--definition", PartnerServer.definition],
    ]
    var documents = try options.mapValues { try Self.document($0) }
    documents["broken"] = documents["connect"]?.replacingOccurrences(
      of: #""in":"path""#, with: #""in":"nowhere","about":"x""#)
    let outcome = try OpenAPITools.validate(documents)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = Set(outcome.output.split(separator: "\n").map(String.init))
    let valid = Set(options.keys.map { "\($0).json: no problems" })
    let others = lines.subtracting(valid)
    #expect(valid.isSubset(of: lines), "\(outcome.output)")
    #expect(!others.isEmpty && others.allSatisfy { $0.hasPrefix("broken.json: ") }, "\(outcome.output)")
    #expect(!lines.contains("broken.json: no problems"), "\(outcome.output)")
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
