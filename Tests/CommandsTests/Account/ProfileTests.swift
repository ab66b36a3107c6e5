import ProgramDriver
import Support
import Testing

@testable import Session

/// The life of a profile: creating, selecting, showing, changing and removing it.
@Suite struct ProfileTests {
  @Test func aProfileIsCreatedWithItsCredentialsOrNotAtAll() {
    let home = Home()
    let key = home.folder.write("key.txt", "service-key-0123456789-abcdefgh\n")
    home.environment["IFTTT_STORE_KEY_FILE"] = home.folder["missing.key"]
    let refused = home.run("profile create work --service lampost --service-key-file \(key) --use --json")
    #expect(refused.exit == .store)
    home.environment = [:]
    #expect(home.run("profile show work").exit == .notFound)
    #expect(
      home.run("profile list -o csv --no-header --fields name,current").lines == ["default,true", "sandbox,false"])
    #expect(home.run("profile create work --service-key-file \(key) --use --user-id u-1").exit == .success)
    #expect(
      home.run("profile show --json --fields name,credentials").output
        == #"{"name":"work","credentials":["service_key"]}"# + "\n")
  }

  @Test func twoProfilesAlwaysExist() {
    let home = Home()
    #expect(
      home.run("profile list -o csv --no-header --fields name,current").lines == ["default,true", "sandbox,false"])
    #expect(home.run("profile show sandbox --json --fields name").output == #"{"name":"sandbox"}"# + "\n")
    #expect(home.folder.names == [], "reading creates no files")
  }

  /// One base URL takes the place of all of IFTTT's, so that no request reaches IFTTT by mistake.
  @Test func aServerReplacesAllOfIFTTTs() {
    let home = Home()
    let made = home.run("profile create local --base-url http://127.0.0.1:8811 --api-url http://127.0.0.1:1 --use")
    #expect(made.lines.last == "SERVERS:      http://127.0.0.1:8811, http://127.0.0.1:1", "\(made.output)")
    let settings = ["connect", "location", "api", "web", "realtime", "webhooks"].map { "settings.\($0)_url" }
    #expect(
      home.run("profile show -o csv --no-header --fields \(settings.joined(separator: ","))").output
        == "http://127.0.0.1:8811,http://127.0.0.1:8811,http://127.0.0.1:1,"
        + "http://127.0.0.1:8811,http://127.0.0.1:8811,http://127.0.0.1:8811\n")
    #expect(home.run("profile set local --base-url ''").exit == .success)
    #expect(home.run("profile show --json --fields servers").output == #"{"servers":[]}"# + "\n")
  }

  @Test func theServiceIsASlugOrItsURL() {
    let home = Home()
    #expect(home.run("profile create work --service https://ifttt.com/lampost").lines.contains("SERVICE:      lampost"))
    #expect(home.run("profile set work --service lampost/x").exit == .usage)
  }

  @Test func theSandboxIsNotCreated() {
    let run = Home().run("profile create sandbox --service lampost")
    #expect(run.exit == .failure && run.errors.contains("profile 'sandbox' is built in"))
  }

  @Test func aProfileIsCreatedChangedAndRemoved() {
    let home = Home()
    home.secrets = ["service-key-0123456789-abcdef"]
    let key = home.folder.write("key.txt", "service-key-0123456789-abcdef\n")
    let made = home.run("profile create staging --service lampost --user-id u-1 --service-key-file \(key) --use --json")
    #expect(made.exit == .success)
    #expect(made.output.hasPrefix(#"{"name":"staging","current":true,"settings":{"#))
    #expect(made.output.contains(#""service":"lampost""#))
    #expect(
      made.output.hasSuffix(
        #""credentials":["service_key"],"tracked":0,"servers":[],"commands":[],"origins":null}"# + "\n"))
    let server = Server().answering(200, Server.connection("aa"))
    home.run("connections show aa", answers: server)
    #expect(server.asked == ["GET connect.ifttt.com/v2/connections/aa?user_id=u-1"])
    let taken = home.run("profile create staging")
    #expect(taken.exit == .failure)
    #expect(
      taken.errors == """
        ifttt: profile 'staging' already exists
          Change a setting with 'ifttt profile set staging --service SLUG', or choose another name.

        """)
    let changed = home.run("profile set staging --user-id ''")
    #expect(changed.exit == .success, "\(changed.errors)")
    #expect(
      home.run("profile show --json --fields settings.user_id,settings.service").output
        == #"{"settings.user_id":null,"settings.service":"lampost"}"# + "\n")
    #expect(home.run("profile use default").errors == "The default profile is now 'default'.\n")
    #expect(home.run("connections list --json").output == "[]\n", "each profile tracks its own")
    let asked = home.run("profile remove staging")
    #expect(asked.exit == .failure)
    #expect(asked.notes.last == "  Pass --yes.")
    #expect(home.run("profile remove staging --yes").errors == "Removed profile 'staging'.\n")
    #expect(home.run("--profile staging connections list").exit == .notFound)
  }

  @Test func onlyAnExistingProfileIsChanged() {
    let home = Home()
    #expect(home.run("profile set work --user-id u-1").exit == .notFound)
    #expect(home.run("profile set default").exit == .usage, "a setting is required")
    #expect(home.run("profile set default --user-id u-1 --dry-run").errors == "Would change profile 'default'.\n")
    #expect(home.folder.names == [])
    #expect(home.run("profile set default --user-id u-1").exit == .success)
    #expect(
      home.run("profile show --json --fields settings.user_id").output == #"{"settings.user_id":"u-1"}"# + "\n")
    #expect(home.run("profile create work --use").exit == .success)
    #expect(home.run("profile set default --use").exit == .success)
    #expect(home.run("profile show --json --fields name").output == #"{"name":"default"}"# + "\n")
  }

  @Test func secretsAreTypedWithoutEcho() {
    let home = Home()
    home.secrets = ["service-key-0123456789-abcdef"]
    home.terminal = .interactive()
    let made = home.run(
      "profile create staging --service-key-file - --json --fields credentials",
      input: .typed(secrets: ["service-key-0123456789-abcdef"]))
    #expect(made.errors == "service key: \n")
    #expect(made.output.contains("service_key"))
    let twice = home.run("profile create other --service-key-file - --user-token-file -", input: .typed(secrets: ["k"]))
    #expect(twice.exit == .usage)
  }

  @Test func removingTheDefaultProfileRemovesItsData() {
    let home = Home()
    let none = home.run("profile remove default --yes")
    #expect(
      none.errors == """
        ifttt: nothing is stored for profile 'default'
          the profile is built in and always exists
          To list the profiles, run: ifttt profile list

        """)
    #expect(none.exit == .notFound)
    home.run("connections add Kd7Rn2Qx --offline")
    #expect(
      home.run("profile remove default --dry-run").errors == "Would remove the stored data of profile 'default'.\n")
    #expect(home.run("profile remove default --yes").errors == "Removed the stored data of profile 'default'.\n")
    #expect(home.run("profile remove default --yes").exit == .notFound)
  }

  @Test func removingPromptsOnATerminal() {
    let home = Home()
    home.environment["NO_COLOR"] = "1"
    home.run("profile create old")
    home.terminal = .interactive()
    let question = "Remove profile 'old' with its credentials and tracked connections? [y/N] "
    for answer in ["n", "", "yess"] {
      let declined = home.run("profile remove old", input: .typed(lines: [answer]))
      #expect(declined.errors.hasPrefix(question + "ifttt: not confirmed, nothing was changed\n"))
      #expect(declined.exit == .failure)
    }
    #expect(home.run("profile remove old", input: .typed(lines: ["Y"])).errors == question + "Removed profile 'old'.\n")
  }

  @Test(arguments: [
    "connections list", "profile use nope", "profile show nope", "profile remove nope --yes", "token list",
  ])
  func missingProfilesAreReported(_ line: String) {
    let home = Home()
    let missing = home.run(line.hasPrefix("profile") ? line : "--profile nope \(line)")
    #expect(
      missing.errors == """
        ifttt: no profile 'nope'
          Create it with 'ifttt profile create nope', or list all with 'ifttt profile list'.

        """)
    #expect(missing.exit == .notFound)
    #expect(home.folder.names == [])
  }

  @Test func anInvalidNameIsAUsageError() {
    let refused = Home().run("--profile '../x' connections list")
    #expect(refused.exit == .usage)
    #expect(
      refused.notes.first
        == "ifttt: invalid value '../x' for '--profile': expected up to 64 letters, digits, '.', '_' and '-', beginning with a letter or digit"
    )
  }

  @Test func aDryRunChangesNothing() {
    let home = Home()
    home.run("profile create old")
    #expect(home.run("profile remove old --dry-run").errors == "Would remove profile 'old'.\n")
    #expect(home.run("profile create new --dry-run").errors == "Would create profile 'new'.\n")
    #expect(home.run("profile use old --dry-run --json").output == "[]\n")
    #expect(
      home.run("profile list -o csv --no-header --fields name,current").lines == [
        "default,true", "old,false", "sandbox,false",
      ])
  }
}
