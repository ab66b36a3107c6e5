import HTTP
import ProgramDriver
import Support
import Testing
import World

@testable import Session

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Exchanging, saving and showing a token, and the checks before the exchange.
@Suite struct TokenExchangeTests {
  static let token = "fresh-token-0123456789-abcdefgh"
  static let answer = #"{"type":"user_token","user_token":"\#(token)"}"#

  static func home(_ folder: TemporaryFolder = TemporaryFolder()) -> Home {
    let home = Home(folder)
    home.environment["IFTTT_SERVICE_KEY"] = "service-key-0123456789-abcdefgh"
    home.environment["IFTTT_ACCESS_TOKEN"] = "access-token-0123456789-abcdefg"
    home.secrets = [token, "service-key-0123456789-abcdefgh", "access-token-0123456789-abcdefg"]
    return home
  }

  @Test func theTokenIsSavedAndPrintedMasked() {
    let home = Self.home()
    let server = Server().answering(200, Self.answer)
    let exchanged = home.run("-v token exchange --user-id u-1 --json", answers: server)
    #expect(
      exchanged.output == #"{"user_id":"u-1","token":"fres…efgh","saved":true,"profile":"default"}"# + "\n")
    #expect(exchanged.errors.contains("> POST https://connect.ifttt.com/v2/user_token?user_id=u-1&access_token="))
    #expect(exchanged.errors.contains("> IFTTT-Service-Key: serv…efgh\n"))
    #expect(exchanged.exit == .success)
    #expect(server.requests.map { $0.header("IFTTT-Service-Key") } == ["service-key-0123456789-abcdefgh"])
    #expect(server.requests.first?.url.query.map(\.value) == ["u-1", "access-token-0123456789-abcdefg"])
    #expect(home.run("token show u-1 --print", reveals: true).output == Self.token + "\n")
    let profile = home.run("profile show --json --fields settings.user_id,credentials")
    #expect(profile.output == #"{"settings.user_id":"u-1","credentials":["user_token"]}"# + "\n")
    for name in home.folder.names { #expect(home.folder.text(name)?.contains(Self.token) != true, "\(name)") }
  }

  @Test func exchangingForAnotherUserKeepsTheProfilesUser() {
    let home = Self.home()
    home.run("token exchange --user-id u-1", answers: Server().answering(200, Self.answer))
    home.run("token exchange --user-id u-2", answers: Server().answering(200, Self.answer))
    #expect(home.run("profile show --json --fields settings.user_id").output == #"{"settings.user_id":"u-1"}"# + "\n")
    #expect(
      home.run("token list -o csv --no-header --fields user_id,token").lines == ["u-1,fres…efgh", "u-2,fres…efgh"])
  }

  @Test func printWritesOnlyTheToken() {
    let home = Self.home()
    let printed = home.run(
      "token exchange --user-id u-1 --print --no-save", answers: Server().answering(200, Self.answer), reveals: true)
    #expect(printed.output == Self.token + "\n")
    #expect(printed.errors == "")
    #expect(home.folder.names == [], "nothing is kept")
    home.environment["GITHUB_ACTIONS"] = "true"
    let masked = home.run(
      "token exchange --user-id u-1 --reveal --json", answers: Server().answering(200, Self.answer), reveals: true)
    #expect(masked.output.hasPrefix(#"{"user_id":"u-1","token":"\#(Self.token)""#))
    #expect(masked.errors == "::add-mask::\(Self.token)\n")
    let hidden = home.run(
      "token exchange --user-id u-1 --no-save --json", answers: Server().answering(200, Self.answer))
    #expect(hidden.output == #"{"user_id":"u-1","token":"fres…efgh","saved":false,"profile":"default"}"# + "\n")
    #expect(hidden.errors == "")
  }

  @Test(arguments: ["foreign", "newer", "open to others"])
  func anUnusableStoreSendsNothing(_ trouble: String) throws {
    let home = Self.home()
    home.run("--offline connections add aa")
    try UnusableStore.make(trouble, in: home)
    let refused = home.run("token exchange --user-id u-1")
    #expect(refused.output == "")
    #expect(refused.exit == .store)
    #expect(refused.notes.count >= 2, "the error has a hint")
  }

  @Test func concurrentRunsShareOneExchange() {
    let folder = TemporaryFolder()
    let (first, second) = (Self.home(folder), Self.home(folder))
    var firstRan = false
    second.prepare = { world in
      world.files.failure = { operation, path in
        guard operation == "locked", path.hasSuffix("/exchange.lock"), !firstRan else { return nil }
        firstRan = true
        first.run("token exchange --user-id u-1", answers: Server().answering(200, Self.answer))
        return nil
      }
    }
    let waited = second.run("token exchange --user-id u-1 --json")
    #expect(firstRan)
    #expect(waited.output.contains(#""token":"fres…efgh","saved":true"#))
    #expect(waited.errors == "Used the token that a concurrent run obtained for this user.\n")
    second.prepare = { _ in }
    second.wait(.seconds(1))
    let server = Server().answering(200, Self.answer)
    second.run("token exchange --user-id u-1", answers: server)
    #expect(server.requests.count == 1, "a later run exchanges again")
  }

  @Test func missingCredentialsAreReported() {
    let home = Home()
    let all = home.run("token exchange")
    #expect(all.notes.first == "ifttt: 'token exchange' needs a user id, a service key and an OAuth access token")
    #expect(all.exit == .credentials)
    home.environment["IFTTT_ACCESS_TOKEN"] = "access-token-0123456789-abcdefg"
    let key = home.run("token exchange --user-id u-1")
    #expect(
      key.errors == """
        ifttt: 'token exchange' needs a service key
          - service key: pass --service-key-file FILE or set IFTTT_SERVICE_KEY. IFTTT shows it on your service's page https://platform.ifttt.com/services/SLUG/api.
          To store it, run 'ifttt profile set default --service-key-file FILE'.

        """)
    home.environment["IFTTT_ACCESS_TOKEN"] = nil
    home.environment["IFTTT_SERVICE_KEY"] = "service-key-0123456789-abcdefgh"
    let access = home.run("token exchange --user-id u-1 --json")
    #expect(
      access.errors
        == #"{"error":{"code":"credentials_missing","message":"'token exchange' needs an OAuth access token","#
        + #""hint":null,"status":null,"details":[{"parameter":"OAuth access token","message":"pass --access-token-file "#
        + "FILE or set IFTTT_ACCESS_TOKEN. Your own OAuth server issues it for the user; no IFTTT page shows it."
        + #""}],"#
        + #""exit_code":4,"request_id":null,"attempts":null,"retry_after":null}}"# + "\n")
    #expect(access.exit == .credentials)
  }

  @Test func aRequestThatMayHaveArrivedIsNotRetried() {
    let home = Self.home()
    let server = Server().failing(.broken, "reset", mayHaveArrived: true)
    let failed = home.run("token exchange --user-id u-1", answers: server)
    #expect(server.requests.count == 1)
    #expect(failed.exit == .unavailable)
    let again = Server().failing(.connect, "refused").answering(200, Self.answer)
    #expect(home.run("token exchange --user-id u-1", answers: again).exit == .success)
    #expect(again.requests.count == 2, "a request that did not arrive is retried")
  }

  @Test func anInvalidResponseIsNotShown() {
    let home = Self.home()
    let failed = home.run(
      "-v token exchange --user-id u-1", answers: Server().answering(200, #"{"token":"\#(Self.token)"}"#))
    #expect(failed.exit == .unavailable)
    #expect(failed.errors.contains("the response cannot be read"))
    #expect(home.run("token list").output == "", "nothing is kept")
  }

  @Test func aDryRunSendsNothing() {
    let plan = Self.home().run(
      "token exchange --user-id u-1 --dry-run --exit-code --json --fields method,url,headers.IFTTT-Service-Key")
    #expect(
      plan.lines == [
        "[",
        #"{"method":"POST","url":"https://connect.ifttt.com/v2/user_token?user_id=u-1&access_token=…","headers.IFTTT-Service-Key":"serv…efgh"}"#,
        "]",
      ])
    #expect(plan.exit == .notYet)
  }

  @Test func apiV1SendsABody() {
    let home = Self.home()
    let server = Server().answering(200, Self.answer)
    let exchanged = home.run(
      "-v token exchange --api v1 --service lampost --user-id u-1 --json", answers: server)
    #expect(
      exchanged.output == #"{"user_id":"u-1","token":"fres…efgh","saved":true,"profile":"default"}"# + "\n")
    let request = server.requests.first
    #expect(request?.url.wire == "https://api.ifttt.com/v1/services/lampost/user_token")
    #expect(request?.header("Content-Type") == "application/json")
    #expect(
      request?.body.map { String(decoding: $0, as: UTF8.self) }
        == #"{"user_id":"u-1","token":"access-token-0123456789-abcdefg"}"#)
    let plan = home.run("token exchange --api v1 --service lampost --user-id u-1 --dry-run --json --fields body")
    #expect(plan.output.contains(#"\"token\":\"acce…defg\""#), "\(plan.output)")
    let lost = home.run("token exchange --api v1 --user-id u-1")
    #expect(lost.exit == .credentials)
    #expect(lost.errors.contains("'token exchange --api v1' needs a service"))
  }

  @Test func aClockThatIsSetBackDoesNotRepeatTheExchange() {
    let folder = TemporaryFolder()
    let (first, second) = (Self.home(folder), Self.home(folder))
    first.now = Timestamp(milliseconds: 1_000_000_000)
    var firstRan = false
    second.prepare = { world in
      world.files.failure = { operation, path in
        guard operation == "locked", path.hasSuffix("/exchange.lock"), !firstRan else { return nil }
        firstRan = true
        first.run("token exchange --user-id u-1", answers: Server().answering(200, Self.answer))
        return nil
      }
    }
    #expect(second.run("token exchange --user-id u-1 -q").exit == .success)
    #expect(firstRan)
  }

  @Test(arguments: [(EROFS, "store_read_only"), (ENOSPC, "store_full"), (EACCES, "store_unreadable")])
  func aFailedLockSendsNothing(_ number: Int32, _ code: String) {
    let home = Self.home()
    home.prepare = { world in
      world.files.failure = { operation, _ in
        operation == "locked" ? SystemError(number: number, call: "open") : nil
      }
    }
    let refused = home.run("token exchange --user-id u-1 --json")
    #expect(refused.exit == .store)
    #expect(refused.errors.contains(#""code":"\#(code)""#))
  }

  @Test func theSandboxNeedsNoCredentials() {
    let home = Home()
    let first = home.sandbox("token exchange --print", reveals: true)
    #expect(first.exit == .success)
    home.secrets.append(first.output.trimmingCharacters())
    #expect(home.sandbox("-v connections disable Kd7Rn2Qx --json --fields error").output == "[\n{\"error\":null}\n]\n")
    let wrong = home.sandbox("token exchange --user-id u-9999")
    #expect(wrong.exit != .success)
    #expect(wrong.notes.count >= 2)
  }
}

extension String {
  fileprivate func trimmingCharacters() -> String { hasSuffix("\n") ? String(dropLast()) : self }
}
