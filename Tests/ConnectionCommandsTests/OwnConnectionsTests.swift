import ProgramDriver
import Support
import Testing

@testable import Session

/// Commands that only IFTTT supports reject a provider's connection.
@Suite struct OwnConnectionsTests {
  @Test(arguments: [
    "open shelf:s1 --no-browser", "wait shelf:s1 --for status=enabled", "watch shelf:s1", "options shelf:s1",
    "run shelf:s1 lamps.light", "query shelf:s1 lamps.list", "test shelf:s1 lamps.lit",
    "button shelf:s1", "add shelf:s1", "remove shelf:s1",
  ])
  func aProvidersConnectionIsAUsageError(_ command: String) {
    let home = Home()
    let run = home.run("connections \(command)")
    #expect(run.exit == .usage && run.output.isEmpty)
    #expect(run.errors.contains("not a connection at IFTTT, but one of provider 'shelf'"), "\(run.errors)")
    #expect(run.errors.contains("^^^^^^^^"), "the argument is underlined")
  }

  @Test func connectNamesTheProgramsOwnProvider() {
    let run = Home().run("connections open connect:aa --no-browser --json")
    #expect(run.exit == .success && run.output.contains("/connections/aa\""), "\(run.errors)")
  }
}
