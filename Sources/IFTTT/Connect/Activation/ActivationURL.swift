package import HTTP
import JSON
package import Text

/// The IFTTT page on which a connection is enabled (docs/api/activation.md §1).
package enum ActivationPage: String, Sendable, CaseIterable {
  /// `/access/api/{id}`, which the mobile SDKs open. It returns a user token.
  case sdk
  /// `/connect/{id}`, the documented page. What it returns is not known.
  case connect
}

/// The user who connects, as identified to IFTTT.
package enum ConnectingUser: Sendable, Equatable {
  case email(EmailAddress, isNew: Bool)
  /// The name of an account, as returned by `/v2/me`.
  case username(String)
}

/// The program's identity on IFTTT's page.
package struct ClientName: Sendable, Equatable {
  package var version: String
  /// Neither `ios` nor `android`, because the program is neither (docs/api/connect.md C27).
  package var platform: String
  package var anonymousID: String
  package init(version: String, platform: String = SDKIdentity.platform, anonymousID: String) {
    (self.version, self.platform, self.anonymousID) = (version, platform, anonymousID)
  }
}

/// The URL to open in the browser.
package struct ActivationURL: Sendable {
  package var connection: ConnectionID
  package var page: ActivationPage
  /// The URL the browser is redirected to. Nil is possible only for the Connect URL, where the browser then stays on
  /// IFTTT's page.
  package var returnAddress: RedirectURI?
  /// Nil if the user is not known yet.
  package var user: ConnectingUser?
  package var client: ClientName
  package var inviteCode: Secret?
  /// A BCP 47 tag with hyphens, such as `fr-CA`.
  package var locale: String?
  package var skipsConfiguration = false
  /// The partner's OAuth code for the SDK URL; a provisional access code for the Connect URL.
  package var code: Secret?

  package init(
    of connection: ConnectionID, at page: ActivationPage, returningTo returnAddress: RedirectURI?,
    user: ConnectingUser?,
    client: ClientName
  ) {
    (self.connection, self.page, self.returnAddress) = (connection, page, returnAddress)
    (self.user, self.client) = (user, client)
  }

  /// - Parameter base: the base URL of IFTTT's pages, `https://ifttt.com`.
  package func url(below base: WebURL) -> WebURL {
    let items = page == .sdk ? sdkItems : connectItems
    let path = page == .sdk ? base.appending("access", "api") : base.appending("connect")
    return path.appending(connection.description).with(items.compactMap(\.self))
  }

  /// In the order of the iOS SDK, with the invite code at Android's position (docs/api/activation.md §3, C19).
  private var sdkItems: [QueryItem?] {
    var items: [QueryItem?] = [
      returnAddress.map { QueryItem("sdk_return_to", $0.text) },
      QueryItem("sdk_version", client.version), QueryItem("sdk_platform", client.platform),
      QueryItem("sdk_anonymous_id", client.anonymousID), inviteCode.map { QueryItem("invite_code", $0.revealed) },
      locale.map { QueryItem("locale", $0) }, skipItem,
    ]
    switch user {
    case nil: break
    case .username(let name): items.append(QueryItem("username", name))
    case .email(let email, let isNew):
      items.append(QueryItem("email", email.description))
      if isNew { items.append(QueryItem("sdk_create_account", "true")) }
    }
    return items + [codeItem]
  }

  /// The documented items only, in their order (docs/api/activation.md §2).
  private var connectItems: [QueryItem?] {
    var items: [QueryItem?] = []
    if case .email(let email, _)? = user { items.append(QueryItem("email", email.description)) }
    return items + [returnAddress.map { QueryItem("redirect_uri", $0.text) }, codeItem, skipItem]
  }

  private var codeItem: QueryItem? { code.map { QueryItem("code", $0.revealed, isSecret: true) } }
  private var skipItem: QueryItem? { skipsConfiguration ? QueryItem("skip_config", "true") : nil }
}

/// An e-mail address that can be sent to IFTTT, which makes the final decision (docs/api/activation.md §8).
package struct EmailAddress: Sendable, Hashable, CustomStringConvertible {
  package let description: String

  /// Nil unless the text is a single address of at most 254 bytes. It has exactly one `@`. Before it are neither
  /// spaces nor control characters; after it is a name with a dot, or an address in brackets. White space around the
  /// address is trimmed.
  package init?(parsing text: String) {
    let scalars = text.unicodeScalars
    let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
    guard let first = scalars.firstIndex(where: { !isSpace($0) }), let last = scalars.lastIndex(where: { !isSpace($0) })
    else { return nil }
    let address = String(scalars[first...last])
    let halves = address.split(separator: "@", omittingEmptySubsequences: false)
    guard address.utf8.count <= 254, halves.count == 2, !halves[0].isEmpty,
      address.unicodeScalars.allSatisfy({ !isSpace($0) && !isControl($0) }), EmailAddress.isDomain(halves[1])
    else { return nil }
    description = address
  }

  private static func isDomain(_ text: Substring) -> Bool {
    if text.first == "[" {
      return text.count > 2 && text.last == "]"
        && text.dropFirst().dropLast().utf8.allSatisfy { $0.isLetterOrDigit || $0 == 0x2e || $0 == 0x3a }
    }
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    return labels.count > 1
      && labels.allSatisfy { label in
        !label.isEmpty && label.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") || $0 >= 0x80 }
      }
  }
}

private func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || 0x7f...0x9f ~= scalar.value }

extension ConnectClient {
  /// POST /v2/provisional_access_code: exchanges an OAuth code of the developer's service for a code that the Connect
  /// URL accepts. That code works once and for 48 hours (docs/api/connect.md §7.13). Never retried, because the OAuth
  /// code is used up.
  /// - Throws: ``APIError/needs(_:)`` without a service key.
  package func provisionalCode(oauthCode: Secret) throws(APIError) -> Endpoint<Secret> {
    try caller.require(.service)
    let request = caller.template.post(
      ["v2", "provisional_access_code"], json: ["oauth_code": .string(oauthCode.revealed)], secrets: ["oauth_code"],
      isRepeatable: false)
    return caller.endpoint(request) { response throws(APIError) in
      let object = try response.object(isSecret: true)
      guard let code = object.text("provisional_access_code").flatMap(Secret.init(parsing:)) else {
        throw response.unreadable("it contains no provisional access code", isSecret: true)
      }
      return code
    }
  }
}
