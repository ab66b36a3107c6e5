import ProgramDriver
import Support
import Testing

@testable import Session

/// The owner of the credentials according to IFTTT.
@Suite struct TokenVerifyTests {
  @Test(arguments: [
    ("token verify", #"{"authentication_level":"user","service_id":"lampost","user_login":"kai_lamps","valid":true}"#),
    (
      "token verify --as anonymous",
      #"{"authentication_level":"none","service_id":null,"user_login":null,"valid":true}"#
    ),
  ])
  func theSandboxIdentifiesItsCredentials(_ line: String, _ answer: String) {
    let verified = Home().sandbox("\(line) --json")
    #expect(verified.output == answer + "\n")
    #expect(verified.exit == .success)
  }

  @Test func aServiceKeyIdentifiesItsService() {
    let verified = Home().sandbox("token verify --as service --json --fields service_id,valid")
    #expect(verified.output == #"{"service_id":"lampost","valid":true}"# + "\n")
  }

  @Test func aWrongTokenIsNotValid() {
    let home = Home()
    home.environment["IFTTT_USER_TOKEN"] = "wrong-token-0123456789-abcdef"
    home.secrets = ["wrong-token-0123456789-abcdef"]
    let wrong = home.sandbox("token verify --json")
    #expect(wrong.output == #"{"authentication_level":null,"service_id":null,"user_login":null,"valid":false}"# + "\n")
    #expect(
      wrong.errors.hasPrefix(
        #"{"error":{"code":"unauthorized","message":"IFTTT rejected the user token from IFTTT_USER_TOKEN: IFTTT responded with 401"#
      ))
    #expect(wrong.exit == .credentials)
    #expect(home.sandbox("connections list --max-age 0").exit == .credentials)
  }

  @Test func failsWithoutCredentials() {
    let missing = Home().run("token verify")
    #expect(missing.notes.first == "ifttt: 'token verify' needs a user token")
    #expect(missing.exit == .credentials)
  }

  @Test func aServerErrorDoesNotInvalidateTheToken() {
    let home = Home()
    home.environment["IFTTT_USER_TOKEN"] = "right-token-0123456789-abcdef"
    let failed = home.run("token verify --json", answers: Server().answering(500))
    #expect(failed.output == "")
    #expect(failed.exit == .unavailable)
  }

  @Test func aDryRunSendsNothing() {
    #expect(
      Home().sandbox("token verify --dry-run -o csv --no-header --fields method,url").output
        == "GET,https://connect.ifttt.com/v2/me\n")
  }
}
