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
    ("login", "token exchange"), ("auth", "token exchange"), ("whoami", "token verify"), ("init", "profile create"),
    ("ls", "connections list"), ("get", "connections show"), ("describe Kd7Rn2Qx", "connections show"),
    ("delete", "connections remove"), ("rm", "connections remove"), ("applets list", "fetch"),
    ("applets show mB3xWq7T", "fetch"), ("profile switch work", "use"), ("sandbox status", "env"),
    ("connections ls", "list"), ("connections get", "show"), ("connections rm", "remove"), ("token whoami", "verify"),
    ("plugin uninstall", "remove"), ("connections list --format json", "--output"),
    ("connections list --debug", "--verbose"),
  ]) func foreignNamesSuggestTheRightCommand(line: String, suggestion: String) throws {
    let home = SandboxHome()
    let run = home.run(line)
    #expect(run.code == .usage)
    #expect(run.errors.contains("Did you mean '\(suggestion)'"), "\(run.errors)")
    // The suggested command exists.
    guard !suggestion.hasPrefix("-") else { return }
    let words = suggestion.split(separator: " ").map(String.init)
    let noun = line.split(separator: " ").map(String.init).prefix(1)
    #expect(Root.group.node(at: words) != nil || Root.group.node(at: noun + words) != nil)
  }

  @Test(arguments: [
    ("sandbox stop", "Ctrl-C"), ("connections list --json id,name", "--json --fields id,name"),
    ("connections list --json=id,name", "--json --fields id,name"), ("connections list --limit 5", "head"),
    ("connections edit Kd7Rn2Qx", "'ifttt configure ID'"), ("connections show Kd7Rn2Qx --json=id", "--fields id"),
  ]) func missingFeaturesHaveAnAlternative(line: String, words: String) {
    let run = SandboxHome().run(line)
    #expect(run.code == .usage)
    #expect(run.errors.contains(words), "\(run.errors)")
  }

  @Test func possibleSecretsAreNotRepeated() {
    let run = SandboxHome().run("connections list --json=Zq8v_T2mLr-5YpWc0NdXs7")
    #expect(run.errors.contains("select fields with --fields.") && run.errors.ranges(of: "Zq8v").count <= 1)
  }

  @Test func suggestedCommandsExist() throws {
    var suggestions: [String] = []
    for path in [["login"], ["auth"], ["ls"], ["config"], ["status"], ["logout"]] {
      let advice = ForeignCommandNames.advice(on: .command(path[0], under: []), in: Root.group)
      suggestions += try #require(advice, "\(path)").suggestions
    }
    #expect(!suggestions.isEmpty)
    for suggestion in suggestions {
      #expect(Root.group.node(at: suggestion.split(separator: " ").map(String.init)) != nil, "\(suggestion)")
    }
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
