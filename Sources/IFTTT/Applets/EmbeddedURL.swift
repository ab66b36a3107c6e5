package import HTTP
package import Text

/// The page on which an Applet is enabled for the first time (docs/api/applets.md §5).
package struct EmbeddedURL: Sendable {
  /// The host of IFTTT's pages in its responses, whichever host serves them.
  private static let standardHost = "ifttt.com"

  private let page: WebURL

  /// - Parameters:
  ///   - text: `embedded_url` as IFTTT sent it.
  ///   - base: the base URL of IFTTT's pages, where the page is opened. Differs in tests and in the sandbox.
  /// - Throws: ``WebURLError`` for a URL that cannot be opened, and for a page on another host.
  package init(_ text: String, below base: WebURL) throws(WebURLError) {
    let url = try WebURL(parsing: text)
    guard url.host == Self.standardHost || url.host == "www.\(Self.standardHost)" || url.origin == base.origin else {
      throw WebURLError("the host is not IFTTT's")
    }
    var page = url
    if url.origin != base.origin {
      let spelled = url.wire.dropFirst(url.origin.utf8.count)
      page = try WebURL(parsing: base.wire + spelled)
    }
    self.page = page
  }

  /// The page's URL with additional query items in a fixed order, after those it already had.
  /// - Parameter identity: the identity of this installation; nil while usage events are disabled.
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
  /// The query items under the names that the older SDKs use in the page's URL.
  fileprivate var embeddedItems: [QueryItem] {
    [
      QueryItem("ifttt_sdk_version", version), QueryItem("ifttt_sdk_platform", Self.platform),
      QueryItem("ifttt_sdk_anonymous_id", anonymousID.revealed),
    ]
  }
}
