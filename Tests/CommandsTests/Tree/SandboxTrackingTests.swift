import ProgramDriver
import Sandbox
import Testing

@testable import CommandContext

/// The sandbox profile shows its connections whatever is done there first, until they are untracked.
@Suite struct SandboxTrackingTests {
  @Test(arguments: ["token exchange", "profile list", "applets fetch", "connections show Kd7Rn2Qx"])
  func firstCommandLeavesEverythingToTheList(first: String) {
    let home = SandboxHome()
    #expect(home.run(first + " --quiet").code == .success)
    let list = home.run("connections list --fields id -o tsv --no-header")
    #expect(Set(list.output.split(separator: "\n").map(String.init)) == Set(SandboxFixtures.connectionIDs))
  }

  @Test func whatWasUntrackedStaysSo() {
    let home = SandboxHome()
    #expect(home.run("connections remove \(SandboxFixtures.connectionIDs.joined(separator: " "))").code == .success)
    #expect(home.run("connections list --json").output == "[]\n")
  }
}
