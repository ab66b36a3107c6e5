import JSON
import Testing
import Text

@testable import GrabID

@Suite struct EncodingTests {
  @Test func pkceMatchesRFC7636() throws {
    let bytes: [UInt8] = [
      116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105, 214, 191, 240,
      91, 88, 5, 88, 83, 132, 141, 121,
    ]
    let key = PKCE(randomBytes: bytes)
    #expect(key.verifier.revealed == "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    #expect(key.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    #expect("\(key)".utf8.count < 60 && !"\(key)".hasPrefix("dBjftJeZ4CVP"))
  }

  @Test func halfHashesMatchTheStandard() {
    #expect(
      SignatureAlgorithm.rs256.halfHash(of: "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y") == "77QmUPtjPfzWtF2AnpK9RQ")
    #expect(
      SignatureAlgorithm.es256.halfHash(of: "Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk")
        == "LDktKdoQak3Pk0cnXxCltA")
    #expect(SignatureAlgorithm.edDSA.halfHash(of: "a").utf8.count == 43, "32 bytes, half of SHA-512")
  }

  @Test(arguments: [
    (
      #"{"kty":"EC","crv":"P-256","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4","y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"}"#,
      "cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s"
    ),
    (
      #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#,
      "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
    ),
  ])
  func thumbprintsMatchTheStandard(_ key: String, _ thumbprint: String) throws {
    let key = try VerificationKey(JSONValue(parsing: Array(key.utf8)))
    #expect(key.thumbprint == thumbprint)
    #expect(key.name == thumbprint, "a key without an id is named by its thumbprint")
  }

  @Test func aLargeKeySetIsRejected() throws {
    func set(_ count: Int) -> [UInt8] { JSONValue.object(["keys": .array(.init(repeating: [:], count: count))]).bytes }
    #expect(try KeySet(parsing: set(100)).skipped.count == 100)
    #expect(throws: GrabDocumentError.self) { try KeySet(parsing: set(101)) }
    #expect(throws: GrabDocumentError.self) { try KeySet(parsing: Array("{}".utf8)) }
    #expect(throws: GrabDocumentError.self) { try KeySet(parsing: Array("<html>".utf8)) }
  }

  @Test func lookalikesAreNotEqual() {
    #expect("\u{212A}" == "K", "Swift treats them as equal")
    #expect(!ExactText.same("\u{212A}", "K"))
    #expect(!ExactText.sameInConstantTime("abc", "abd") && ExactText.sameInConstantTime("abc", "abc"))
    #expect(!ExactText.sameInConstantTime("abc", "ab"))
  }

  @Test func metadataCanOnlyNarrowAlgorithms() {
    let allowed = SignatureAlgorithm.allowedByDefault
    #expect(SignatureAlgorithm.narrowed(allowed, by: ["RS256", "HS256"]) == [.rs256])
    #expect(SignatureAlgorithm.narrowed(allowed, by: ["PS256", "none"]) == [])
    #expect(SignatureAlgorithm.narrowed(allowed, by: nil) == allowed)
    #expect(SignatureAlgorithm.narrowed(allowed, by: ["HS256"]) == allowed, "unknown algorithms are ignored")
  }
}
