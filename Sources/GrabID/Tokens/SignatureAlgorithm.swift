/// A signature algorithm for ID tokens (RFC 7518 §3.1, RFC 8037 §3.1). There are no cases for `none` and the
/// symmetric algorithms, so no setting can allow them.
package enum SignatureAlgorithm: String, Sendable, CaseIterable {
  case rs256 = "RS256"
  case es256 = "ES256"
  case ps256 = "PS256"
  case edDSA = "EdDSA"

  /// The algorithms allowed by default. A server's metadata can narrow this set but never widen it (RFC 8725 §3.1).
  package static let allowedByDefault: Set<SignatureAlgorithm> = [.rs256, .es256]

  /// The algorithms of `allowed` that a server announces; all of them if it announces none that are known.
  package static func narrowed(_ allowed: Set<SignatureAlgorithm>, by announced: [String]?) -> Set<SignatureAlgorithm> {
    guard let announced else { return allowed }
    let known = Set(announced.compactMap(SignatureAlgorithm.init(rawValue:)))
    return known.isEmpty ? allowed : allowed.intersection(known)
  }
}
