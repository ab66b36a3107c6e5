import Testing

@testable import GrabID

@Suite struct ReturnTests {
  private func check(issuerIsRequired: Bool = true, _ redirect: String = "http://127.0.0.1:5000/callback") throws
    -> RedirectCheck
  {
    RedirectCheck(
      redirectURI: try GrabRedirectURI(parsing: redirect), state: "s-1", issuer: "https://idp.lampost.test",
      issuerIsRequired: issuerIsRequired)
  }
  private static let good = "code=c-1&state=s-1&iss=https%3A%2F%2Fidp.lampost.test"

  private func event(_ text: String, issuerIsRequired: Bool = true) throws -> GrabEvent? {
    do {
      _ = try check(issuerIsRequired: issuerIsRequired).code(in: RedirectedURL(pasted: text))
      return nil
    } catch let failure as GrabError { return failure.event }
  }

  @Test(arguments: [
    good, "?" + good, "http://127.0.0.1:5000/callback?" + good, "HTTP://127.0.0.1:5000/callback?" + good + "#",
    "http://127.0.0.1:5000/callback?" + good + "#_=_", "  \"http://127.0.0.1:5000/callback?\(good)\" \n",
    "<http://127.0.0.1:5000/call\nback?code=c-1&state=s\r\n-1&iss=https%3A%2F%2Fidp.lampost.test>",
    good + "&scope=openid&session_state=x",
    "'?" + good + "'",
  ])
  func acceptsRedirects(_ text: String) throws {
    #expect(try check().code(in: RedirectedURL(pasted: text)) == "c-1")
  }

  @Test(
    arguments: [
      ("c-1", .foreignRedirect), ("", .foreignRedirect), ("   ", .foreignRedirect),
      ("https://127.0.0.1:5000/callback?" + good, .foreignRedirect),
      ("http://127.0.0.1:5001/callback?" + good, .foreignRedirect),
      ("http://localhost:5000/callback?" + good, .foreignRedirect),
      ("http://evil.test:5000/callback?" + good, .foreignRedirect),
      ("http://127.0.0.1:5000/callback/?" + good, .foreignRedirect),
      ("http://127.0.0.1:5000/Callback?" + good, .foreignRedirect),
      ("http://a@127.0.0.1:5000/callback?" + good, .foreignRedirect),
      ("http://127.0.0.1:5000/callback#" + good, .foreignRedirect),
      ("http://127.0.0.1:5000/callback?\(good)#x", .foreignRedirect), (good + "&code=c-2", .foreignRedirect),
      (good + "&state=s-1", .foreignRedirect), (good + "&iss=x", .foreignRedirect),
      (good + "&error=x&error=y", .foreignRedirect),
      ("code=c%2&state=s-1", .foreignRedirect), ("code=c%FF&state=s-1", .foreignRedirect),
      ("code=ü&state=s-1", .foreignRedirect),
      ("code=c-1", .stateMismatch), ("code=c-1&state=", .stateMismatch), ("code=c-1&state=s-2", .stateMismatch),
      ("code=c-1&state=S-1", .stateMismatch), ("error=access_denied", .stateMismatch),
      ("error=access_denied&state=s-2", .stateMismatch),
      ("code=c-1&state=s-1", .foreignRedirect), ("code=c-1&state=s-1&iss=https://evil.test", .foreignRedirect),
      ("code=c-1&state=s-1&iss=https://idp.lampost.test/", .foreignRedirect),
      ("error=access_denied&state=s-1&iss=https://evil.test", .foreignRedirect),
      ("state=s-1&iss=https%3A%2F%2Fidp.lampost.test", .redirectWithoutCode),
      ("code=&state=s-1&iss=https%3A%2F%2Fidp.lampost.test", .redirectWithoutCode),
      ("error=access_denied&state=s-1", .userCancelled), ("code=c-1&error=access_denied&state=s-1", .userCancelled),
      ("error=user_canceled&state=s-1", .userCancelled), ("error=login_required&state=s-1", .interactionRequired),
      ("error=unauthorized_client&state=s-1", .clientNotAllowed), ("error=invalid_scope&state=s-1", .invalidScope),
      ("error=temporarily_unavailable&state=s-1", .unavailable), ("error=mfa_not_completed&state=s-1", .redirectError),
    ] as [(String, GrabEvent)])
  func rejects(_ text: String, _ event: GrabEvent) throws { #expect(try self.event(text) == event, "\(text)") }

  @Test func anUnannouncedIssuerIsOptionalButChecked() throws {
    #expect(try event("code=c-1&state=s-1", issuerIsRequired: false) == nil)
    #expect(try event(Self.good, issuerIsRequired: false) == nil)
    #expect(try event("code=c-1&state=s-1&iss=https://evil.test", issuerIsRequired: false) == .foreignRedirect)
  }

  @Test func redirectsLongerThan16KiBAreRejected() throws {
    #expect(try event(Self.good + "&x=" + String(repeating: "x", count: 16_000)) == nil)
    #expect(try event(Self.good + "&x=" + String(repeating: "x", count: 17_000)) == .foreignRedirect)
  }

  @Test func theServersTextIsReportedAndSanitized() throws {
    do {
      _ = try check().code(
        in: RedirectedURL(pasted: "error=odd%1b%5B31m&error_description=%0awhy%E2%80%AE&error_uri=u&state=s-1"))
      Issue.record("the address was accepted")
    } catch let failure as GrabError { #expect(failure.reason == "odd\u{fffd}[31m: \u{fffd}why\u{fffd}: u") }
  }

  @Test(
    arguments: [
      ("https://lampost.test/back", .https), ("http://127.0.0.1/callback", .loopback), ("http://[::1]:80/x", .loopback),
      ("http://localhost:8765/callback", .loopback),
      ("grabweblogin://open?x=1&y=2", .custom), ("com.lampost:/back", .custom),
    ] as [(String, GrabRedirectURI.Kind)])
  func acceptsRedirectURIs(_ text: String, _ kind: GrabRedirectURI.Kind) throws {
    #expect(try GrabRedirectURI(parsing: text).kind == kind)
  }

  @Test(
    arguments: [
      ("", .badRedirectURI), ("http://[", .unparsableRedirectURI), ("http://::1]/x", .unparsableRedirectURI),
      ("callback", .unparsableRedirectURI), ("http:", .unparsableRedirectURI), ("a b://x", .unparsableRedirectURI),
      ("http://127.0.0.1:99999/x", .unparsableRedirectURI), ("http://localhost.evil.test/x", .badRedirectURI),
      ("http://lampost.test/x", .badRedirectURI), ("https://u@lampost.test/x", .badRedirectURI),
      ("https://lampost.test/x#f", .badRedirectURI), ("https://lampost.test/**", .badRedirectURI),
      ("javascript:alert(1)", .badRedirectURI), ("data:text/html,x", .badRedirectURI),
      ("file:///etc/passwd", .badRedirectURI),
    ] as [(String, GrabEvent)])
  func rejectsBadRedirectURIs(_ text: String, _ event: GrabEvent) {
    do {
      _ = try GrabRedirectURI(parsing: text)
      Issue.record("\(text) was accepted")
    } catch { #expect(error.event == event, "\(text)") }
  }

  @Test func aCustomSchemeIsComparedLikeAnyOther() throws {
    let check = try check(issuerIsRequired: false, "grabweblogin://open?x=1")
    #expect(try check.code(in: RedirectedURL(pasted: "grabweblogin://open?x=1&code=c&state=s-1")) == "c")
    #expect(throws: GrabError.self) {
      try check.code(in: RedirectedURL(pasted: "grabweblogin://shut?code=c&state=s-1"))
    }
    #expect(throws: GrabError.self) {
      try check.code(in: RedirectedURL(pasted: "grabweblog://open?code=c&state=s-1"))
    }
  }
}
