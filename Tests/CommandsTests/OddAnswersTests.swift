import Commands
import Foundation
import HTTP
import Support
import Testing
import World

/// Answers and settings that no test server of IFTTT's would send, and what becomes of them.
@Suite struct OddAnswersTests {
  private let folder = TemporaryFolder()

  /// What a command line gives with these answers.
  private func run(
    _ line: String, _ answers: [String] = [], status: Int = 200, environment: [String: String] = [:]
  ) throws -> (code: ExitCode, output: String, errors: String) {
    let transport = ScriptedTransport(
      answers: answers.map { answer in { _ in .success(Response(status: status, body: Array(answer.utf8))) } })
    let test = TestWorld(
      environment: environment, now: Timestamp(milliseconds: 1_800_000_000_000), folder: folder, seed: 1)
    let code = Program.run(try #require(ShellWords.split(line)), world: test.world) { _ in transport }
    return (code, test.output.text, test.errors.text)
  }

  @Test(arguments: [("1e999", "1e999 m"), ("1e30", "1e30 m"), ("250.4", "250 m"), ("-1e999", "-1e999 m")])
  func aRadiusOfAnySizeIsShown(_ radius: String, _ shown: String) throws {
    let answer = """
      {"id":"one","name":"Here","user_status":"enabled","user_connection":{"user_features":[{"id":"f","user_fields":
        [{"field_id":"place","field_type":"LOCATION_RADIUS","value":{"lat":1.50,"lng":2e0,"radius":\(radius)}}]}]}}
      """
    let result = try run("connections show one --no-track", [answer])
    #expect(result.code == .success, "\(result.errors)")
    #expect(result.output.contains("(1.50, 2e0, \(shown) around)"))
  }

  @Test func anErrorObjectUnderASuccessCountsByItsCode() throws {
    let result = try run("connections show one --json", [#"{"type":"error","code":"not_found","message":"Gone"}"#])
    #expect(result.code == .notFound)
    #expect(result.errors.hasPrefix(#"{"error":{"code":"not_found""#))
  }

  @Test func anErrorThatIsNoObjectIsShownByItsBeginning() throws {
    let result = try run("connections show one", ["<html>Blocked by the firewall</html>"], status: 403)
    #expect(result.code == .credentials)
    #expect(result.errors.contains("IFTTT answered 403; it begins: <html>Blocked"))
  }

  @Test func aBaseURLHasNoQuery() throws {
    let environment = ["IFTTT_CONNECT_URL": "https://proxy.test/?to="]
    let result = try run("connections show one", environment: environment)
    #expect(result.code == .usage && result.errors.contains("query"))
    #expect(try run("profile create x --connect-url https://proxy.test/?to=").code == .usage)
  }

  @Test func aRequestWithoutABodyTakesNoFile() throws {
    let result = try run("api GET /v2/me --input body.json")
    #expect(result.code == .usage && result.errors.contains("a GET request has no body"))
  }

  @Test func anInviteCodeWithControlCharactersIsRefused() throws {
    let result = try run("connections show one", environment: ["IFTTT_INVITE_CODE": "a\u{1b}[2Jb"])
    #expect(result.code == .usage && result.errors.contains("invite code"))
  }

  @Test func severalTokensAndNoUserIsAnError() throws {
    for user in ["a", "b"] {
      let environment = ["IFTTT_USER_TOKEN": "token-of-\(user)-0123456789abcdef"]
      #expect(try run("token set --user-id \(user)", environment: environment).code == .success)
    }
    let unclear = try run("connections show one")
    #expect(unclear.code == .credentials && unclear.errors.contains("one of: a, b"))
    let clear = try run("connections show one --user-id b --no-track --json", [#"{"id":"one"}"#])
    #expect(clear.code == .success, "\(clear.errors)")
  }

  /// One user's token is never taken for another's.
  @Test func theOnlyTokenIsNotAnotherUsers() throws {
    let environment = ["IFTTT_USER_TOKEN": "token-of-a-0123456789abcdef"]
    #expect(try run("token set --user-id a", environment: environment).code == .success)
    #expect(try run("token show --json").output.contains(#""user_id":"a""#))
    #expect(try run("profile create default --update --user-id b").code == .success)
    #expect(try run("token show").code == .notFound)
    #expect(try run("api GET /v2/me --as user --no-input").code == .credentials)
  }
}
