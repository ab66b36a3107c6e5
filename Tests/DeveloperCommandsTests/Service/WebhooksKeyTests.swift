import HTTP
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// The webhooks key: its sources, its addresses, and that it is shown and recorded nowhere.
@Suite struct WebhooksKeyTests {
  private static let key = "kEy0123456789-abcdefghijklmn_opq"
  private let home = Home()

  init() { home.secrets.append(Self.key) }

  /// The key with which an event is fired, or nil if nothing is sent.
  private func used(_ options: String = "", input: ScriptedInput? = nil) -> String? {
    let server = Server().answering(200)
    let run = home.run("webhook fire door \(options)", input: input, answers: server)
    if run.exit != .success { server.forget() }
    return server.requests.first?.url.wire.split(separator: "/").last.map(String.init)
  }

  @Test(arguments: [
    key, "https://maker.ifttt.com/use/\(key)", "maker.ifttt.com/use/\(key)?lang=en",
    "https://maker.ifttt.com/trigger/window/with/key/\(key)", "https://maker.ifttt.com/trigger/a/json/with/key/\(key)/",
    "/use/\(key)",
  ])
  func theKeyOrAnAddressIsAccepted(_ text: String) {
    let file = home.folder.write("key.txt", text + "\r\n")
    #expect(used("--webhooks-key-file \(file)") == Self.key)
    #expect(used("--webhooks-key-file -", input: .text(text + "\n")) == Self.key)
    home.environment["IFTTT_WEBHOOKS_KEY"] = text
    #expect(used() == Self.key)
    let note = "The webhooks key is in the form of a URL; only the key in it is used.\n"
    let run = home.run("webhook fire door", answers: Server().answering(200))
    #expect(run.errors.contains(note) == (text != Self.key))
  }

  @Test(arguments: ["two words", "https://maker.ifttt.com/", "a/b", "key?", "https://maker.ifttt.com/use/", "é"])
  func otherTextIsRejected(_ text: String) {
    let file = home.folder.write("key.txt", text)
    let run = home.run("webhook fire door --webhooks-key-file \(file)")
    #expect(run.exit == .credentials)
    #expect(run.errors.contains("does not contain a webhooks key"))
  }

  @Test func theKeyIsStoredInTheProfile() {
    let file = home.folder.write("key.txt", "https://maker.ifttt.com/use/\(Self.key)")
    let made = home.run("profile create work --webhooks-key-file \(file) --use --json --fields credentials")
    #expect(made.output == #"{"credentials":["webhooks_key"]}"# + "\n")
    #expect(used() == Self.key)
    let other = "other-key-0123456789-abcdefghijklm"
    home.environment["IFTTT_WEBHOOKS_KEY"] = other
    #expect(used() == other)
    #expect(used("--webhooks-key-file \(file)") == Self.key)
  }

  @Test func theBaseURLsAreStoredInTheProfile() {
    home.run(
      "profile create work --use --realtime-url http://127.0.0.1:7 --webhooks-url http://127.0.0.1:8")
    home.environment = ["IFTTT_WEBHOOKS_KEY": Self.key, "IFTTT_SERVICE_KEY": "service-key-0123456789"]
    let server = Server().answering(200)
    home.run("webhook fire door", answers: server)
    let realtime = Server().answering(200)
    home.run("service notify --user-id u-1", answers: realtime)
    #expect((server.requests + realtime.requests).map(\.url.port) == [8, 7])
  }

  @Test func theKeyIsTypedWithoutEcho() {
    home.terminal = .interactive()
    let run = home.run(
      "webhook fire door", input: .typed(secrets: ["https://maker.ifttt.com/use/\(Self.key)"]),
      answers: Server().answering(200))
    #expect(run.exit == .success && run.errors.contains("\nwebhooks key: \n"))
  }

  @Test func theKeyIsNeeded() {
    #expect(
      home.run("webhook fire door").errors == """
        ifttt: 'webhook fire' needs a webhooks key
          - webhooks key: pass --webhooks-key-file FILE or set IFTTT_WEBHOOKS_KEY. Copy the key from \
        https://ifttt.com/maker_webhooks/settings. It is not the service key.
          To store it, run 'ifttt profile set default --webhooks-key-file FILE'.

        """)
  }

  // MARK: Arguments

  /// Command lines with an address, none of which may be repeated.
  @Test(arguments: [
    "webhook fire ADDRESS", "webhook fire door ADDRESS", "webhook fire door --value1 ADDRESS",
    "webhook fire door --value2=ADDRESS", "webhook fire door --webhooks-key-file ADDRESS",
    "webhook fire door --json-file ADDRESS", "profile create a --webhooks-key-file ADDRESS", "ADDRESS",
    "webhook ADDRESS", "webhook fire ADDRESS --bogus", "--bogus webhook fire ADDRESS", "webhook fire --bogus=ADDRESS",
    "service notify ADDRESS", "webhook fire door --stdin=ADDRESS", "connections list --status ADDRESS",
  ])
  func anAddressInAnArgumentIsNotRepeated(_ line: String) {
    for address in [
      "https://maker.ifttt.com/use/\(Self.key)", "https://maker.ifttt.com/trigger/door/with/key/\(Self.key)",
      "http://127.0.0.1:1/trigger/door/json/with/key/\(Self.key)",
    ] {
      for options in ["", " --json", " -v"] {
        let run = home.run(line.replacing("ADDRESS", with: address) + options)
        #expect(run.exit == .usage, "\(run.errors)")
        for part in ["maker.ifttt", "/with/", "trigger/door", String(Self.key.prefix(8)), String(Self.key.suffix(8))] {
          #expect(!run.errors.contains(part), "\(run.errors)")
        }
      }
    }
  }

  @Test(arguments: ["/use/\(key)", "x/use/\(key)", "/with/key/\(key)", "/USE/\(key)/"])
  func aPartOfAnAddressIsNotRepeatedEither(_ text: String) {
    let run = home.run("webhook fire \(text)")
    #expect(run.exit == .usage)
    #expect(!run.errors.lowercased().contains("/use/") && !run.errors.contains("/with/key"))
    let shown = "\(text.prefix(4))…\(text.suffix(4))"
    #expect(
      run.errors == """
        ifttt: invalid value '\(shown)' for 'EVENT': it contains a webhooks key, which must not be an argument; pass the \
        event's name, and the key with --webhooks-key-file FILE
          ifttt webhook fire \(shown)
                             ^^^^^^^^^
        Run 'ifttt webhook fire --help' for usage.

        """)
  }

  @Test func theKeyAsTheEventIsRejected() {
    home.environment["IFTTT_WEBHOOKS_KEY"] = "abcdefghij0123456789ABCDEFGHIJ"
    let run = home.run("webhook fire abcdefghij0123456789ABCDEFGHIJ")
    #expect(run.exit == .usage)
    #expect(run.errors.hasPrefix("ifttt: the name of the event is the webhooks key\n"))
    #expect(!run.errors.contains("abcdefghij"))
  }

  @Test func otherPathsAreAccepted() {
    home.environment["IFTTT_WEBHOOKS_KEY"] = Self.key
    let server = Server().answering(200)
    #expect(home.run("webhook fire door --value1 https://example.com/use/this", answers: server).exit == .success)
  }

  // MARK: Everything that is written

  /// Servers that repeat the key, and every way to see a run: the trace, the error, the recording and its replay.
  @Test(arguments: [200, 401, 404, 429, 500, 0], ["", "--json", "-v", "-v --json"])
  func theKeyIsNotRevealed(_ status: Int, _ options: String) {
    home.environment = ["IFTTT_WEBHOOKS_KEY": Self.key, "TMPDIR": home.folder.path]
    let url = "https://maker.ifttt.com/trigger/door/with/key/\(Self.key)"
    let folder = home.folder["r"]
    let server =
      status == 0
      ? Server().failing(.broken, "no response from \(url)", mayHaveArrived: true)
      : Server().answering(
        status, #"{"errors":[{"message":"\#(url) and \#(Self.key)"}],"message":"at \#(url)"}"#,
        headers: [Server.field("X-Echo", url), Server.field("X-Request-ID", Self.key)])
    let run = home.run("webhook fire door --value1 a \(options) --record \(folder)", answers: server)
    #expect(server.requests.count == 1)
    check([run.output, run.errors], run)
    check(home.folder.names.compactMap { home.folder.text($0) }, run)
    #expect(home.folder.text("r/0001.json")?.contains("/with/key/kEy0-stand-in-for-a-secret-_opq") == true)
    let replay = home.run("webhook fire door --value1 a \(options) --replay \(folder)")
    #expect(replay.exit == run.exit)
    #expect(replay.output == run.output)
  }

  /// No longer part of the key appears, in plain form or encoded.
  private func check(_ texts: [String], _ run: Home.Outcome) {
    for text in texts { #expect(!text.contains("0123456789") && !text.contains("abcdefghij"), "\(text)") }
  }

  @Test func aDryRunDoesNotRevealTheKeyInTheBody() {
    home.environment["IFTTT_WEBHOOKS_KEY"] = Self.key
    let json = #"{"then":"https://maker.ifttt.com/trigger/next/with/key/\#(Self.key)"}"#
    let run = home.run("webhook fire door --stdin --dry-run --json -v", input: .text(json))
    #expect(run.exit == .success && run.output.contains("kEy0…_opq"))
    check([run.output, run.errors], run)
  }

  @Test func theRecordedCommandLineHasNoKey() {
    let file = home.folder.write("key.txt", Self.key)
    home.environment = ["TMPDIR": home.folder.path]
    home.run(
      "webhook fire door --webhooks-key-file \(file) --record \(home.folder["r"])", answers: Server().answering(200))
    #expect(home.folder.text("r/recording.json")?.contains("kEy0-stand-in-for-a-secret-_opq") == true)
    let replay = home.run("webhook fire door --webhooks-key-file \(file) --replay \(home.folder["r"]) --json")
    #expect(replay.exit == .success && replay.output.contains(#""event":"door""#))
  }
}
