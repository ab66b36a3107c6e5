import JSON
import ProgramDriver
import Support
import Testing

@testable import Session

/// Help and version output need no store, no clock and no folder.
@Suite struct VersionHelpTests {
  @Test(arguments: ["version", "--version", "-V", "connections list --version", "-V nonsense --bad"])
  func everyVersionOptionPrintsTheVersion(_ line: String) {
    let shown = Home().run(line)
    if line.contains("nonsense") {
      #expect(shown.exit == .usage)
    } else {
      #expect(shown.output == "ifttt \(programVersion)\n")
      #expect(shown.exit == .success)
    }
    #expect(shown.errors.isEmpty == (shown.exit == .success))
  }

  @Test func versionPrintsJSON() throws {
    let facts = try JSONValue(parsing: Array(Home().run("version --json").output.utf8))
    #expect(facts["name"] == "ifttt")
    #expect(facts["version"]?.string == programVersion)
    #expect(facts["swift"]?.string?.first == "6")
    #expect(facts["sqlite"]?.string?.hasPrefix("3.") == true)
    #expect(facts["libcurl"]?.string?.split(separator: ".").compactMap { Int($0) }.count == 3)
    // This build does not define them.
    #expect(facts["commit"]?.isNull == true)
    #expect(facts["build_date"]?.isNull == true)
    #expect(Home().run("version --fields version -o csv --no-header").output == programVersion + "\n")
  }

  @Test(arguments: [
    "", "--help", "-h", "connections", "help connections list", "connections list --help", "connections list -h",
  ])
  func everyHelpOptionPrintsHelp(_ line: String) {
    let shown = Home().run(line)
    #expect(shown.output.contains("ifttt"))
    #expect(shown.output.contains(line.contains("list") ? "--status" : "connections"))
    #expect(shown.errors == "")
    #expect(shown.exit == .success)
  }

  @Test func helpPrintsJSON() throws {
    let shown = Home().run("help --json")
    #expect(try JSONValue(parsing: Array(shown.output.utf8)).object != nil)
    #expect(Home().run("help nonsense").exit == .usage)
  }

  @Test func everyListedSchemaIsPrinted() throws {
    let names = Home().run("schema -o csv --no-header --fields name").lines
    #expect(names.contains("connections-list") && names.contains("error"))
    // That schema has a dialect of its own.
    for name in names where name != "openapi" {
      let shown = Home().run("schema \(name)")
      let schema = try JSONValue(parsing: Array(shown.output.utf8))
      #expect(schema["$schema"] == "https://json-schema.org/draft/2020-12/schema")
      #expect(schema["$id"] == .string("urn:ifttt-cli:schema:\(name):\(programVersion)"))
    }
    #expect(Home().run("schema connections list").output == Home().run("schema connections-list").output)
    let unknown = Home().run("schema nonsense")
    #expect(unknown.exit == .notFound)
    #expect(unknown.notes.last == "  List them with 'ifttt schema'.")
    let mistyped = Home().run("schema connections lst")
    #expect(mistyped.notes.last?.contains("'connections-list'") == true)
  }
}
