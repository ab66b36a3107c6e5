package import API
package import HTTP
package import Secrets

/// The page at which an Applet is switched on for the first time (reference: applets-api-v1.md, section 5).
package struct EmbeddedURL: Sendable {
  /// Where IFTTT's pages are as its answers say it, whoever serves them.
  private static let standardHost = "ifttt.com"

  private let page: WebURL

  /// - Parameters:
  ///   - text: `embedded_url` as IFTTT sent it.
  ///   - base: of IFTTT's pages, at which it is opened: another in tests and in the sandbox.
  /// - Throws: ``WebURLError`` for what cannot be opened, and for a page of somebody else's.
  package init(_ text: String, below base: WebURL) throws(WebURLError) {
    let url = try WebURL(parsing: text)
    guard url.host == Self.standardHost || url.host == "www.\(Self.standardHost)" || url.origin == base.origin else {
      throw WebURLError("its host is not IFTTT's")
    }
    var page = url
    if url.origin != base.origin {
      let spelled = url.wire.dropFirst(url.origin.utf8.count)
      page = try WebURL(parsing: base.wire + spelled)
    }
    self.page = page
  }

  /// In the order of our own, what the query held before staying first.
  /// - Parameter identity: what is said of this installation; nil while usage events are off.
  package func url(
    userID: String, returningTo address: String, email: String?, inviteCode: Secret?, identity: SDKIdentity?
  ) -> WebURL {
    let items = [
      QueryItem("user_id", userID), QueryItem("redirect_uri", address), email.map { QueryItem("email", $0) },
      inviteCode.map { QueryItem("invite_code", $0.revealed) },
    ]
    return page.with(items.compactMap(\.self) + (identity?.embeddedItems ?? []))
  }
}

extension SDKIdentity {
  /// As the older SDKs name it in the page's address.
  fileprivate var embeddedItems: [QueryItem] {
    [
      QueryItem("ifttt_sdk_version", version), QueryItem("ifttt_sdk_platform", Self.platform),
      QueryItem("ifttt_sdk_anonymous_id", anonymousID.revealed),
    ]
  }
}
