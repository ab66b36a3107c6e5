import Foundation
import HTTP
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// Every ending of an activation without an enabled connection: its error code, and what remains unchanged.
@Suite struct ActivateEndingTests {
  private let server = Server().answering(200, Server.connection("aa", status: "never_enabled"))
    .answering(200, #"{"user_login":"kai"}"#)

  private func error(_ outcome: Home.Outcome) -> String? {
    outcome.errors.split(separator: "\"code\":\"").dropFirst().last.map { String($0.prefix { $0 != "\"" }) }
  }

  @Test(arguments: [
    ("next_step=error&error_type=account_creation", "account_creation_failed", "Not connected"),
    ("next_step=error&error_type=auth_error", "authorization_failed", "Not connected"),
    ("next_step=error&error_type=verification_failed", "authorization_failed", "Not connected"),
    ("next_step=error&error_type=connection_request_failed", "authorization_failed", "Not connected"),
    ("next_step=error&error_type=%3Cb%3Etide%3C%2Fb%3E", "authorization_failed", "&lt;b&gt;tide&lt;/b&gt;"),
    ("next_step=error", "authorization_failed", "reason"),
    ("next_step=user_cancelled_configuration", "user_cancelled", "anceled"),
    ("next_step=tide", "unknown_redirect", "Not connected"), ("", "unknown_redirect", "Not connected"),
    ("next_step=complete&user_token=%zz", "unknown_redirect", "Not connected"),
  ])
  func eachRedirectHasItsOwnError(query: String, code: String, page: String) {
    let activator = Activator(userToken: Activator.token)
    activator.returns(query)
    let outcome = activator.home.run("connections activate aa --json", answers: server)
    #expect(outcome.exit == .failure)
    #expect(outcome.output == "")
    #expect(error(outcome) == code)
    #expect(activator.pages.map(\.status) == [200])
    #expect(activator.pages.first.map { String(decoding: $0.body, as: UTF8.self) }?.contains(page) == true)
    #expect(activator.home.run("token list --json").output == "[]\n")
    #expect(activator.home.run("connections list --offline --json").output == "[]\n")
  }

  @Test func aMissingRedirectTimesOut() {
    let activator = Activator()
    activator.nothingHappens()
    let server = Server().answering(200, Server.connection("aa", status: nil)).answering(204)
    let outcome = activator.home.run("connections activate aa --email k@mail.test --json", answers: server)
    #expect(outcome.exit == .unavailable)
    #expect(error(outcome) == "timeout")
    #expect(outcome.errors.contains("--redirect-uri http://127.0.0.1:47823/ifttt/return/"))
    #expect(activator.port.closed == 1)
  }

  @Test func timeoutLimitsTheWholeActivation() {
    let activator = Activator()
    var limits: [Duration] = []
    activator.waits = [
      { activator, limit in
        limits.append(limit)
        activator.home.last?.clock.advance(by: limit)
        return .success(.timeUp)
      }
    ]
    let server = Server().answering(200, Server.connection("aa", status: nil)).answering(204)
    activator.home.run("connections activate aa --email k@mail.test --timeout 90s", answers: server)
    #expect(limits == [.seconds(90)])
    // Each request has its own timeout.
    #expect(server.limits.count == 2 && server.limits.allSatisfy { $0 <= .seconds(30) })
  }

  @Test func controlCEndsTheWait() {
    let activator = Activator(userToken: Activator.token)
    activator.waits = [{ _, _ in .failure(.interrupted) }]
    let outcome = activator.home.run("connections activate aa", answers: server)
    #expect(outcome.exit == .interrupted)
    #expect(outcome.notes.last == "ifttt: interrupted")
    #expect(activator.port.closed == 1)
  }

  @Test func aConnectionThatIsStillNotEnabledIsAnError() {
    let activator = Activator(userToken: Activator.token)
    activator.returns("next_step=complete")
    let outcome = activator.home.run(
      "connections activate aa --json", answers: server.answering(200, Server.connection("aa", status: "never_enabled"))
    )
    #expect(outcome.exit == .failure)
    #expect(error(outcome) == "not_confirmed")
  }

  @Test func aFailedVerificationPrintsUnknownAndFails() {
    let activator = Activator(userToken: Activator.token)
    activator.returns("next_step=complete")
    let outcome = activator.home.run(
      "connections activate aa --retries 0 --json --fields status,previous_status",
      answers: server.failing(.connect, "refused"))
    #expect(outcome.output == #"{"status":"unknown","previous_status":"never_enabled"}"# + "\n")
    #expect(outcome.exit == .unavailable)
    #expect(error(outcome) == "network")
  }

  @Test func anUnknownConnectionIsNotFound() {
    let activator = Activator(userToken: Activator.token)
    let outcome = activator.home.run("connections activate aa --json", answers: Server().answering(404))
    #expect(outcome.exit == .notFound)
    #expect(error(outcome) == "not_found")
  }

  @Test func aMissingEmailIsAUsageError() {
    let activator = Activator()
    let server = Server().answering(200, Server.connection("aa", status: nil))
    let outcome = activator.home.run("connections activate aa", answers: server)
    #expect(outcome.exit == .usage)
    #expect(activator.port.settings.isEmpty)
  }

  @Test(arguments: [400, 403, 422])
  func anInconclusiveAccountLookupCreatesNoAccount(status: Int) {
    let activator = Activator()
    activator.returns("next_step=user_cancelled_configuration")
    let server = Server().answering(200, Server.connection("aa", status: nil)).answering(status, "{}")
    let outcome = activator.home.run("connections activate aa --email k@mail.test", answers: server)
    #expect(activator.item("sdk_create_account") == nil)
    #expect(outcome.errors.contains("Cannot determine whether this email has an account"))
  }

  @Test func aFailedAccountLookupEndsTheActivation() {
    let activator = Activator()
    let server = Server().answering(200, Server.connection("aa", status: nil)).failing(.resolve, "no such host")
    let outcome = activator.home.run("connections activate aa --email k@mail.test --retries 0 --json", answers: server)
    #expect(error(outcome) == "network")
    #expect(activator.port.settings.isEmpty)
  }

  @Test func anUnwritableStoreIsDetectedBeforeTheBrowserOpens() throws {
    let activator = Activator(userToken: Activator.token)
    #expect(activator.home.run("connections add aa --offline").exit == .success)
    try UnusableStore.make("newer", in: activator.home)
    let outcome = activator.home.run("connections activate aa", answers: Server())
    #expect(outcome.exit == .store)
    #expect(activator.port.settings.isEmpty)
  }

  @Test func anOutputErrorFailsButTheTokenIsSaved() {
    let activator = Activator()
    activator.returns("next_step=complete&user_token=\(Activator.newToken)")
    let prepare = activator.home.prepare
    activator.home.prepare = { test in
      prepare(test)
      test.output.failure = (0, SystemError(number: 28, call: "write"))
    }
    let server = Server().answering(200, Server.connection("aa", status: nil)).answering(204)
      .answering(200, #"{"user_login":"kai"}"#).answering(200, Server.connection("aa"))
    let outcome = activator.home.run("connections activate aa --email k@mail.test --json", answers: server)
    #expect(outcome.exit == .failure)
    #expect(error(outcome) == "output_failed")
    activator.home.prepare = prepare
    #expect(activator.home.run("token show --print", reveals: true).output == Activator.newToken + "\n")
  }
}
