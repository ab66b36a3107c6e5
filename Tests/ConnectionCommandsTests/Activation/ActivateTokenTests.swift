import Foundation
import HTTP
import ProgramDriver
import Session
import Support
import Testing
import World

/// The user token of a redirect: its owner is determined, and no token is ever lost.
@Suite struct ActivateTokenTests {
  private let activator = Activator()

  init() {
    activator.home.terminal = .none
    let outcome = activator.home.run(
      "token set --user-id u-1 --user-token-file -", input: .text(Activator.token + "\n"))
    #expect(outcome.exit == .success)
    activator.returns("next_step=complete&user_token=\(Activator.newToken)")
  }

  private func server(_ logins: String...) -> Server {
    var server = Server().answering(200, Server.connection("aa", status: "never_enabled"))
    for login in logins { server = server.answering(200, #"{"user_login":"\#(login)"}"#) }
    return server
  }

  private var storedToken: String { activator.home.run("token show --print", reveals: true).output }

  @Test func aTokenOfTheSameAccountReplacesTheOldOne() {
    let outcome = activator.home.run(
      "connections activate aa", answers: server("kai", "kai").answering(200, Server.connection("aa")))
    #expect(outcome.exit == .success)
    #expect(storedToken == Activator.newToken + "\n")
    #expect(outcome.notes.contains("Saved the user token of 'kai' in profile 'default'."))
    #expect(activator.home.run("token list -o tsv --no-header --fields user_id").lines == ["u-1"])
  }

  /// The e-mail identifies the intended user, not the account that was signed in.
  @Test(arguments: [(200, "the connection is not enabled"), (500, "unknown")])
  func namesTheTokensOwnerEvenAfterAFailure(
    _ status: Int, _ words: String
  ) {
    let server = Server().answering(200, Server.connection("aa", status: nil)).answering(204)
      .answering(200, #"{"user_login":"zoe"}"#)
      .answering(status, status == 200 ? Server.connection("aa", status: "never_enabled") : "")
    let outcome = activator.home.run(
      "connections activate aa --as anonymous --user-id u-2 --email kai@mail.test --retries 0", answers: server)
    #expect(outcome.exit != .success)
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
    #expect(outcome.notes.contains("Saved the user token of 'zoe' in profile 'default'."))
    #expect(activator.home.run("token list -o tsv --no-header --fields user_id").lines == ["u-1", "u-2"])
  }

  @Test func quietHidesTheNoteButTheErrorReportsTheToken() {
    let server = Server().answering(200, Server.connection("aa", status: nil)).answering(204)
      .answering(200, #"{"user_login":"zoe"}"#).answering(200, Server.connection("aa", status: "never_enabled"))
    let outcome = activator.home.run(
      "-q connections activate aa --as anonymous --user-id u-2 --email kai@mail.test", answers: server)
    #expect(outcome.exit == .failure)
    #expect(outcome.errors.contains("- Saved the user token of 'zoe' in profile 'default'\n"), "\(outcome.errors)")
  }

  @Test func savesATokenWhoseOwnerIsUnknown() {
    let server = Server().answering(200, Server.connection("aa", status: nil)).answering(204)
      .answering(503).answering(200, Server.connection("aa"))
    let outcome = activator.home.run(
      "connections activate aa --as anonymous --user-id u-2 --email kai@mail.test --retries 0", answers: server)
    #expect(outcome.exit == .success)
    #expect(
      outcome.notes.contains("Saved the user token in profile 'default'. Its owner could not be determined."),
      "\(outcome.errors)")
  }

  @Test func rejectsATokenOfAnotherAccountWithoutAPrompt() {
    let outcome = activator.home.run("connections activate aa --json", answers: server("kai", "zoe"))
    #expect(outcome.exit == .failure)
    #expect(outcome.errors.contains("\"code\":\"conflict\""))
    #expect(outcome.errors.contains("'zoe'") && outcome.errors.contains("'kai'"))
    #expect(storedToken == Activator.token + "\n")
  }

  @Test(arguments: [
    ("y", Activator.newToken, ExitCode.success), ("", Activator.token, .failure), ("n", Activator.token, .failure),
  ])
  func promptsForATokenOfAnotherAccount(answer: String, stays: String, exit: ExitCode) {
    activator.home.terminal = .interactive()
    var server = server("kai", "zoe")
    if exit == .success { server = server.answering(200, Server.connection("aa")) }
    let outcome = activator.home.run("connections activate aa", input: .typed(lines: [answer]), answers: server)
    #expect(outcome.exit == exit)
    #expect(outcome.errors.contains("belongs to zoe"))
    #expect(storedToken == stays + "\n")
  }

  @Test func yesAcceptsATokenOfAnotherAccount() {
    let outcome = activator.home.run(
      "connections activate aa --yes", answers: server("kai", "zoe").answering(200, Server.connection("aa")))
    #expect(outcome.exit == .success)
    #expect(storedToken == Activator.newToken + "\n")
  }

  @Test func keepsBothTokensIfTheOwnerCannotBeDetermined() {
    let outcome = activator.home.run(
      "connections activate aa --retries 0", answers: server("kai").failing(.connect, "refused"))
    #expect(outcome.exit == .unavailable)
    #expect(storedToken == Activator.token + "\n")
    // The next run resumes from there.
    let next = Server().answering(200, #"{"user_login":"kai"}"#).answering(200, #"{"user_login":"kai"}"#)
      .answering(200, Server.connection("aa"))
    let again = activator.home.run("connections activate aa --json --fields token_saved,user_login", answers: next)
    #expect(again.output == #"{"token_saved":true,"user_login":"kai"}"# + "\n")
    #expect(storedToken == Activator.newToken + "\n")
    #expect(next.requests.last?.header("Authorization") == "Bearer \(Activator.newToken)")
  }

  @Test func discardsATokenThatIFTTTRejects() {
    let outcome = activator.home.run("connections activate aa --json", answers: server("kai").answering(401))
    #expect(outcome.exit == .credentials)
    #expect(outcome.errors.contains("IFTTT rejected the user token from the redirect"))
    #expect(storedToken == Activator.token + "\n")
    // It does not affect the next run.
    let next = Server().answering(200, Server.connection("aa"))
    let again = activator.home.run("connections activate aa --json --fields token_saved", answers: next)
    #expect(again.output == #"{"token_saved":false}"# + "\n")
    #expect(again.errors == "")
  }

  @Test func discardsARejectedTokenOfAnEarlierRun() {
    activator.home.run("connections activate aa --retries 0", answers: server("kai").failing(.connect, "refused"))
    let next = Server().answering(401).answering(200, Server.connection("aa"))
    let outcome = activator.home.run("connections activate aa --json --fields token_saved", answers: next)
    #expect(outcome.output == #"{"token_saved":false}"# + "\n")
    #expect(outcome.errors.contains("IFTTT rejected that token; it was removed."))
    #expect(storedToken == Activator.token + "\n")
  }

  @Test func replacesARejectedTokenWithoutAPrompt() {
    let server = Server().answering(401).answering(200, Server.connection("aa", status: nil)).answering(204)
      .answering(200, #"{"user_login":"zoe"}"#).answering(200, Server.connection("aa"))
    let outcome = activator.home.run("connections activate aa --email z@mail.test", answers: server)
    #expect(outcome.exit == .success)
    #expect(outcome.errors.contains("The user token was rejected"))
    #expect(storedToken == Activator.newToken + "\n")
  }

  @Test func storesAnotherUsersTokenSeparately() {
    let server = Server().answering(200, Server.connection("aa", status: nil)).answering(204)
      .answering(200, #"{"user_login":"zoe"}"#).answering(200, Server.connection("aa"))
    activator.home.run("connections activate aa --as anonymous --user-id u-2 --email z@mail.test", answers: server)
    #expect(
      activator.home.run("token list -o tsv --no-header --fields user_id").lines == ["u-1", "u-2"])
  }
}
