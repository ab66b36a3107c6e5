import CommandLine
import Testing
import Text

/// A secret that is typed as an argument is not shown again.
@Suite struct SecretTests {
  static let secret = "hunter2-hunter2"

  @Test(arguments: [
    "token exchange --user-token SECRET", "token exchange --user-token=SECRET", "--user-token SECRET token exchange",
    "token exchange -user-token SECRET", "--service-key SECRET conections", "conections --service-key SECRET",
    "conections list --access-token=SECRET", "token exchange --OAUTH-CODE SECRET", "token --client_secret SECRET",
    "token exchange --password=SECRET", "conections IFTTT_SERVICE_KEY=SECRET", "IFTTT_SERVICE_KEY=SECRET",
    "connections list 'Authorization: Bearer SECRET'", "connections list 'Bearer:SECRET'",
    "connections list https://a.test/?x=y&user_token=SECRET", "connections show a --invite-code SECRET",
    "connections show a --invite-code=SECRET", "connections show --bogus --invite-code SECRET",
    "token exchange --user-token 'SECRET a b'", "connections list -token SECRET",
    "token exchange --user-token -9SECRET",
    "token exchange --passphrase SECRET --bogus",
    "token --user-token SECRET --user-token=SECRET", "token exchange --user-token SECRET:key=SECRET",
  ])
  func secretsAreNeverEchoed(_ line: String) throws {
    let error = try Sample.error(line.replacing("SECRET", with: Self.secret))
    let text = error.lines.joined(separator: "\n")
    #expect(!text.contains("hunter2"))
    #expect(text.contains("…"))
  }

  @Test func suggestsTheFileOption() throws {
    #expect(
      try Sample.error("token exchange --user-token abc -q").lines == [
        "ifttt: unknown option '--user-token'",
        "  ifttt token exchange --user-token … -q",
        "                       ^^^^^^^^^^^^",
        "Did you mean '--user-token-file'?",
        "Do not pass a secret as an argument: use --user-token-file FILE.",
        "Run 'ifttt token exchange --help' for usage.",
      ])
    #expect(
      try Sample.error("token exchange --service-key=abc").hints.map(\.text) == ["Do not pass a secret as an argument."]
    )
    #expect(try Sample.error("token exchange --service-key=abc").line == "ifttt token exchange --service-key=…")
  }

  @Test func anOptionOfAnotherCommandIsNotTreatedAsASecret() throws {
    let error = try Sample.error("connections list --invite-code abcde")
    #expect(error.hints.map(\.text) == ["It is an option of 'ifttt connections show'."])
    #expect(try #require(error.line) == "ifttt connections list --invite-code …")
  }

  @Test func anInvalidInviteCodeIsMasked() throws {
    let error = try Sample.error("connections show a --invite-code=hunter2")
    #expect(error.message == "invalid value '…' for '--invite-code': expected five letters")
    #expect(error.line == "ifttt connections show a --invite-code=…")
    #expect(error.caret == 39..<40)
    let variable = try Sample.error("connections show a", ["IFTTT_INVITE_CODE": "hunter2"])
    #expect(variable.message == "invalid value '…' for '--invite-code' in IFTTT_INVITE_CODE: expected five letters")
  }

  @Test(arguments: [
    ("connections list --exit-code lots", "lots"), ("token exchange --user-token-file path --bogus", "path"),
    ("token exchange --user-token-file=path --bogus", "=path"), ("token exchange --user-token --json", "--json"),
    ("connections list --user-token= visible", "visible"), ("connections list https://a.test/x", "https://a.test/x"),
  ])
  func theRestOfTheLineIsShown(_ line: String, _ shown: String) throws {
    #expect(try #require(try Sample.error(line).line).contains(shown))
  }

  @Test func aVeryLongSecretIsMasked() throws {
    let secret = String(repeating: "hunter2", count: 200_000)
    for words in [
      ["token", "exchange", "--user-token=" + secret], ["token", "exchange", "--user-token", secret, "--x"],
    ] {
      let error = try Sample.error(words.map { RawArgument($0) })
      #expect(!error.lines.joined().contains("hunter2"))
      #expect(try #require(error.line).utf8.count < 100)
    }
  }
}
