import API
package import HTTP
package import Secrets

/// Which of IFTTT's two pages a connection is switched on at (reference: activation.md, section 1).
package enum ActivationPage: String, Sendable, CaseIterable {
  /// `/access/api/{id}`, which the mobile SDKs open. It returns a user token.
  case sdk
  /// `/connect/{id}`, the documented one. What it returns is not known.
  case connect
}

/// How IFTTT is told who is about to connect.
package enum ConnectingUser: Sendable, Equatable {
  case email(EmailAddress, isNew: Bool)
  /// The name of an account, as `/v2/me` tells it.
  case username(String)
}

/// The program, as it names itself to IFTTT's page.
package struct ClientName: Sendable, Equatable {
  package var version: String
  /// Neither `ios` nor `android`, which it is not (C27).
  package var platform: String
  package var anonymousID: String
  package init(version: String, platform: String = SDKIdentity.platform, anonymousID: String) {
    (self.version, self.platform, self.anonymousID) = (version, platform, anonymousID)
  }
}

/// The address that the browser is opened at.
package struct ActivationURL: Sendable {
  package var connection: ConnectionID
  package var page: ActivationPage
  /// Where the browser comes back to; nil on the Connect URL alone, where it then stays at IFTTT.
  package var returnAddress: RedirectURI?
  /// Nil where it is not known yet who it is, as before anything was asked.
  package var person: ConnectingUser?
  package var client: ClientName
  package var inviteCode: Secret?
  /// A BCP 47 tag with hyphens: `fr-CA`.
  package var locale: String?
  package var skipsConfiguration = false
  /// The partner's OAuth code on the SDK URL, a provisional access code on the Connect URL.
  package var code: Secret?

  package init(
    of connection: ConnectionID, at page: ActivationPage, returningTo returnAddress: RedirectURI?,
    person: ConnectingUser?,
    client: ClientName
  ) {
    (self.connection, self.page, self.returnAddress) = (connection, page, returnAddress)
    (self.person, self.client) = (person, client)
  }

  /// - Parameter base: of IFTTT's pages, `https://ifttt.com`.
  package func url(below base: WebURL) -> WebURL {
    let items = page == .sdk ? sdkItems : connectItems
    let path = page == .sdk ? base.appending("access", "api") : base.appending("connect")
    return path.appending(connection.description).with(items.compactMap(\.self))
  }

  /// In the order of the iOS SDK, with the invite code where Android has it (C19; reference: section 3).
  private var sdkItems: [QueryItem?] {
    var items: [QueryItem?] = [
      returnAddress.map { QueryItem("sdk_return_to", $0.text) },
      QueryItem("sdk_version", client.version), QueryItem("sdk_platform", client.platform),
      QueryItem("sdk_anonymous_id", client.anonymousID), inviteCode.map { QueryItem("invite_code", $0.revealed) },
      locale.map { QueryItem("locale", $0) }, skipItem,
    ]
    switch person {
    case nil: break
    case .username(let name): items.append(QueryItem("username", name))
    case .email(let email, let isNew):
      items.append(QueryItem("email", email.description))
      if isNew { items.append(QueryItem("sdk_create_account", "true")) }
    }
    return items + [codeItem]
  }

  /// The documented ones alone, in their order (section 2).
  private var connectItems: [QueryItem?] {
    var items: [QueryItem?] = []
    if case .email(let email, _)? = person { items.append(QueryItem("email", email.description)) }
    return items + [returnAddress.map { QueryItem("redirect_uri", $0.text) }, codeItem, skipItem]
  }

  private var codeItem: QueryItem? { code.map { QueryItem("code", $0.revealed, isSecret: true) } }
  private var skipItem: QueryItem? { skipsConfiguration ? QueryItem("skip_config", "true") : nil }
}
