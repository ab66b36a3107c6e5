import HTTP
import JSON

extension GrabCommands {
  /// Shows the links by which a phone would hand the sign-in to an app. It only prints them, unless `--open` names an
  /// app store's link.
  func apps(_ invocation: GrabInvocation) throws {
    let client = try world.settings(for: invocation).client()
    let metadata = try Discovery(world: world, client: client).metadata()
    let url = try PublicInformation.url(metadata, clientID: client.id)
    let information = try PublicInformation.fetch(url, in: world)
    if let product = information.product { world.host.note(.info, DisplayText.shown(product, limit: 100)) }
    try give(
      .rows(
        information.links.map { link in
          [
            "product": JSONValue(information.product), "platform": .string(link.platform), "kind": .string(link.kind),
            "url": .string(link.url), "package": JSONValue(link.package),
            "minimum_version": JSONValue(link.minimumVersion),
          ]
        }))
    guard let platform = invocation.text("open") else { return }
    let store = information.links.first { $0.kind == "store" && $0.platform == platform }
    guard let store, GrabURI(parsing: store.url) != nil, try world.host.open(store.url) else {
      throw GrabError(
        .linkNotOpened, "the store's page could not be opened",
        reason: store == nil ? "the service has none for \(platform)" : nil, in: .appStore)
    }
    world.host.note(.info, "opened the store's page \(GrabCode(.appStore, .launchAppStoreLink).reference)")
  }
}
