import JSON
import ProgramDriver
import Session
import Support
import Testing

/// The descriptions in OpenAPI that `schema openapi` prints.
@Suite struct SchemaCommandTests {
  @Test func printsTheDescriptions() throws {
    let home = SandboxHome()
    let file = home.folder.write("definition.json", try Checkout.text("Examples/service/definition.json"))
    for (line, path) in [
      ("schema openapi", "/v2/connections/{connection_id}/disable"),
      ("schema openapi --service", "/ifttt/v1/triggers/{trigger}"),
      ("schema openapi --service --definition \(file)", "/ifttt/v1/triggers/lamp_switched_on"),
    ] {
      let run = home.run(line)
      let json = try JSONValue(parsing: Array(run.output.utf8))
      #expect(run.code == .success && json["openapi"] == "3.1.0" && json["paths"]?[path] != nil, "\(line)")
    }
    #expect(home.run("schema -o tsv --no-header").output.contains("openapi\tthe HTTP API of the sandbox"))
  }

  @Test(arguments: [
    ("schema --service", "--service needs the name 'openapi'"),
    ("schema error --service", "--service needs the name 'openapi'"),
    ("schema openapi --definition x.json", "--definition needs --service"),
  ])
  func rejectsOptionsWithoutTheirSubject(line: String, problem: String) {
    let run = SandboxHome().run(line)
    #expect(run.code == .usage && run.errors.contains(problem), "\(run.errors)")
  }

  @Test func explainsAFileThatIsNotADefinition() {
    let home = SandboxHome()
    let run = home.run("schema openapi --service --definition \(home.folder.write("x.json", "[]"))")
    #expect(run.code == .failure && run.errors.contains("is not a service definition"), "\(run.errors)")
  }
}
