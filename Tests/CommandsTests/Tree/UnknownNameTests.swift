import CommandLine
import IFTTT
import ProgramDriver
import Support
import Testing

@testable import Commands
@testable import Session

/// For names from other programs, errors suggest this program's equivalents.
@Suite struct UnknownNameTests {
  @Test(arguments: [
    ("login", "token exchange"), ("auth", "token verify"), ("whoami", "token verify"), ("setup", "init"),
    ("ls", "connections list"), ("get", "connections show ID"), ("describe Kd7Rn2Qx", "connections show Kd7Rn2Qx"),
    ("delete", "connections remove ID"), ("rm", "connections remove ID"),
    ("applets show mB3xWq7T", "applets fetch mB3xWq7T"), ("profile switch work", "profile use work"),
    ("sandbox status", "sandbox env"), ("plugin update", "plugin upgrade NAME"), ("connections ls", "connections list"),
    ("connections get", "connections show ID"), ("connections rm", "connections remove ID"),
    ("token whoami", "token verify"), ("plugin uninstall", "plugin remove NAME"),
    ("connections list --format json", "connections list --output json"),
    ("connections list --debug", "connections list --verbose"),
    ("connections edit Kd7Rn2Qx", "configure Kd7Rn2Qx"),
    ("connections list --filter rain", "connections list --search rain"),
    ("connections list --sort-by name", "connections list --sort name"),
    ("connections watch --limit 3", "connections watch --count 3"),
    ("service listen --limit 3", "service listen --count 3"),
    ("location replay walk.gpx --limit 20", "location replay walk.gpx --max-regions 20"),
    ("location map walk.gpx --limit 20", "location map walk.gpx --max-regions 20"),
  ]) func foreignNamesSuggestTheRightCommand(line: String, suggestion: String) {
    let run = SandboxHome().run(line)
    #expect(run.code == .usage)
    #expect(run.errors.contains("Did you mean 'ifttt \(suggestion)'"), "\(run.errors)")
  }

  @Test(arguments: [
    ("sandbox stop", "Ctrl-C"), ("connections list --json id,name", "--json --fields id,name"),
    ("connections list --json=id,name", "--json --fields id,name"),
    ("connections show Kd7Rn2Qx --json=id", "--fields id"),
    ("connections enable Kd7Rn2Qx --limit 5", "Only commands that print a list"),
    ("connections enable --all --sort id", "unknown option '--sort'"), ("connections list -f id", "--fields A,B.C"),
    ("connections show Kd7Rn2Qx --sort name", "Only commands that print a list"),
    ("doctor --search network", "Only commands that print a list"),
    ("doctor --filter network", "Only commands that print a list"),
    ("connections watch --sort name", "--count"), ("service listen --search x", "grep"),
  ]) func missingFeaturesHaveAnAlternative(line: String, words: String) {
    let run = SandboxHome().run(line)
    #expect(run.code == .usage)
    #expect(run.errors.contains(words), "\(run.errors)")
  }

  @Test func possibleSecretsAreNotRepeated() {
    let run = SandboxHome().run("connections list --json=Zq8v_T2mLr-5YpWc0NdXs7")
    #expect(run.errors.contains("select fields with --fields.") && run.errors.ranges(of: "Zq8v").count <= 1)
  }

  @Test(arguments: [
    ("https://ifttt.com/applets/Kd7Rn2Qx", "Kd7Rn2Qx"), ("https://ifttt.com/connections/Kd7Rn2Qx/edit", "Kd7Rn2Qx"),
    ("https://ifttt.com/connections/Kd7Rn2Qx?from=mail#top", "Kd7Rn2Qx"), ("ifttt.com/applets/Kd7Rn2Qx/", "Kd7Rn2Qx"),
    ("https://ifttt.com/connect/Kd7Rn2Qx", "Kd7Rn2Qx"), ("https://ifttt.com/access/api/Kd7Rn2Qx", "Kd7Rn2Qx"),
    ("https://ifttt.com/applets/Kd7Rn2Qx-turn-on-the-lamp", "Kd7Rn2Qx"),
    ("https://connect.ifttt.com/v2/connections/Kd7Rn2Qx", "Kd7Rn2Qx"),
    ("http://127.0.0.1:8080/connections/Kd7Rn2Qx", "Kd7Rn2Qx"), ("HTTPS://WWW.IFTTT.COM/applets/Kd7Rn2Qx", "Kd7Rn2Qx"),
    ("https://ifttt.com/applets/1b4e28ba-2fa1-11d2-883f-0016d3cca427", "1b4e28ba-2fa1-11d2-883f-0016d3cca427"),
    ("https://ifttt.com/explore", nil), ("https://ifttt.com/applets/", nil), ("https://ifttt.com", nil),
    ("https://", nil), ("https://ifttt.com/applets/..", nil), ("http:///applets", nil),
  ]) func findsTheIDInAURL(address: String, id: String?) {
    #expect(ConnectionURL.isURL(address))
    #expect(ConnectionURL.id(in: address)?.description == id)
  }

  @Test func aURLIsAcceptedInPlaceOfAnID() {
    let home = SandboxHome()
    #expect(home.run("connections remove Kd7Rn2Qx").code == .success)
    let added = home.run("connections add https://ifttt.com/applets/Kd7Rn2Qx-an-applet --json")
    #expect(added.code == .success && added.output.contains(#""id":"Kd7Rn2Qx""#), "\(added.errors)")
    #expect(home.run("connections show https://ifttt.com/connections/Kd7Rn2Qx --json --fields id").code == .success)
    #expect(home.run("connections add https://example.com/what").code == .usage)
  }
}
