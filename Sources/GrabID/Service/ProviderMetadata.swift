package import HTTP
package import JSON
import Text

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
  /// - Throws: ``MetadataError``.
  package init(_ document: JSONObject, issuer pinned: String) throws(MetadataError) {
    guard let issuer = document["issuer"]?.string else { throw MetadataError("it has no issuer") }
    guard ExactText.same(issuer, pinned) else {
      throw MetadataError("its issuer is \(DisplayText.shown(issuer, limit: 100)), not \(pinned)")
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
    func needed(_ key: String) throws(MetadataError) -> WebURL {
      guard let url = endpoint(key) else {
        throw MetadataError(unusable.contains(key) ? "its \(key) is not an https URL" : "it has no \(key)")
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
    guard scope.asksForIdentity, keySetURL == nil else { return }
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

/// The reason why a metadata document must not be used.
package struct MetadataError: Error, Equatable, CustomStringConvertible {
  package let description: String
  init(_ description: String) { self.description = description }
}

extension WebURL {
  /// Whether the host is a loopback address. Only these may use plain http, and only by address: a name can resolve
  /// to anything.
  var isLoopbackAddress: Bool { isLoopback && host != "localhost" }
}
