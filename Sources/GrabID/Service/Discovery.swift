import HTTP
import JSON
import PluginProtocol
import Text
import World

/// Fetches the metadata of a service and caches it for at most a day.
struct Discovery {
  let world: GrabWorld
  let client: GrabClient

  /// The path that OpenID Connect Discovery §4 appends. RFC 8414 §3.1 inserts its path instead.
  private static let openIDPath = "/.well-known/openid-configuration"
  private static let oauthPath = "/.well-known/oauth-authorization-server"

  private static let advice: Hint =
    "Check --discovery-url, which is used unchanged (it usually ends in \(openIDPath)), and --issuer."

  static func storedName(_ client: GrabClient) -> String {
    "metadata/\(Fingerprint.of(client.discoveryURL.wire, client.issuer))"
  }

  /// The metadata of the service.
  /// - Parameter isForced: whether to ignore the cache, for example if an endpoint is gone.
  func metadata(isForced: Bool = false) throws -> ProviderMetadata {
    let name = Self.storedName(client)
    if !isForced, let cached = try world.host.credential(name).flatMap(CachedDocument.init(stored:)),
      cached.isFresh(at: world.now), let metadata = try? read(cached.document)
    {
      return metadata
    }
    let (document, lifetime) = try fetch()
    let metadata = try usable(document)
    if !world.isDryRun {
      let cached = CachedDocument(document: JSONValue.object(document).bytes, fetchedAt: world.now, lifetime: lifetime)
      try world.host.save([name: cached.stored])
    }
    if !metadata.unusable.isEmpty {
      world.host.note(.debug, "ignored in the service's metadata: \(metadata.unusable.joined(separator: ", "))")
    }
    return metadata
  }

  private func read(_ document: [UInt8]) throws -> ProviderMetadata {
    try ProviderMetadata(try StrictJSON.object(document), issuer: client.issuer)
  }

  private func usable(_ document: JSONObject) throws(GrabError) -> ProviderMetadata {
    do { return try ProviderMetadata(document, issuer: client.issuer) } catch {
      throw GrabError(
        .discoveryUnusable, "the discovery document of \(client.discoveryURL.origin) cannot be used",
        reason: "\(error)",
        hint: Self.advice, in: .serviceDiscovery)
    }
  }

  private func fetch() throws -> (JSONObject, Duration) {
    let response = try get(client.discoveryURL)
    guard (200..<300).contains(response.status) else {
      throw GrabError(
        .discoveryStatus, "discovery: \(client.discoveryURL.origin) responded with \(response.status)",
        hint: response.status >= 500 ? GrabWorld.retryAdvice : Self.advice, in: .serviceDiscovery,
        status: response.status)
    }
    var document: JSONObject
    do { document = try StrictJSON.object(response.body) } catch {
      throw GrabError(
        .discoveryUnusable, "discovery: the response from \(client.discoveryURL.origin) cannot be read",
        reason: "\(error)", hint: Self.advice, in: .serviceDiscovery)
    }
    let isMissing = ["revocation_endpoint", "device_authorization_endpoint"].contains { document[$0]?.isNull ?? true }
    if isMissing, let other = try secondDocument() { document = Self.completed(document, by: other) }
    return (document, Freshness.lifetime(of: response))
  }

  /// The OAuth metadata document. Some servers split their metadata, so members missing in the first document come
  /// from this one.
  private func secondDocument() throws -> JSONObject? {
    let path = client.discoveryURL.path
    guard path.hasSuffix(Self.openIDPath), client.discoveryURL.query.isEmpty else { return nil }
    var url = client.discoveryURL
    url.path = Self.oauthPath + path.dropLast(Self.openIDPath.utf8.count)
    let response: Response
    do { response = try get(url) } catch is GrabError { return nil }
    guard (200..<300).contains(response.status) else { return nil }
    return try? StrictJSON.object(response.body)
  }

  static func completed(_ document: JSONObject, by other: JSONObject) -> JSONObject {
    guard let issuer = document["issuer"]?.string, let second = other["issuer"]?.string, ExactText.same(issuer, second)
    else { return document }
    var whole = document
    for member in other.members where whole[member.key]?.isNull ?? true { whole[member.key] = member.value }
    return whole
  }

  private func get(_ url: WebURL) throws -> Response {
    try world.call(
      Request(.get, url, headers: [Header("Accept", "application/json"), Header("Cache-Control", "no-cache")]),
      "discovery", in: .serviceDiscovery, redirects: GrabWorld.publicRedirects)
  }
}

/// A short name for a text that cannot be a name itself or must not be revealed.
enum Fingerprint {
  /// The first 32 hexadecimal digits of the SHA-256 of the parts. Length prefixes keep the parts apart.
  static func of(_ parts: String...) -> String {
    let text = parts.map { "\($0.utf8.count):\($0)" }.joined()
    return SHA256.hash(Array(text.utf8)).prefix(16).hex
  }
}

/// A public document of the service, cached between runs with its age.
struct CachedDocument {
  let document: [UInt8]
  let fetchedAt: Timestamp
  let freshUntil: Timestamp

  init(document: [UInt8], fetchedAt: Timestamp, lifetime: Duration) {
    (self.document, self.fetchedAt) = (document, fetchedAt)
    freshUntil = fetchedAt + lifetime
  }

  init?(stored text: String) {
    guard let value = try? JSONValue(parsing: Array(text.utf8)), let document = value["document"]?.string,
      let fetched = value["fetched_at"]?.int, let fresh = value["fresh_until"]?.int
    else { return nil }
    self.document = Array(document.utf8)
    fetchedAt = Timestamp(milliseconds: Int64(fetched))
    freshUntil = Timestamp(milliseconds: Int64(fresh))
  }

  var stored: String {
    JSONValue.object([
      "document": .string(String(decoding: document, as: UTF8.self)),
      "fetched_at": JSONValue(Int(fetchedAt.milliseconds)), "fresh_until": JSONValue(Int(freshUntil.milliseconds)),
    ]).text
  }

  /// Whether the document is fresh. A clock that was set back makes it stale instead of fresh forever.
  func isFresh(at now: Timestamp) -> Bool { now < freshUntil && fetchedAt <= now }

  /// Whether the document is at least a minute old, so that it may be fetched again.
  func mayBeRefetched(at now: Timestamp) -> Bool { now >= fetchedAt + .seconds(60) || now < fetchedAt }
}

/// The time for which a response may be cached: its `max-age`, within bounds.
enum Freshness {
  static let least = Duration.seconds(300)
  static let most = Duration.seconds(86_400)

  static func lifetime(of response: Response) -> Duration {
    let directives = (response.header("Cache-Control") ?? "").lowercased().split(separator: ",")
    for directive in directives {
      let halves = directive.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " && $0 != "\"" } }
      if halves.count == 2, halves[0] == "max-age", let seconds = Int64(halves[1]) {
        return min(max(.seconds(min(seconds, 1 << 40)), least), most)
      }
    }
    return least
  }
}
