import HTTP
package import JSON
import PluginProtocol
import Text

extension GrabCommands {
  /// Shows the links by which a phone would hand the sign-in to an app. It only prints them, unless `--open` names an
  /// app store's link.
  func apps(_ call: CommandCall) throws {
    let client = try world.settings(for: call).client()
    let metadata = try Discovery(world: world, client: client).metadata()
    let url = try PublicInformation.url(metadata, clientID: client.id)
    let information = try PublicInformation.fetch(url, in: world)
    if let product = information.product { world.host.note(.info, DisplayText.shown(product, limit: 100)) }
    try output(
      .rows(
        information.links.map { link in
          [
            "product": JSONValue(information.product), "platform": .string(link.platform), "kind": .string(link.kind),
            "url": .string(link.url), "package": JSONValue(link.package),
            "minimum_version": JSONValue(link.minimumVersion),
          ]
        }))
    guard let platform = call.option("open") else { return }
    let store = information.links.first { $0.kind == "store" && $0.platform == platform }
    guard let store, GrabURI(parsing: store.url) != nil, try world.host.open(store.url) else {
      throw GrabError(
        .linkNotOpened, "the store's page could not be opened",
        reason: store == nil ? "the service has none for \(platform)" : nil, in: .appStore)
    }
    world.host.note(.info, "opened the store's page \(GrabCode(.appStore, .launchAppStoreLink).reference)")
  }
}

/// Grab's public information about a client: its product, and the links by which a phone hands a sign-in to an app.
package struct PublicInformation: Sendable {
  /// One entry of `custom_protocols`, each of which is a string that contains JSON.
  package struct Link: Sendable, Equatable {
    package let platform: String
    package let kind: String
    package let url: String
    /// The app's package name, if the entry contains it.
    package let package: String?
    package let minimumVersion: String?
  }

  package let product: String?
  package let links: [Link]

  /// Reads a document. Entries of an unknown format are skipped.
  package init(_ document: JSONObject) {
    product = document["product_name"]?.string
    links = (document["custom_protocols"]?.array ?? []).flatMap { entry -> [Link] in
      guard let text = entry.string, let members = try? StrictJSON.object(Array(text.utf8)) else { return [] }
      return Self.links(members)
    }
  }

  private static func links(_ members: JSONObject) -> [Link] {
    func text(_ name: String) -> String? { members[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }
    var links: [Link] = []
    func add(_ platform: String, _ kind: String, _ name: String, package: String? = nil, version: String? = nil) {
      if let url = text(name) {
        links.append(Link(platform: platform, kind: kind, url: url, package: package, minimumVersion: version))
      }
    }
    add("ios", "app", "protocol_ios", package: text("protocol_pax_ios"))
    add("android", "app", "protocol_adr", package: text("package_adr"), version: text("minversion_adr"))
    add("ios", "store", "appstore_link_ios")
    add("android", "store", "appstore_link_adr")
    return links
  }

  /// The URL for one client; its id is encoded, so that it stays one path segment.
  /// - Throws: ``GrabError``. There is no default across environments (docs/api/grab.md GD10).
  static func url(_ metadata: ProviderMetadata, clientID: String) throws(GrabError) -> WebURL {
    let placeholder = "{client_id}"
    guard let template = metadata.publicInfoTemplate, let range = template.firstRange(ofText: placeholder),
      let url = try? WebURL(
        parsing: template[..<range.lowerBound] + Percent.encode(clientID) + template[range.upperBound...])
    else {
      throw GrabError(
        .publicInfoURL, "the service has no URL for a client's public information",
        reason: "its metadata has no usable client_public_info_endpoint", in: .customProtocolsService)
    }
    return url
  }

  static func fetch(_ url: WebURL, in world: GrabWorld) throws -> PublicInformation {
    let request = Request(
      .get, url, headers: [Header("Accept", "application/json"), Header("Cache-Control", "no-cache")])
    let response = try world.send(
      request, "public information", in: .customProtocolsService, redirects: GrabWorld.publicRedirects)
    guard (200..<300).contains(response.status) else {
      throw GrabError(
        .publicInfoStatus, "public information: the service responded with \(response.status)",
        reason: ServerErrorText(response).text, in: .customProtocolsService, status: response.status)
    }
    do { return PublicInformation(try StrictJSON.object(response.body)) } catch {
      throw GrabError(
        .publicInfoUnusable, "public information: the response cannot be read", reason: "\(error)",
        in: .customProtocolsService)
    }
  }
}
