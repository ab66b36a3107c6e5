import CommandLine
import IFTTT
import ProgramDriver
import Support
import Testing

@testable import Commands
@testable import Session

/// For names from other programs, errors suggest this program's equivalents.
@Suite struct UnknownNameTests {
  private func expect(_ suggestion: String, for line: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let run = SandboxHome().run(line)
    #expect(run.code == .usage, sourceLocation: sourceLocation)
    #expect(
      run.errors.contains("Did you mean 'ifttt \(suggestion)'"), "\(run.errors)", sourceLocation: sourceLocation)
  }

  @Test(arguments: [
    ("login", "init"), ("auth", "token verify"), ("whoami", "token verify"), ("setup", "init"),
    ("ls", "connections list"), ("get", "connections show ID"), ("describe Kd7Rn2Qx", "connections show Kd7Rn2Qx"),
    ("delete", "connections remove ID"), ("rm", "connections remove ID"),
    ("applets show mB3xWq7T", "applets fetch mB3xWq7T"), ("profile switch work", "profile use work"),
    ("sandbox ps", "sandbox status"), ("plugin update", "plugin upgrade NAME"), ("connections ls", "connections list"),
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
    expect(suggestion, for: line)
  }

  @Test(arguments: [
    ("stop", "sandbox stop"), ("connections list --json id,name", "--json --fields id,name"),
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

  @Test(arguments: [
    ("list --no-headers", "connections list --no-header"), ("list --enabled", "connections list --status enabled"),
    ("list --json id,name --jq .", "connections list --json --fields id,name --jq ."),
    ("view Kd7Rn2Qx --web", "connections open Kd7Rn2Qx"), ("apply -f a.json", "connections apply a.json"),
    ("connections lsit --stauts enabled", "connections list --status enabled"),
    ("conections lsit --stauts=enabled", "connections list --status=enabled"),
    ("set Kd7Rn2Qx scene=Evening", "configure Kd7Rn2Qx --set scene=Evening"),
    ("update Kd7Rn2Qx --field scene=Evening", "configure Kd7Rn2Qx --set scene=Evening"),
    ("--env sandbox list", "--profile sandbox connections list"), ("help conections", "help connections"),
    ("help ls", "help connections list"), ("fields list Kd7Rn2Qx", "configure --no-input Kd7Rn2Qx"),
    ("unset Kd7Rn2Qx note", "configure Kd7Rn2Qx --set note="), ("get Kd7Rn2Qx -o toml", "connections show Kd7Rn2Qx"),
    ("get Kd7Rn2Qx -o yaml", "connections show Kd7Rn2Qx -o yaml"),
    ("enable Kd7Rn2Qx --set a=b", "configure --set a=b Kd7Rn2Qx"),
    ("field options Kd7Rn2Qx a", "connections options Kd7Rn2Qx a"),
    ("list .id", "connections list --jq .id"),
    ("config set service-key abc", "profile set NAME --service-key-file FILE"),
    ("serve --port 8787 --detach", "sandbox start --port 8787 --detach"),
    ("connections search rain", "connections list --search rain"),
    ("export --output-file a.json", "connections export --all"),
    ("list --page 2 --limit 5", "connections list --limit 5"),
    ("connections list --filter status=enabled", "connections list --status enabled"),
    ("connections list -l 3", "connections list --limit 3"),
    ("connections disable Kd7Rn2Qx -f", "connections disable Kd7Rn2Qx --yes"),
    ("api v2/me -d a=1", "api v2/me --field a=1"), ("connections list --json=true", "connections list --json"),
    ("webhooks trigger evening --key abc --value1 x", "webhook fire evening --webhooks-key-file FILE --value1 x"),
    ("listen --forward-to localhost:3000", "service listen --forward localhost:3000"),
  ]) func allUnknownNamesAreCorrectedAtOnce(line: String, suggestion: String) {
    expect(suggestion, for: line)
  }

  /// If a further name cannot be replaced, the hints on it are shown.
  @Test(arguments: [
    ("list --page 2", "Lists are complete"), ("config get output", "IFTTT_OUTPUT"), ("get Kd7Rn2Qx -o toml", "jsonl"),
    ("list --format '{{.ID}}'", "--jq EXPRESSION"),
    ("location update --lat 37 --lng 1", "a region, not a position"), ("list --api-key abcdef", "never an argument"),
    ("connections list --sort name:desc", "descending order"), ("connections list --order desc", "--sort -FIELD"),
  ]) func hintsOnFurtherNamesAreShown(line: String, words: String) {
    let run = SandboxHome().run(line)
    #expect(run.code == .usage && run.errors.contains(words), "\(run.errors)")
  }

  /// A secret is not repeated in a suggestion, whichever name before it is unknown.
  @Test(arguments: [
    "list --api-key SECRET", "connections list --token SECRET", "lsit --tokne SECRET", "ls SECRET",
    "list --json=SECRET",
    "view --api-url-key SECRET", "connections list --filter SECRET",
  ]) func suggestionsRepeatNoSecret(line: String) {
    let secret = "Zq8v_T2mLr-5YpWc0NdXs7KhGb3JtE9uFa6RiOxQ1lDyVwBk"
    let run = SandboxHome().run(line.replacing("SECRET", with: secret))
    #expect(run.code == .usage && !run.errors.contains(secret), "\(run.errors)")
  }

  @Test(arguments: ["config set service-key hunter2", "secrets put SERVICE_KEY hunter2"])
  func aValueAfterTheNameOfAKeyIsMasked(line: String) {
    let run = SandboxHome().run(line)
    #expect(run.errors.contains("profile set NAME --service-key-file FILE"), "\(run.errors)")
    #expect(!run.errors.contains("hunter2"), "\(run.errors)")
  }

  @Test func possibleSecretsAreNotRepeated() {
    let run = SandboxHome().run("connections list --json=Zq8v_T2mLr-5YpWc0NdXs7")
    #expect(run.errors.contains("--fields selects fields.") && run.errors.ranges(of: "Zq8v").count <= 1)
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
