import IFTTT
import Testing
import Text

/// Each row of the table of redirects (docs/api/activation.md §5), and hostile ones.
struct RedirectParserTests {
  @Test(
    arguments: [
      ("next_step=complete&user_token=Tok-1", complete("Tok-1")), ("next_step=complete", .complete(token: nil)),
      ("next_step=complete&user_token=", .complete(token: nil)),
      ("next_step=complete&user_token", .complete(token: nil)),
      ("next_step=error&error_type=account_creation", .accountCreationFailed),
      ("next_step=error&error_type=auth_error", .authorizationFailed(.partnerSignIn)),
      ("next_step=error&error_type=verification_failed", .authorizationFailed(.identityNotVerified)),
      ("next_step=error&error_type=connection_request_failed", .authorizationFailed(.appCouldNotFinish)),
      ("next_step=error&error_type=tide_turned", .authorizationFailed(.other("tide_turned"))),
      ("next_step=error&error_type=", .authorizationFailed(.unexplained)),
      ("next_step=error", .authorizationFailed(.unexplained)),
      ("next_step=user_cancelled_configuration", .cancelled),
      ("next_step=service_authentication", .unknown(.step("service_authentication"))),
      ("next_step=service_connection", .unknown(.step("service_connection"))),
      ("next_step=Complete", .unknown(.step("Complete"))), ("Next_Step=complete", .unknown(.noStep)),
      ("next_step=", .unknown(.noStep)), ("next_step", .unknown(.noStep)), ("user_token=T", .unknown(.noStep)),
      ("", .unknown(.noStep)), ("#next_step=complete&user_token=T", .unknown(.behindFragment)),
      ("next_step=error&next_step=complete&user_token=x", .authorizationFailed(.unexplained)),
      ("next_step=complete&user_token=a&user_token=b", complete("a")),
      ("x=1&user_token=Tok-1&y&next_step=complete&%zz=1&z=%zz", complete("Tok-1")),
      ("next_step=complete&user_token=a+b", complete("a+b")), ("next_step=complete&user_token=a%2Bb", complete("a+b")),
      ("next_step=complete&user_token=a=b==", complete("a=b==")),
      ("next_step=complete&user_token=T#frag", complete("T")),
      ("next_step=complete&user_token=%zz", .unknown(.damaged)),
      ("next_step=complete&user_token=%4", .unknown(.damaged)),
      ("next_step=complete&user_token=%ff", .unknown(.damaged)), ("next_step=%", .unknown(.damaged)),
      ("next_step=complete&user_token=a%0d%0ab", .unknown(.damaged)),
      ("next_step=error&error_type=%1b[0m", .unknown(.damaged)),
    ] as [(String, ActivationRedirect)])
  func parsesEachRedirect(query: String, outcome: ActivationRedirect) throws {
    let address = try RedirectURI(parsing: "lampost://done/back")
    let text = query.isEmpty || query.hasPrefix("#") ? "lampost://done/back\(query)" : "lampost://done/back?\(query)"
    #expect(RedirectParser(text, at: address, of: .sdk) == .accepted(outcome))
  }

  @Test(arguments: ["", "?", "?next_step=", "?next_step", "?utm=1"])
  func connectURLRedirectWithoutResultIsBack(query: String) throws {
    let address = try RedirectURI(parsing: "https://lampost.test/back")
    #expect(RedirectParser(address.text + query, at: address, of: .connect) == .accepted(.back))
  }

  @Test func connectURLRedirectMayHaveAResult() throws {
    let address = try RedirectURI(parsing: "https://lampost.test/back")
    let read = RedirectParser(address.text + "?next_step=user_cancelled_configuration", at: address, of: .connect)
    #expect(read == .accepted(.cancelled))
  }

  @Test(arguments: [
    ("https://127.0.0.1:47823/r/9f", RedirectParser.Difference.scheme), ("lampost://done", .scheme),
    ("http://127.0.0.1:47824/r/9f", .host), ("http://127.0.0.2:47823/r/9f", .host),
    ("http://localhost:47823/r/9f", .host),
    ("http://kai@127.0.0.1:47823/r/9f", .host), ("http://127.0.0.1/r/9f", .host),
    ("http://127.0.0.1:47823/r/9g", .path), ("http://127.0.0.1:47823/r/9f/", .path),
    ("http://127.0.0.1:47823/R/9f", .path),
    ("http://127.0.0.1:47823/r/9%66", .path), ("http://127.0.0.1:47823", .path),
    ("http:/r/9f", .host), ("next_step=complete", .noURL), ("", .noURL), (" http://127.0.0.1:47823/r/9f", .noURL),
  ])
  func rejectsOtherAddresses(text: String, difference: RedirectParser.Difference) throws {
    let address = try RedirectURI(parsing: "http://127.0.0.1:47823/r/9f")
    let tail = text.isEmpty || difference == .noURL ? "" : "?next_step=complete&user_token=T"
    #expect(RedirectParser(text + tail, at: address, of: .sdk) == .refused(difference))
  }

  @Test(arguments: [
    ("http://127.0.0.1:80/", "HTTP://127.0.0.1"), ("https://Lampost.test/a", "https://lampost.TEST:443/a"),
    ("lampost://done", "LAMPOST://done/"),
  ])
  func acceptsEquivalentSpellings(expected: String, came: String) throws {
    let address = try RedirectURI(parsing: expected)
    #expect(RedirectParser(came + "?next_step=complete", at: address, of: .sdk) == .accepted(.complete(token: nil)))
  }

  @Test func requiresAllItemsOfRedirectURI() throws {
    let address = try RedirectURI(parsing: "lampost://done?next_step=mine&a=x%20y").expecting("nonce", "n1")
    func read(_ query: String) -> RedirectParser { RedirectParser("lampost://done?" + query, at: address, of: .sdk) }
    #expect(read("next_step=mine&a=x%20y&nonce=n1&next_step=complete") == .accepted(.complete(token: nil)))
    #expect(read("next_step=complete&next_step=mine&nonce=%6e1&a=x%20y") == .accepted(.complete(token: nil)))
    #expect(read("a=x%20y&next_step=mine&next_step=complete") == .refused(.query))
    #expect(read("next_step=mine&a=x%20y&nonce=n2&next_step=complete") == .refused(.query))
    #expect(read("next_step=mine&a=x+y&nonce=n1&next_step=complete") == .refused(.query))
    #expect(read("next_step=complete&a=x%20y&nonce=n1") == .refused(.query))
    #expect(RedirectParser("lampost://done#nonce=n1", at: address, of: .sdk) == .refused(.query))
  }

  private static func complete(_ token: String) -> ActivationRedirect { .complete(token: Secret(parsing: token)) }
}
