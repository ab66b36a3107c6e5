import HTTP
import ProgramDriver
import Support
import Testing

@testable import Session

/// Nothing that goes to stderr, and no dry run, repeats a credential, wherever it was typed.
@Suite struct RedactedErrorsTests {
  private static let token = "e1hMq8Zr2TnVb5Kx9WcYd3Lf7Gj0Ps4aTz"
  private static let masked = "e1hM…4aTz"

  /// Runs a line without a server's help, and returns everything that was printed.
  private func shown(
    _ line: String,
    _ environment: [String: String] = [
      "IFTTT_SERVICE_KEY": "key-1-of-the-tests", "IFTTT_USER_TOKEN": "token-of-the-tests",
    ]
  ) -> String {
    let home = Home()
    home.environment = environment
    let server = Server().answering(404, #"{"code":"not_found","message":"no"}"#)
    let run = home.run(line.replacing("TOKEN", with: Self.token), answers: server)
    server.forget()
    return run.output + run.errors
  }

  @Test(arguments: [
    "connections list --service-key-file=TOKEN", "store rekey --passphrase-file TOKEN", "connections show TOKEN",
    "-v connections show TOKEN", "api v2/x/TOKEN", "api https://connect.ifttt.com/v2/x/TOKEN",
    "--profile TOKEN connections list", "-v api v2/me?access_token=TOKEN", "api v2/me?access_token=TOKEN --dry-run",
    "-v api v2/me -f client_secret=TOKEN", "api post v2/x -f client_secret=TOKEN --dry-run --json",
    "api v2/me?code=TOKEN --dry-run --json", "-v api v2/me?code=TOKEN", "api v2/x/TOKEN --dry-run",
    "connections show TOKEN --dry-run -o csv", "connections list TOKEN", "connections list --bogus=TOKEN",
    "api v2/me --header 'X-Other: Bearer TOKEN' --dry-run --json", "plugin install TOKEN", "plugin show TOKEN",
    "schema TOKEN", "profile use TOKEN",
  ])
  func aTypedTokenIsMasked(_ line: String) {
    let shown = shown(line)
    #expect(!shown.contains("Zr2TnVb5Kx9WcYd3"), "\(shown)")
    #expect(shown.contains("…"), "\(shown)")
  }

  /// A file is read from the folder of the program, so these run the program itself.
  @Test(arguments: [
    "token verify --user-token-file TOKEN", "-v token verify --user-token-file=TOKEN",
    "api v2/me --as service --service-key-file TOKEN --json", "webhook fire door --webhooks-key-file TOKEN",
    "-v token exchange --access-token-file TOKEN --user-id u", "token exchange --oauth-code-file TOKEN --user-id u",
    "connections diff TOKEN", "store restore TOKEN",
  ])
  func aTokenTypedAsAFileIsMasked(_ line: String) throws {
    let folder = try ScratchFolder()
    let program = try #require(Tool(path: BuiltProduct.path("ifttt")))
    let words = "--profile sandbox \(line)".split(separator: " ").map {
      String($0).replacing("TOKEN", with: Self.token)
    }
    let run = try program.run(words, in: folder, environment: ["IFTTT_HOME": folder.path + "/home"])
    #expect(!"\(run)".contains("Zr2TnVb5Kx9WcYd3") && "\(run)".contains(Self.masked), "\(run)")
  }

  @Test(arguments: [
    "api post v2/x -f client_secret=hunter2-hunter2 --dry-run --json", "-v api 'v2/me?password=hunter2-hunter2'",
    "plugin install https://kai:hunter2-hunter2@plugins.test/x.tar.gz",
    "plugin install git+https://kai:hunter2-hunter2@h.test/x",
    "plugin index add own https://kai:hunter2-hunter2@h.test/index.json",
    "api https://kai:hunter2-hunter2@h.test/v2/me",
    "service listen --forward http://kai:hunter2-hunter2@127.0.0.1:9/x --count 0",
    "connections list https://kai:hunter2-hunter2@h.test", "store rekey --passphrase-file 'hunter2-hunter2 and more'",
    "profile create x --web-url https://kai:hunter2-hunter2@h.test",
  ])
  func aTypedPasswordIsMasked(_ line: String) {
    let shown = shown(line)
    #expect(!shown.contains("hunter2"), "\(shown)")
    #expect(shown.contains("…"), "\(shown)")
  }

  @Test(arguments: ["connections list KEY", "connections show KEY", "api v2/KEY --dry-run"])
  func aCredentialInTheEnvironmentIsMaskedWithoutAForm(_ line: String) {
    let shown = shown(line.replacing("KEY", with: "own-words"), ["IFTTT_SERVICE_KEY": "own-words"])
    #expect(!shown.contains("own-words"), "\(shown)")
  }

  @Test(arguments: ["IFTTT_PROFILE", "IFTTT_OUTPUT"])
  func aTokenInAVariableForSomethingElseIsMasked(_ name: String) {
    let shown = shown("applets fetch", [name: Self.token])
    #expect(!shown.contains("Zr2TnVb5Kx9WcYd3") && shown.contains(Self.masked), "\(shown)")
  }

  @Test func theCaretStaysAligned() throws {
    for (line, environment) in [
      ("connections list TOKEN --bogus", [:]),
      ("connections list own-words --bogus", ["IFTTT_SERVICE_KEY": "own-words"]),
      ("plugin list https://kai:hunter2-hunter2@h.test --bogus", [:]),
    ] {
      let lines = shown(line, environment).split(separator: "\n").map(String.init)
      let index = try #require(lines.firstIndex { $0.contains("^") })
      let caret = try #require(lines[index].firstRange(of: "^^^^^^^"))
      #expect(
        lines[index - 1].dropFirst(lines[index].distance(from: lines[index].startIndex, to: caret.lowerBound))
          .hasPrefix("--bogus"), "\(lines)")
    }
  }

  @Test func theInviteCodeIsMaskedInADryRun() {
    let shown = shown("connections activate Kd7Rn2Qx --invite-code 213621-90a10d229fbf8177a7ba0e62 --dry-run")
    #expect(!shown.contains("90a10d229fbf8177"), "\(shown)")
  }

  @Test func whatIsNoSecretIsShown() {
    let home = Home()
    home.folder.write("e1hMq8Zr2TnVb5Kx9WcYd3Lf7Gj0Ps4aTz.txt", "")
    let path = home.folder["e1hMq8Zr2TnVb5Kx9WcYd3Lf7Gj0Ps4aTz"]
    home.folder.write("e1hMq8Zr2TnVb5Kx9WcYd3Lf7Gj0Ps4aTz", "")
    for (line, expected) in [
      ("-v token verify --user-token-file \(path)", path),
      ("connections show 123e4567-e89b-12d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174000"),
      ("api v2/users/garage_door_opened_2 --dry-run", "garage_door_opened_2"),
      ("connections show Kd7Rn2Qx", "'Kd7Rn2Qx'"),
      (
        "service notify --trigger-identity 92429d82a41e93048b6d1c4aaf9ee42a --dry-run --json",
        "92429d82a41e93048b6d1c4aaf9ee42a"
      ),
    ] {
      home.environment = ["IFTTT_SERVICE_KEY": "key-1"]
      let server = Server().answering(404, "{}")
      let run = home.run(line, answers: server)
      server.forget()
      #expect((run.output + run.errors).contains(expected), "\(line): \(run.errors)")
    }
  }

  @Test func aResultOnStdoutIsUnchanged() {
    let body = #"{"token":"e1hMq8Zr2TnVb5Kx9WcYd3Lf7Gj0Ps4aTz"}"#
    #expect(Home().run("api v2/me", answers: Server().answering(200, body)).output == body + "\n")
  }

  /// A secret with characters that JSON escapes is not recognized once it is escaped.
  @Test func jsonErrorsAreMaskedBeforeTheyAreEscaped() {
    let shown = shown(#"connections show 'own"words\x' --json"#, ["IFTTT_SERVICE_KEY": #"own"words\x"#])
    #expect(!shown.contains("words"), "\(shown)")
  }
}
