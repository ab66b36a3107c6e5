import Foundation
import JSON
import World

@testable import GrabID

/// A token that `forge.py` made, with its key set and joserfc's verdict.
struct ForgedToken: Sendable {
  let name: String
  let token: String
  let keys: [UInt8]
  let algorithms: Set<SignatureAlgorithm>
  let joserfcAccepts: Bool

  static let all = Result { try read(PythonTools.output(of: "forge.py")) }
  static let now = Timestamp(milliseconds: 1_770_000_000_000)

  private static func read(_ output: Data) throws -> [ForgedToken] {
    try JSONValue(parsing: Array(output)).array?.map { entry in
      ForgedToken(
        name: entry["name"]?.string ?? "", token: entry["token"]?.string ?? "", keys: entry["keys"]?.bytes ?? [],
        algorithms: Set(
          (entry["algorithms"]?.array ?? []).compactMap(\.string).compactMap(SignatureAlgorithm.init(rawValue:))),
        joserfcAccepts: entry["joserfc"]?.bool ?? true)
    } ?? []
  }

  /// The rules of a sign-in.
  static var rules: IDTokenRules {
    var rules = IDTokenRules(issuer: "https://idp.lampost.test", clientID: "lampost-cli", now: now)
    rules.nonce = .required("n-1")
    rules.oldest = IDTokenRules.oldestAtSignIn
    rules.accessToken = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y"
    rules.code = "Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk"
    rules.trustedAudiences = ["friend"]
    return rules
  }

  /// The check that the token fails; nil if it is accepted.
  func verdict(strictKeyID: Bool = false) throws -> IDTokenError.Check? {
    let keys = try KeySet(parsing: keys)
    do {
      _ = try IDToken(
        parsing: token, keys: keys, allowed: algorithms, strictKeyID: strictKeyID, rules: Self.rules)
      return nil
    } catch { return error.check }
  }
}
