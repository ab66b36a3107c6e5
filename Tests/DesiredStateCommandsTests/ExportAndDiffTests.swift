import ProgramDriver
import Support
import Testing

@testable import CommandContext

/// The state of connections as a file, and its comparison with IFTTT.
@Suite struct ExportAndDiffTests {
  @Test func anExportHasNoDifference() throws {
    let home = Home()
    let exported = home.sandbox("connections export --all")
    #expect(exported.exit == .success && exported.errors == "")
    #expect(exported.output.hasPrefix("{\n  \"version\": 1,\n  \"connections\": [\n"))
    #expect(exported.output == home.sandbox("connections export --all").output)
    let compared = home.sandbox("connections diff - --exit-code --json", input: exported.output)
    #expect(compared.output == "[]\n")
    #expect(compared.exit == .success, "\(compared.errors)")
  }
}
