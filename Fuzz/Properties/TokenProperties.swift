import GrabID
import JSON
import Text
import World

/// What Grab's server sends: no ID token without the issuer's signature is accepted; a token that can be read has
/// exactly one spelling and an allowed algorithm; a set of keys contains only public keys of the documented sizes.
///
/// The input is a token, a NUL, and a set of keys. `{…}.{…}.x` is encoded first.
enum TokenProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    let halves = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    let text = spelled(Array(halves[0]))
    let keys = try? KeySet(parsing: halves.count > 1 ? Array(halves[1]) : bytes)
    if let keys, let problem = problem(of: keys) { return problem }
    let allowed = Set(SignatureAlgorithm.allCases)
    if let problem = problem(of: text, allowed) { return problem }
    var rules = IDTokenRules(
      issuer: "https://api.grab.test", clientID: "c", now: Timestamp(milliseconds: 1_800_000_000_000))
    rules.nonce = .unchecked
    guard let keys, (try? IDToken(parsing: text, keys: keys, allowed: allowed, rules: rules)) != nil else { return nil }
    return "a token without a valid signature is accepted"
  }

  /// Encodes parts that begin with a brace.
  private static func spelled(_ bytes: [UInt8]) -> String {
    let parts = bytes.split(separator: UInt8(ascii: "~"), omittingEmptySubsequences: false)
    guard parts.count == 3 else { return String(decoding: bytes, as: UTF8.self) }
    return parts.map { Base64.url.encode($0) }.joined(separator: ".")
  }

  private static func problem(of text: String, _ allowed: Set<SignatureAlgorithm>) -> String? {
    guard let token = try? CompactToken(parsing: text, allowed: allowed) else { return nil }
    guard String(decoding: token.signed, as: UTF8.self) + "." + Base64.url.encode(token.signature) == text else {
      return "a token with another spelling"
    }
    for object in [token.header, token.claims] where Set(object.members.map(\.key)).count < object.members.count {
      return "a repeated name"
    }
    guard token.header["alg"]?.string == token.algorithm.rawValue else { return "another algorithm" }
    guard token.header["crit"] == nil, token.header["enc"] == nil, token.header["zip"] == nil else {
      return "an extension that is not understood"
    }
    guard (try? CompactToken(parsing: text, allowed: [])) == nil else { return "an algorithm that is not allowed" }
    return nil
  }

  private static func problem(of keys: KeySet) -> String? {
    guard keys.keys.count + keys.skipped.count <= KeySet.maximumCount else { return "too many keys" }
    for key in keys.keys {
      guard Base64.url.decode(key.thumbprint)?.count == 32, !key.name.isEmpty || key.keyID != nil else {
        return "a key without a thumbprint"
      }
    }
    let reasons = keys.skipped.map(\.reason.description)
    return reasons.allSatisfy { !$0.isEmpty && !$0.hasControls() } ? nil : "a reason with text"
  }
}
