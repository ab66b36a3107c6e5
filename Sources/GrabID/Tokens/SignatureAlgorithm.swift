/// A signature algorithm that ID tokens may use (RFC 7518 §3.1, RFC 8037 §3.1). There is no case for `none` and none for
/// the symmetric ones, so no setting can allow them.
package enum SignatureAlgorithm: String, Sendable, CaseIterable {
  case rs256 = "RS256"
  case es256 = "ES256"
  case ps256 = "PS256"
  case edDSA = "EdDSA"

  /// What is taken without any setting. A server's metadata can narrow it and never widen it (RFC 8725 §3.1).
  package static let allowedByDefault: Set<SignatureAlgorithm> = [.rs256, .es256]

  /// What of `allowed` a server says that it uses; all of it where it says nothing that is known here.
  package static func narrowed(_ allowed: Set<SignatureAlgorithm>, by announced: [String]?) -> Set<SignatureAlgorithm> {
    guard let announced else { return allowed }
    let known = Set(announced.compactMap(SignatureAlgorithm.init(rawValue:)))
    return known.isEmpty ? allowed : allowed.intersection(known)
  }
}
