import HTTP
import Text

/// Sign-out at the service itself (OpenID Connect RP-Initiated Logout 1.0), which requires the browser.
extension GrabCommands {
  /// The URL for signing out. It contains the ID token, so it is opened, and shown only if the user wants no browser.
  func providerSignOut(of account: Account) throws -> String? {
    let client = try world.client(of: account)
    guard let url = try Discovery(world: world, client: client).metadata().endSessionEndpoint else {
      world.host.note(.warning, "the service has no sign-out page")
      return nil
    }
    var items = [(name: "client_id", value: client.id)]
    if let hint = account.tokens?.id { items.insert(("id_token_hint", hint.revealed), at: 0) }
    return url.wire + (url.query.isEmpty ? "?" : "&") + Percent.encode(items)
  }

  func open(_ page: String, _ account: Account) throws {
    if try !world.host.open(page) {
      world.host.note(.warning, "\(account.name): the sign-out page could not be opened")
    }
  }
}
