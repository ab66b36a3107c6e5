import HTTP
import ProgramDriver
import Support
import Testing

@testable import Session

/// The sources of credentials, their precedence, the authentication level, and the masking of secrets.
@Suite struct CredentialTests {
  static let me = #"{"authentication_level":"user","service_id":"s","user_login":"kai"}"#

  /// Runs `token verify` and returns the credential that was sent.
  private func sent(_ home: Home, _ line: String = "token verify", input: ScriptedInput? = nil) -> String? {
    let server = Server().answering(200, Self.me)
    #expect(home.run(line, input: input, answers: server).exit == .success)
    let request = server.requests.first
    return request?.header("Authorization") ?? request?.header("IFTTT-Service-Key").map { "key \($0)" }
  }

  private func home(_ secrets: String...) -> Home {
    let home = Home()
    home.secrets = secrets
    return home
  }

  @Test func aFileOverridesTheEnvironmentAndTheEnvironmentOverridesTheStore() {
    let home = home("stored-token-0123456789-abcd", "token-from-the-variable-0123", "token-in-a-file-0123456789-x")
    home.run("token set --user-token-file -", input: .text("stored-token-0123456789-abcd\n"))
    #expect(sent(home) == "Bearer stored-token-0123456789-abcd")
    home.environment["IFTTT_USER_TOKEN"] = "token-from-the-variable-0123"
    #expect(sent(home) == "Bearer token-from-the-variable-0123")
    let file = home.folder.write("token.txt", "token-in-a-file-0123456789-x\r\n")
    #expect(sent(home, "token verify --user-token-file \(file)") == "Bearer token-in-a-file-0123456789-x")
    #expect(sent(home, "token verify --user-token-file -", input: .text("piped-token")) == "Bearer piped-token")
    home.environment["IFTTT_USER_TOKEN"] = ""
    #expect(sent(home) == "Bearer stored-token-0123456789-abcd", "an empty variable counts as absent")
  }

  @Test func withoutALevelTheFirstAvailableCredentialIsUsed() {
    let home = home("service-key-0123456789-abcdef", "user-token-0123456789-abcdef")
    let server = { Server().answering(200, Server.connection("aa")) }
    let anonymous = server()
    home.run("connections show aa", answers: anonymous)
    #expect(anonymous.requests.first?.headers.map(\.name) == ["Accept"])
    home.environment["IFTTT_SERVICE_KEY"] = "service-key-0123456789-abcdef"
    let service = server()
    home.run("connections show aa", answers: service)
    #expect(service.requests.first?.header("IFTTT-Service-Key") == "service-key-0123456789-abcdef")
    #expect(service.asked == ["GET connect.ifttt.com/v2/connections/aa"])
    let forUser = server()
    home.run("connections show aa --user-id 'u 1'", answers: forUser)
    #expect(forUser.asked == ["GET connect.ifttt.com/v2/connections/aa?user_id=u%201"])
    home.environment["IFTTT_USER_TOKEN"] = "user-token-0123456789-abcdef"
    let user = server()
    home.run("connections show aa", answers: user)
    #expect(user.requests.first?.header("Authorization") == "Bearer user-token-0123456789-abcdef")
    #expect(user.requests.first?.header("IFTTT-Service-Key") == nil, "one level per request")
    let asked = server()
    home.run("connections show aa --as service", answers: asked)
    #expect(asked.requests.first?.header("IFTTT-Service-Key") == "service-key-0123456789-abcdef")
    let anonymousAgain = server()
    home.run("connections show aa --as anonymous", answers: anonymousAgain)
    #expect(anonymousAgain.requests.first?.headers.map(\.name) == ["Accept"])
  }

  @Test func theTokenOfTheSelectedUserIsUsed() {
    let home = home("token-of-one-0123456789-abcde", "token-of-two-0123456789-abcde")
    home.run("token set --user-id one --user-token-file -", input: .text("token-of-one-0123456789-abcde"))
    home.run("token set --user-id two --user-token-file -", input: .text("token-of-two-0123456789-abcde"))
    #expect(sent(home, "token verify --user-id two") == "Bearer token-of-two-0123456789-abcde")
    let guess = home.run("token verify")
    #expect(guess.exit == .credentials)
    #expect(
      guess.errors
        == "ifttt: several user tokens are stored, and no user was specified\n  Specify one of these users with --user-id: one, two.\n"
    )
    home.run("profile set default --user-id one")
    #expect(sent(home) == "Bearer token-of-one-0123456789-abcde")
  }

  /// The environment was repaired when it was read, and would be sent as another value.
  @Test func aVariableWithInvalidUTF8IsRejected() {
    let home = home()
    home.environment["IFTTT_USER_TOKEN"] = "token-\u{fffd}-0123456789-abcdef"
    let token = home.run("token verify --as user")
    #expect(
      token.exit == .credentials
        && token.notes.first == "ifttt: IFTTT_USER_TOKEN has invalid UTF-8 or the character U+FFFD")
    home.environment = ["IFTTT_USER_ID": "\u{fffd}"]
    let user = home.run("connections show aa")
    #expect(user.exit == .usage && user.errors.contains("it has invalid UTF-8 or the character U+FFFD"))
  }

  @Test func aTerminalPromptsForAMissingSecretWithoutEcho() {
    let home = home("typed-token-0123456789-abcdef")
    home.terminal = .interactive()
    let server = Server().answering(200, Self.me)
    let verified = home.run(
      "token verify --as user --json", input: .typed(secrets: ["typed-token-0123456789-abcdef"]), answers: server)
    #expect(server.requests.first?.header("Authorization") == "Bearer typed-token-0123456789-abcdef")
    #expect(verified.errors.hasSuffix("\nuser token: \nStore the user token in profile 'default'? [y/N] \n"))
    let none = home.run("token verify --as user", input: .typed())
    #expect(none.exit == .credentials)
    #expect(
      none.notes.dropFirst().first == "ifttt: no user token was entered"
        || none.errors.contains("no user token was entered"))
    let stopped = home.run("token verify --as user", input: .interrupted)
    #expect(stopped.exit == .interrupted)
  }

  @Test(arguments: ["CI", "--no-input", "no terminal"])
  func aMissingSecretIsAnErrorWithoutPrompts(_ reason: String) {
    let home = Home()
    home.terminal = reason == "no terminal" ? .none : .interactive()
    if reason == "CI" { home.environment["CI"] = "true" }
    home.environment["NO_COLOR"] = "1"
    let missing = home.run("\(reason.hasPrefix("--") ? reason : "") token verify --as service")
    // A terminal wraps the lines.
    #expect(
      missing.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ") == """
        ifttt: --as service needs a service key - service key: pass --service-key-file FILE or set IFTTT_SERVICE_KEY. \
        IFTTT shows it on your service's page https://platform.ifttt.com/services/SLUG/api. To store it, run 'ifttt \
        profile set default --service-key-file FILE'.
        """)
    #expect(missing.exit == .credentials)
  }

  @Test func onlyOneOptionCanReadStdin() {
    let refused = Home().run(
      "token exchange --user-id u --access-token-file - --service-key-file -", input: .text("one\n"))
    #expect(refused.exit == .usage)
    #expect(refused.errors.hasPrefix("ifttt: --access-token-file: stdin is already read by another option\n"))
  }

  @Test(arguments: [
    ([UInt8](), "it is empty", "Pass exactly one line."),
    (Array("\n\r\n".utf8), "it is empty", "Pass exactly one line."),
    (Array("a\nb".utf8), "it is not one line of text", "Pass exactly one line."),
    ([0x41, 0x42, 0x00], "it is not one line of text", "Pass exactly one line."),
    (Array("a\u{1b}[31mb".utf8), "it is not one line of text", "Pass exactly one line."),
    ([0xff, 0xfe, 0x41, 0x00], "it is UTF-16, not UTF-8", "Save it as UTF-8."),
    (Array("abc\u{a0}".utf8), "it contains a no-break space (U+00A0)", "Pass the user token only."),
    (Array("'abc'".utf8), "it is in quotes", "Pass the user token only."),
    (Array("IFTTT_USER_TOKEN=abc".utf8), "it has the form KEY=value", "Pass the user token only."),
  ])
  func invalidSecretsAreRejected(_ bytes: [UInt8], _ reason: String, _ hint: String) {
    let home = Home()
    let piped = home.run("token set --user-token-file -", input: .bytes(bytes))
    #expect(piped.errors == "ifttt: stdin does not contain a user token\n  \(reason)\n  \(hint)\n")
    #expect(piped.exit == .credentials)
    #expect(home.folder.names == [], "nothing is stored")
  }

  @Test func aByteOrderMarkIsNotPartOfASecret() {
    let home = Home()
    let token = "token-of-the-tests-0123456789"
    home.secrets.append(token)
    home.run("token set --user-id u --user-token-file -", input: .bytes(Array("\u{feff}\(token)\r\n".utf8)))
    #expect(home.run("token show u --print", reveals: true).output == "\(token)\n")
    home.environment["IFTTT_USER_TOKEN"] = "\u{feff}\(token)"
    let server = Server().answering(401, #"{"type":"error"}"#)
    home.run("token verify", answers: server)
    #expect(server.requests.first?.header("Authorization") == "Bearer \(token)")
    home.environment["IFTTT_USER_TOKEN"] = "\"\(token)\""
    let quoted = home.run("token verify")
    #expect(quoted.exit == .credentials)
    #expect(quoted.notes.first == "ifttt: IFTTT_USER_TOKEN is unusable: it is in quotes")
  }

  @Test func anUnreadableFileIsReported() {
    let home = Home()
    let missing = home.run("token verify --user-token-file \(home.folder["none.txt"])")
    #expect(missing.exit == .credentials)
    #expect(missing.notes.first == "ifttt: cannot read the user token from '\(home.folder["none.txt"])'")
    #expect(missing.notes.count == 3)
    let empty = home.run("token verify --user-token-file \(home.folder.write("empty.txt", ""))")
    #expect(empty.notes.dropFirst().first == "  it is empty")
  }

  @Test func aVariableWithControlCharactersIsRejectedAndNotShown() {
    let home = home("to\u{1b}ken")
    home.environment["IFTTT_USER_TOKEN"] = "to\u{1b}ken"
    let refused = home.run("token verify")
    #expect(refused.exit == .credentials)
    #expect(refused.notes.first == "ifttt: IFTTT_USER_TOKEN contains control characters")
  }

  @Test func aVariableLongerThanAnyHeaderIsRejected() {
    let token = String(repeating: "a1", count: 32_769)
    let home = home(token)
    home.environment["IFTTT_USER_TOKEN"] = token
    let rejected = home.run("token verify")
    #expect(rejected.exit == .credentials)
    #expect(rejected.notes.first == "ifttt: IFTTT_USER_TOKEN contains more than 64 KiB")
  }

  @Test func aTokenTypedAsAnArgumentIsMasked() {
    let home = home("secret-on-the-line-0123456789")
    for line in [
      "token verify --user-token secret-on-the-line-0123456789",
      "token verify --user-token=secret-on-the-line-0123456789", "token show --token secret-on-the-line-0123456789",
    ] {
      let refused = home.run(line)
      #expect(refused.exit == .usage)
      #expect(refused.errors.hasPrefix("ifttt: "))
    }
  }

  @Test func theInviteCodeIsSentAndMasked() {
    let home = home("invite-code-0123456789-abcdefg")
    home.environment["IFTTT_INVITE_CODE"] = "invite-code-0123456789-abcdefg"
    let server = Server().answering(200, Server.connection("aa"))
    let shown = home.run("-v connections show aa", answers: server)
    #expect(server.requests.first?.header("IFTTT-Invite-Code") == "invite-code-0123456789-abcdefg")
    #expect(shown.errors.contains("> IFTTT-Invite-Code: invi…defg"))
  }

  @Test func secretsInResponsesAreNotTraced() {
    let home = home("user-token-0123456789-abcdef")
    home.environment["IFTTT_USER_TOKEN"] = "user-token-0123456789-abcdef"
    let server = Server().answering(401, Server.error("unauthorized", "bad token user-token-0123456789-abcdef"))
    let refused = home.run("-v connections show aa", answers: server)
    #expect(refused.exit == .credentials)
    let html = Server().answering(200, "<html>user-token-0123456789-abcdef</html>")
    #expect(home.run("connections show aa --json", answers: html).exit == .unavailable)
  }
}
