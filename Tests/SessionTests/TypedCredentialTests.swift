import ProgramDriver
import Support
import Testing

@testable import Session

/// Storing what was typed at a prompt, and the names of credentials that a server rejects.
@Suite struct TypedCredentialTests {
  private static let token = "typed-token-0123456789-abcdef"
  private static let key = "typed-key-0123456789-abcdefgh"

  private func home() -> Home {
    let home = Home()
    home.terminal = .interactive()
    home.secrets = [Self.token, Self.key]
    return home
  }

  private func stored(_ home: Home) -> [String] {
    home.terminal = .none
    return home.run("profile show --fields credentials,settings.user_id -o jsonl").lines
  }

  @Test(arguments: [("y", true), ("n", false), ("", false)])
  func aTypedTokenThatWorkedIsStoredOnRequest(_ answer: String, _ isStored: Bool) {
    let home = home()
    let run = home.run(
      "token verify", input: .typed(lines: [answer], secrets: [Self.token]),
      answers: Server().answering(200, CredentialTests.me))
    #expect(run.exit == .success)
    #expect(run.errors.contains("\nuser token: \nStore the user token in profile 'default'? [y/N] "))
    #expect(run.errors.contains("Stored the user token in profile 'default'.") == isStored)
    #expect(stored(home).first?.contains(#""credentials":["user_token"]"#) == isStored)
    // What is stored is not missing any more.
    guard isStored else { return }
    #expect(home.run("token verify", answers: Server().answering(200, CredentialTests.me)).exit == .success)
  }

  @Test func everythingThatWasTypedIsStoredTogether() {
    let home = home()
    let run = home.run(
      "configure aa", input: .typed(lines: ["u-1"], secrets: [Self.key]),
      answers: Server().answering(404, Server.error("not_found", "no")))
    #expect(run.exit == .notFound && !run.errors.contains("Store "), "no request succeeded")
    let verified = home.run(
      "connections options aa", input: .typed(lines: ["u-1", "y"], secrets: [Self.key]),
      answers: Server().answering(200, Server.connection("aa")))
    #expect(verified.errors.contains("service key: \nuser id: "))
    #expect(verified.errors.contains("Store the service key and the user id in profile 'default'? [y/N] "))
    #expect(stored(home).first?.contains(#""credentials":["service_key"]"#) == true)
    #expect(stored(home).first?.contains(#"user_id":"u-1""#) == true)
  }

  @Test func aRejectedSecretIsNotOffered() {
    let home = home()
    let run = home.run(
      "token verify", input: .typed(secrets: [Self.token]),
      answers: Server().answering(401, Server.error("unauthorized", "no")))
    #expect(run.exit == .credentials && !run.errors.contains("Store the user token"))
    #expect(run.errors.contains("IFTTT rejected the user token from the prompt"))
  }

  /// An access token is used once, and a partner's server needs no profile.
  @Test func secretsForOneUseAreNotOffered() {
    let home = home()
    home.environment = ["IFTTT_USER_ID": "u-1", "IFTTT_SERVICE_KEY": Self.key]
    let exchange = home.run(
      "token exchange", input: .typed(secrets: [Self.token]),
      answers: Server().answering(200, #"{"user_token":"the-new-token-0123456789-abc"}"#))
    #expect(exchange.exit == .success && !exchange.errors.contains("Store "))
    home.environment = [:]
    let call = home.run(
      "service call http://127.0.0.1:8788 status", input: .typed(secrets: [Self.key]), answers: Server().answering(200))
    #expect(call.exit == .success && !call.errors.contains("Store "))
  }

  @Test func aSecretThatAnOptionReadsFromTheTerminalIsNotOffered() {
    let home = home()
    let run = home.run(
      "token verify --user-token-file -", input: .typed(secrets: [Self.token]),
      answers: Server().answering(200, CredentialTests.me))
    #expect(run.exit == .success && !run.errors.contains("Store "))
  }

  @Test func theEndOfInputStoresNothing() {
    let home = home()
    let run = home.run(
      "token verify", input: .typed(secrets: [Self.token]), answers: Server().answering(200, CredentialTests.me))
    #expect(run.exit == .success)
    #expect(stored(home).first?.contains(#""credentials":[]"#) == true)
  }

  // MARK: Rejections

  @Test(arguments: [
    ("token verify", "IFTTT_USER_TOKEN", "the user token from IFTTT_USER_TOKEN"),
    ("token verify --as service", "IFTTT_SERVICE_KEY", "the service key from IFTTT_SERVICE_KEY"),
    ("webhook fire x", "IFTTT_WEBHOOKS_KEY", "the webhooks key from IFTTT_WEBHOOKS_KEY"),
    ("api v2/me --as service", "IFTTT_SERVICE_KEY", "the service key from IFTTT_SERVICE_KEY"),
  ])
  func aRejectedCredentialIsNamedWithItsVariable(_ line: String, _ variable: String, _ named: String) {
    let home = Home()
    home.environment[variable] = Self.key
    let run = home.run(line, answers: Server().answering(401, Server.error("unauthorized", "no")))
    #expect(run.exit == .credentials && run.notes.first == "ifttt: IFTTT rejected \(named)", "\(run.errors)")
  }

  @Test func aRejectedKeyIsNamedWithItsFileOrProfile() {
    let home = Home()
    let file = home.folder.write("key.txt", Self.key)
    func first(_ line: String, _ status: Int) -> String? {
      home.run(line, answers: Server().answering(status, Server.error("unauthorized", "no"))).notes.first
    }
    #expect(
      first("token verify --as service --service-key-file \(file)", 401)
        == "ifttt: IFTTT rejected the service key from --service-key-file \(file)")
    home.run("profile create work --service-key-file \(file)")
    #expect(
      first("--profile work token verify", 403) == "ifttt: the service key from profile 'work' does not allow this")
    #expect(
      first("--profile work service notify --user-id u", 403)?.contains("IFTTT rejected the service key") == true)
  }

  @Test(arguments: [401, 403]) func aServerThatRejectsTheKeyIsReported(_ status: Int) {
    let home = Home()
    home.environment["IFTTT_SERVICE_KEY"] = Self.key
    // The first request asks test/setup for an access token.
    let run = home.run(
      "service call http://127.0.0.1:8788 queries/x",
      answers: Server().answering(status).answering(status, #"{"errors":[]}"#))
    #expect(run.exit == .credentials)
    #expect(run.notes.first == "ifttt: the server rejected the service key from IFTTT_SERVICE_KEY")
    let test = home.run(
      "service test http://127.0.0.1:8788 --only status --json",
      answers: Server().answering(status).answering(status))
    #expect(test.output.contains("the server rejected the service key from IFTTT_SERVICE_KEY: "), "\(test.output)")
    home.environment["IFTTT_ACCESS_TOKEN"] = Self.token
    let token = home.run(
      "service call http://127.0.0.1:8788 queries/x", answers: Server().answering(status, #"{"errors":[]}"#))
    #expect(token.notes.first == "ifttt: the server rejected the OAuth access token from IFTTT_ACCESS_TOKEN")
  }
}
