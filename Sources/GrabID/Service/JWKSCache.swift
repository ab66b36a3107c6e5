import HTTP
import JSON
import PluginProtocol
import Text
import World

/// The issuer's keys for verifying tokens, in memory.
struct VerificationKeys {
  let set: KeySet
  /// Whether the set is old enough to be fetched again for a token that it does not verify.
  let mayBeRefetched: Bool
}

/// The issuer's keys: cached between runs, fetched when stale, and fetched once more if a token names an unknown key.
struct JWKSCache {
  let world: GrabWorld
  let client: GrabClient

  /// The current keys. Fetch them before a code or refresh token is spent: after that, no request may delay saving
  /// the response.
  /// - Throws: ``GrabError``, ``PluginError``.
  func keys(_ metadata: ProviderMetadata) throws -> VerificationKeys {
    let url = try keySetURL(metadata)
    guard let cached = try world.host.credential(name(url)).flatMap(CachedDocument.init(stored:)),
      cached.isFresh(at: world.now)
    else { return VerificationKeys(set: try fetch(url), mayBeRefetched: false) }
    return VerificationKeys(set: try keySet(cached.document), mayBeRefetched: cached.mayBeRefetched(at: world.now))
  }

  /// Verifies an ID token and fetches keys if necessary.
  /// - Parameter fetchedKeys: Keys that were fetched before; nil to fetch them now.
  /// - Throws: ``IDTokenError``, ``GrabError``, ``PluginError``.
  func verify(
    _ text: String, metadata: ProviderMetadata, with fetchedKeys: VerificationKeys? = nil, rules: IDTokenRules
  ) throws -> IDToken {
    let allowed = SignatureAlgorithm.narrowed(client.algorithms, by: metadata.signingAlgorithms)
    // A malformed token, or one with an algorithm that is not allowed, causes no request.
    _ = try CompactToken(parsing: text, allowed: allowed)
    func check(_ keys: KeySet) throws -> IDToken {
      try IDToken(
        parsing: text, keys: keys, allowed: allowed, strictKeyID: client.settings.strictKeyID ?? false,
        rules: rules)
    }
    let keys = try fetchedKeys ?? self.keys(metadata)
    do { return try check(keys.set) } catch let fault as IDTokenError {
      // The token may use a key that is newer than the set, but forged tokens must not cause a stream of requests.
      guard fault.check == .signature, keys.mayBeRefetched else { throw fault }
      return try check(try fetch(keySetURL(metadata)))
    }
  }

  private func keySetURL(_ metadata: ProviderMetadata) throws(GrabError) -> WebURL {
    if let url = metadata.keySetURL { return url }
    throw GrabError(
      .noKeySet, "the service has no key set, so no ID token can be verified",
      reason: "its metadata has no usable jwks_uri", hint: GrabWorld.addressAdvice, code: .badResponse)
  }

  /// Verifies an ID token with the cached keys, even if they are stale; sends nothing.
  /// - Throws: ``IDTokenError``.
  func verifyOffline(_ text: String, metadata: ProviderMetadata?, rules: IDTokenRules) throws -> IDToken {
    let allowed = SignatureAlgorithm.narrowed(client.algorithms, by: metadata?.signingAlgorithms)
    guard let url = metadata?.keySetURL,
      let cached = try world.host.credential(name(url)).flatMap(CachedDocument.init(stored:)),
      let keys = try? KeySet(parsing: cached.document)
    else { throw IDTokenError(.signature, "there are no stored keys to verify it with") }
    return try IDToken(
      parsing: text, keys: keys, allowed: allowed, strictKeyID: client.settings.strictKeyID ?? false, rules: rules)
  }

  private func name(_ url: WebURL) -> String { "keys/\(Fingerprint.of(client.issuer, url.wire))" }

  private func keySet(_ document: [UInt8]) throws(GrabError) -> KeySet {
    let keys: KeySet
    do { keys = try KeySet(parsing: document) } catch {
      throw GrabError(
        .noKeySet, "the service's key set cannot be read", reason: "\(error)",
        hint: GrabWorld.addressAdvice, code: .badResponse)
    }
    if keys.skipped.contains(where: \.reason.isPrivate) {
      world.host.note(.warning, "the service publishes a private key; it is not used")
    }
    return keys
  }

  private func fetch(_ url: WebURL) throws -> KeySet {
    let response: Response
    do {
      response = try world.send(
        Request(.get, url, headers: [Header("Accept", "application/json")]), "the key set", in: .exchangeToken,
        redirects: GrabWorld.publicRedirects)
    } catch let failure as GrabError {
      throw failure.reported(as: .noKeySet, "the ID token cannot be verified without the service's keys")
    }
    guard (200..<300).contains(response.status) else {
      var failure = GrabError(
        .noKeySet, "the service's key set could not be fetched: \(url.origin) responded with \(response.status)",
        hint: response.status >= 500 ? GrabWorld.retryAdvice : GrabWorld.addressAdvice,
        code: response.status >= 500 ? .serverError : .badResponse)
      failure.status = response.status
      throw failure
    }
    let keys = try keySet(response.body)
    let cached = CachedDocument(
      document: response.body, fetchedAt: world.now, lifetime: Freshness.lifetime(of: response))
    if !world.isDryRun { try world.host.save([name(url): cached.stored]) }
    return keys
  }
}

extension IDTokenError {
  /// The error as a failed sign-in.
  package var failure: GrabError {
    let event: GrabEvent =
      switch check {
      case .nonce: .nonceMismatch
      case .partner: .partnerMismatch
      default: .idTokenInvalid
      }
    var failure = GrabError(
      event, "the ID token is not valid: \(description)",
      hint: "Nothing was stored. Check --issuer and --client-id, or report this to the operator of the service.")
    failure.details = [.init(parameter: check.rawValue, message: description)]
    return failure
  }
}
