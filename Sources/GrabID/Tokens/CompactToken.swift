package import JSON
import Text
import World

/// The parts of a JSON Web Token, none of them verified yet (RFC 7515 §3.1, RFC 7519 §7.2).
package struct CompactToken: Sendable {
  /// The maximum size of the whole text, in bytes.
  package static let maximumSize = 16 << 10

  package let header: JSONObject
  package let claims: JSONObject
  package let algorithm: SignatureAlgorithm
  package let keyID: String?
  /// `header.payload` as received, which is the signed text.
  package let signed: [UInt8]
  package let signature: [UInt8]

  /// Parses a token.
  /// - Parameter allowed: the algorithms that may have signed it.
  /// - Throws: ``IDTokenError``.
  package init(parsing text: String, allowed: Set<SignatureAlgorithm>) throws(IDTokenError) {
    guard text.utf8.count <= Self.maximumSize else { throw IDTokenError(.encoding, "the token is too long") }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw IDTokenError(.encoding, "the token has \(parts.count) parts instead of three") }
    let decoded = parts.compactMap(Base64.url.decode)
    guard decoded.count == 3 else { throw IDTokenError(.encoding, "a part of the token is not strict base64url") }
    header = try Self.object(decoded[0], "header")
    (algorithm, keyID) = try Self.check(header, allowed: allowed)
    claims = try Self.object(decoded[1], "claims")
    signed = Array("\(parts[0]).\(parts[1])".utf8)
    signature = decoded[2]
  }

  private static func object(_ bytes: [UInt8], _ name: String) throws(IDTokenError) -> JSONObject {
    do { return try StrictJSON.object(bytes) } catch { throw IDTokenError(.json, "the \(name): \(error)") }
  }

  /// Checks the header. Members that name keys (`jwk`, `jku`, `x5c`, `x5u`) are ignored: keys come only from the
  /// issuer's set.
  private static func check(
    _ header: JSONObject, allowed: Set<SignatureAlgorithm>
  ) throws(IDTokenError) -> (SignatureAlgorithm, String?) {
    guard let name = header["alg"]?.string else { throw IDTokenError(.algorithm, "the header has no algorithm") }
    guard let algorithm = SignatureAlgorithm(rawValue: name), allowed.contains(algorithm) else {
      let names = allowed.map(\.rawValue).sorted().joined(separator: ", ")
      throw IDTokenError(
        .algorithm,
        names.isEmpty ? "the issuer lists no algorithm that is supported" : "the algorithm is not one of \(names)")
    }
    for name in ["crit", "zip", "enc"] where header[name] != nil {
      throw IDTokenError(.header, "the header has \(name), which is not supported")
    }
    if let type = header["typ"] {
      guard let text = type.string, text.lowercased() == "jwt", text.utf8.count == 3 else {
        throw IDTokenError(.header, "the header's typ is not JWT")
      }
    }
    guard let keyID = header["kid"] else { return (algorithm, nil) }
    guard let text = keyID.string else { throw IDTokenError(.header, "the header's kid is not a string") }
    return (algorithm, text)
  }
}

extension JSONObject {
  /// A claim that must be a text if it is present.
  func text(_ name: String, _ check: IDTokenError.Check) throws(IDTokenError) -> String? {
    guard let value = self[name] else { return nil }
    guard let text = value.string else { throw IDTokenError(check, "\(name) is not a string") }
    return text
  }

  /// A claim that must be a time if it is present: seconds since 1970 as a number, integer or not, below 2⁵³.
  func moment(_ name: String, _ check: IDTokenError.Check) throws(IDTokenError) -> Timestamp? {
    guard let value = self[name] else { return nil }
    guard let seconds = value.double, seconds.isFinite, seconds >= 0, seconds < 0x1p53 else {
      throw IDTokenError(check, "\(name) is not a number of seconds")
    }
    return Timestamp(milliseconds: Int64((seconds * 1000).rounded(.down)))
  }

  /// `aud`: one text, or a non-empty list of texts.
  func audience() throws(IDTokenError) -> [String] {
    switch self["aud"] {
    case .string(let text): return [text]
    case .array(let elements):
      let texts = elements.compactMap(\.string)
      guard texts.count == elements.count, !texts.isEmpty else {
        throw IDTokenError(.audience, "aud is not a list of strings")
      }
      return texts
    default: throw IDTokenError(.audience, "aud is missing or of the wrong type")
    }
  }
}
