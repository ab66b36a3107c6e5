import ProgramDriver
import Support
import Testing

@testable import Session

/// Unusual responses and settings, and how they are treated.
@Suite struct UnusualResponseTests {
  private let home = Home()

  @Test(arguments: [("1e999", "1e999 m"), ("1e30", "1e30 m"), ("250.4", "250 m"), ("-1e999", "-1e999 m")])
  func showsARadiusOfAnySize(_ radius: String, _ shown: String) {
    let answer = """
      {"id":"one","name":"Here","user_status":"enabled","user_connection":{"user_features":[{"id":"f","user_fields":
        [{"field_id":"place","field_type":"LOCATION_RADIUS","value":{"lat":1.50,"lng":2e0,"radius":\(radius)}}]}]}}
      """
    let result = home.run("connections show one", answers: Server().answering(200, answer))
    #expect(result.exit == .success, "\(result.errors)")
    #expect(result.output.contains("1.50, 2e0, radius \(shown)\n"))
  }

  @Test func anErrorObjectWithStatus200IsAnError() {
    let result = home.run(
      "connections show one --json", answers: Server().answering(200, Server.error("not_found", "Gone")))
    #expect(result.exit == .notFound)
    #expect(result.errors.hasPrefix(#"{"error":{"code":"not_found""#))
  }

  @Test func showsTheBeginningOfANonJSONError() {
    let result = home.run(
      "connections show one", answers: Server().answering(403, "<html>Blocked by the firewall</html>"))
    #expect(result.exit == .credentials)
    #expect(result.errors.contains("IFTTT responded with 403; it begins: <html>Blocked"))
  }

  @Test func rejectsABaseURLWithAQuery() {
    home.environment = ["IFTTT_CONNECT_URL": "https://proxy.test/?to="]
    let result = home.run("connections show one")
    #expect(result.exit == .usage && result.errors.contains("query"))
    #expect(home.run("profile create x --connect-url https://proxy.test/?to=").exit == .usage)
  }

  @Test func rejectsAnInputFileForAGetRequest() {
    let result = home.run("api GET /v2/me --input body.json")
    #expect(result.exit == .usage && result.errors.contains("a GET request cannot have a body"))
  }

  @Test func rejectsAnInviteCodeWithControlCharacters() {
    home.environment = ["IFTTT_INVITE_CODE": "a\u{1b}[2Jb"]
    let result = home.run("connections show one")
    #expect(result.exit == .usage && result.errors.contains("--invite-code"))
  }

  /// One user's token is never used for another user.
  @Test func doesNotUseTheOnlyTokenForAnotherUser() {
    home.environment = ["IFTTT_USER_TOKEN": "token-of-a-0123456789abcdef"]
    #expect(home.run("token set --user-id a").exit == .success)
    home.environment = [:]
    #expect(home.run("token show --json").output.contains(#""user_id":"a""#))
    #expect(home.run("profile set default --user-id b").exit == .success)
    #expect(home.run("token show").exit == .notFound)
    #expect(home.run("api GET /v2/me --as user --no-input").exit == .credentials)
  }

  @Test func showsOnlyTheFirstOfManyErrorDetails() {
    let details = (0..<10_000).map { #"{"parameter":"p\#($0)","message":"no"}"# }.joined(separator: ",")
    let answer = Server.error("invalid", "all wrong", details: #","details":[\#(details)]"#)
    let run = Home().run("connections show a", answers: Server().answering(422, answer))
    #expect(run.exit == .failure)
    #expect(run.errors.contains("p49: no") && !run.errors.contains("p50: no"))
  }
}
