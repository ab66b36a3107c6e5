import ProgramDriver
import Sandbox
import Testing

@testable import Session

/// The sandbox profile tracks its connections whatever its first command is, until they are removed.
@Suite struct SandboxTrackingTests {
  @Test(arguments: ["token exchange", "profile list", "applets fetch", "connections show Kd7Rn2Qx"])
  func theFirstCommandDoesNotAffectTheList(first: String) {
    let home = SandboxHome()
    #expect(home.run(first + " --quiet").code == .success)
    let list = home.run("connections list --fields id -o tsv --no-header")
    #expect(Set(list.output.split(separator: "\n").map(String.init)) == Set(SandboxFixtures.connectionIDs))
  }

  @Test func removedConnectionsStayUntracked() {
    let home = SandboxHome()
    #expect(home.run("connections remove \(SandboxFixtures.connectionIDs.joined(separator: " "))").code == .success)
    #expect(home.run("connections list --json").output == "[]\n")
  }
}
