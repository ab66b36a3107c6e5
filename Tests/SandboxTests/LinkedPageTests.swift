import Foundation
import HTTP
import Sandbox
import Testing

/// The targets of the API's `url` members and of the SDKs' links.
@Suite struct LinkedPageTests {
  @Test func showsTheTerms() {
    var browser = Browser()
    browser.open("/terms")
    #expect(browser.shown.status == 200 && browser.html.contains("<h1>Terms</h1>"))
  }

  @Test func aServicePageListsPublishedConnections() {
    var browser = Browser()
    browser.open("/lampost")
    #expect(browser.shown.status == 200 && browser.html.contains("Lampost Lights"))
    #expect(browser.html.contains("href=\"/applets/Kd7Rn2Qx\""))
    #expect(!browser.html.contains("Mh4Ts7Aq"), "it is unpublished")
    browser.open("/lampost?invite_code=lantern-4417")
    #expect(browser.html.contains("href=\"/applets/Mh4Ts7Aq\""))
    browser.open("/tidebook")
    #expect(browser.html.contains("Tidebook Calendar"), "a service that is not a partner also has a page")
  }

  /// Every `url` in the API's responses has a page.
  @Test(arguments: ["/v2/connections/Kd7Rn2Qx", "/v1/services/lampost/applets"]) func urlsHavePages(_ path: String) {
    var browser = Browser()
    browser.open(path)
    let urls = browser.html.components(separatedBy: "\"url\":\"https://ifttt.com").dropFirst()
      .compactMap { $0.split(separator: "\"").first.map(String.init) }
    #expect(urls.count > 1, "\(browser.html.prefix(200))")
    for url in Set(urls) {
      browser.open(url)
      #expect(browser.shown.status == 200, "\(url)")
      #expect(browser.shown.header("Content-Type") == "text/html; charset=utf-8", "\(url)")
    }
  }

  @Test func unpublishedPagesNeedTheInviteCode() {
    var browser = Browser()
    for path in ["/applets/Mh4Ts7Aq", "/applets/none"] {
      browser.open(path)
      #expect(browser.shown.status == 404)
    }
    browser.open("/applets/Mh4Ts7Aq?invite_code=lantern-4417")
    #expect(browser.shown.status == 200)
  }

  @Test func otherPathsAreNotFound() {
    var browser = Browser()
    for path in ["/nothing", "/favicon.ico", "/", "/terms/more", "/applets", "/lampost/more"] {
      browser.open(path)
      #expect(browser.shown.status == 404 && browser.html.contains("emulator_unknown_path"), "\(path)")
    }
  }

  @Test func serviceNamesAreEscaped() {
    var browser = Browser()
    browser.open("/bold_co")
    #expect(browser.html.contains("&lt;b&gt;Bold&lt;/b&gt;") && !browser.html.contains("<b>Bold"))
  }
}
