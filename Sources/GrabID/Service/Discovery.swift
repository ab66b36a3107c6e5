package import HTTP
package import JSON
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
  /// - Parameter isForced: Whether to ignore the cache, for example if an endpoint no longer exists.
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
    var merged = document
    for member in other.members where merged[member.key]?.isNull ?? true { merged[member.key] = member.value }
    return merged
  }

  private func get(_ url: WebURL) throws -> Response {
    try world.send(
      Request(.get, url, headers: [Header("Accept", "application/json"), Header("Cache-Control", "no-cache")]),
      "discovery", in: .serviceDiscovery, redirects: GrabWorld.publicRedirects)
  }
}

/// A short name for a text that cannot be a name itself or must not be revealed.
enum Fingerprint {
  /// The first 32 hexadecimal digits of the SHA-256 of the parts. Each part is preceded by its length, so that
  /// different parts never form the same text.
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
  static let minimum = Duration.seconds(300)
  static let maximum = Duration.seconds(86_400)

  static func lifetime(of response: Response) -> Duration {
    let directives = (response.header("Cache-Control") ?? "").lowercased().split(separator: ",")
    for directive in directives {
      let halves = directive.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " && $0 != "\"" } }
      if halves.count == 2, halves[0] == "max-age", let seconds = Int64(halves[1]) {
        return min(max(.seconds(min(seconds, 1 << 40)), minimum), maximum)
      }
    }
    return minimum
  }
}

/// The metadata of a service (OpenID Connect Discovery §3, RFC 8414 §2), with its endpoints checked.
package struct ProviderMetadata: Sendable {
  package let issuer: String
  package let authorizationEndpoint: WebURL
  package let tokenEndpoint: WebURL
  package let keySetURL: WebURL?
  package let userInfoEndpoint: WebURL?
  package let revocationEndpoint: WebURL?
  package let deviceEndpoint: WebURL?
  package let endSessionEndpoint: WebURL?
  /// Grab's endpoint for checking ID tokens, which is not a standard key.
  package let tokenInfoEndpoint: WebURL?
  /// A template that contains `{client_id}`, which is not a standard key.
  package let publicInfoTemplate: String?
  package let challengeMethods: [String]?
  package let signingAlgorithms: [String]?
  /// Whether redirects contain the issuer (RFC 9207 §3).
  package let announcesIssuerInRedirect: Bool
  /// Keys whose value had the wrong type or was not an allowed endpoint; they count as absent.
  package let unusable: [String]

  /// Checks a metadata document.
  /// - Parameter document: the untrusted document.
  /// - Throws: ``GrabDocumentError``.
  package init(_ document: JSONObject, issuer pinned: String) throws(GrabDocumentError) {
    guard let issuer = document["issuer"]?.string else { throw GrabDocumentError("it has no issuer") }
    guard ExactText.same(issuer, pinned) else {
      throw GrabDocumentError("its issuer is \(DisplayText.shown(issuer, limit: 100)), not \(pinned)")
    }
    var unusable: [String] = []
    func endpoint(_ key: String) -> WebURL? {
      guard let value = document[key], !value.isNull else { return nil }
      if let text = value.string, let url = try? WebURL(parsing: text), url.scheme == "https" || url.isLoopbackAddress {
        return url
      }
      unusable.append(key)
      return nil
    }
    func needed(_ key: String) throws(GrabDocumentError) -> WebURL {
      guard let url = endpoint(key) else {
        throw GrabDocumentError(unusable.contains(key) ? "its \(key) is not an https URL" : "it has no \(key)")
      }
      return url
    }
    func texts(_ key: String) -> [String]? {
      guard let value = document[key], !value.isNull else { return nil }
      if let array = value.array { return array.compactMap(\.string) }
      unusable.append(key)
      return nil
    }
    self.issuer = issuer
    authorizationEndpoint = try needed("authorization_endpoint")
    tokenEndpoint = try needed("token_endpoint")
    keySetURL = endpoint("jwks_uri")
    userInfoEndpoint = endpoint("userinfo_endpoint")
    revocationEndpoint = endpoint("revocation_endpoint")
    deviceEndpoint = endpoint("device_authorization_endpoint")
    endSessionEndpoint = endpoint("end_session_endpoint")
    tokenInfoEndpoint = endpoint("id_token_verification_endpoint")
    publicInfoTemplate = document["client_public_info_endpoint"]?.string
    challengeMethods = texts("code_challenge_methods_supported")
    signingAlgorithms = texts("id_token_signing_alg_values_supported")
    announcesIssuerInRedirect = document["authorization_response_iss_parameter_supported"]?.bool ?? false
    self.unusable = unusable
  }

  /// Checks that ID tokens can be verified.
  /// - Throws: ``GrabError`` if `scope` requests an ID token and there is no key set to verify it.
  func checkKeys(for scope: Scope) throws(GrabError) {
    guard scope.requestsIdentity, keySetURL == nil else { return }
    throw GrabError(
      .discoveryUnusable, "the service has no key set, so ID tokens cannot be verified",
      reason: unusable.contains("jwks_uri") ? "its jwks_uri is not an https URL" : "it has no jwks_uri",
      hint: GrabWorld.addressAdvice, in: .serviceDiscovery)
  }

  /// The hosts that receive requests, each one once, in the order of a sign-in.
  package var origins: [String] {
    var seen: [String] = []
    for url in [
      authorizationEndpoint, tokenEndpoint, keySetURL, userInfoEndpoint, revocationEndpoint, tokenInfoEndpoint,
    ] {
      if let origin = url?.origin, !seen.contains(origin) { seen.append(origin) }
    }
    return seen
  }
}

extension WebURL {
  /// Whether the host is a loopback address. Only these may use plain http, and only by address: a name can resolve
  /// to anything.
  var isLoopbackAddress: Bool { isLoopback && host != "localhost" }
}
