import JSON
import Text

/// The keys that verify an issuer's tokens (RFC 7517 §5). Reading is lenient: one invalid entry does not affect the
/// others.
package struct KeySet: Sendable, Equatable {
  package static let maximumCount = 100
  /// The maximum number of keys tried for a token that names none.
  static let mostTried = 5

  package let keys: [VerificationKey]
  /// The skipped entries: their positions and the reasons.
  package let skipped: [Skipped]

  package struct Skipped: Sendable, Equatable {
    package let place: Int
    package let reason: VerificationKeyError
  }

  /// Parses a key set.
  /// - Throws: ``KeySetError``.
  package init(parsing bytes: [UInt8]) throws(KeySetError) {
    let document: JSONObject
    do { document = try StrictJSON.object(bytes) } catch { throw KeySetError("\(error)") }
    guard let entries = document["keys"]?.array else { throw KeySetError("it has no list of keys") }
    guard entries.count <= Self.maximumCount else { throw KeySetError("it has more than \(Self.maximumCount) keys") }
    var keys: [VerificationKey] = []
    var skipped: [Skipped] = []
    for (place, entry) in entries.enumerated() {
      do { keys.append(try VerificationKey(entry)) } catch { skipped.append(Skipped(place: place, reason: error)) }
    }
    (self.keys, self.skipped) = (keys, skipped)
  }

  /// The keys that may have signed a token.
  /// - Parameter isStrict: whether to reject a token that names no key if several keys fit.
  func candidates(for token: CompactToken, isStrict: Bool) -> [VerificationKey] {
    let fitting = keys.filter { $0.serves(token.algorithm) }
    guard let name = token.keyID else {
      return isStrict && fitting.count > 1 ? [] : Array(fitting.prefix(Self.mostTried))
    }
    return Array(fitting.filter { ExactText.same($0.name, name) }.prefix(Self.mostTried))
  }

  /// The key that signed the token.
  /// - Throws: ``IDTokenError`` with the check `signature`.
  package func verify(_ token: CompactToken, strictKeyID: Bool = false) throws(IDTokenError) -> VerificationKey {
    let candidates = candidates(for: token, isStrict: strictKeyID)
    guard !candidates.isEmpty else {
      throw IDTokenError(.signature, "the issuer publishes no key that the token could be signed with")
    }
    if let problem = Signatures.problem { throw IDTokenError(.signature, problem) }
    guard let key = candidates.first(where: { $0.hasSigned(token) }) else {
      throw IDTokenError(.signature, "the signature is not the issuer's")
    }
    return key
  }
}

/// The reason why a document is not a valid key set.
package struct KeySetError: Error, Equatable, CustomStringConvertible {
  package let description: String
  init(_ description: String) { self.description = description }
}
