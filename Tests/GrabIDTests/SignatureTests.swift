import Crypto
import CryptoExtras
import Testing
import Text

@testable import GrabID

/// Signatures and verdicts compared with those of swift-crypto.
@Suite struct SignatureTests {
  private static let message = Array("eyJhbGciOiJSUzI1NiJ9.e30".utf8)

  /// A key, a signature by it, and the reference library's verdict on other signatures.
  struct Signer: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let signature: [UInt8]
    let verdict: @Sendable (_ signature: [UInt8], _ message: [UInt8]) -> Bool
    let evaluate: @Sendable (_ signature: [UInt8], _ message: [UInt8]) -> Bool
  }

  private static let rsaKey = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }

  private static func rsa(isPSS: Bool) throws -> Signer {
    let key = try rsaKey.get()
    let parts = try key.publicKey.getKeyPrimitives()
    let (modulus, exponent) = (Array(parts.modulus), Array(parts.publicExponent))
    let padding: _RSA.Signing.Padding = isPSS ? .PSS : .insecurePKCS1v1_5
    let signature = try key.signature(for: SHA256.hash(data: message), padding: padding)
    return Signer(testDescription: isPSS ? "PSS" : "PKCS #1", signature: Array(signature.rawRepresentation)) {
      Signatures.rsa(modulus: modulus, exponent: exponent, isPSS: isPSS, $0, of: $1)
    } evaluate: {
      key.publicKey.isValidSignature(.init(rawRepresentation: $0), for: SHA256.hash(data: $1), padding: padding)
    }
  }

  private static func p256() throws -> Signer {
    let key = P256.Signing.PrivateKey()
    let point = Array(key.publicKey.x963Representation.dropFirst())
    let signature = try key.signature(for: SHA256.hash(data: message))
    return Signer(testDescription: "P-256", signature: Array(signature.rawRepresentation)) {
      Signatures.p256(x: Array(point.prefix(32)), y: Array(point.suffix(32)), $0, of: $1)
    } evaluate: {
      guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: $0) else { return false }
      return key.publicKey.isValidSignature(signature, for: SHA256.hash(data: $1))
    }
  }

  private static func ed25519() throws -> Signer {
    let key = Curve25519.Signing.PrivateKey()
    let point = Array(key.publicKey.rawRepresentation)
    return Signer(testDescription: "Ed25519", signature: Array(try key.signature(for: message))) {
      Signatures.ed25519(point, $0, of: $1)
    } evaluate: {
      key.publicKey.isValidSignature($0, for: $1)
    }
  }

  private static var signers: [Signer] {
    get throws { [try rsa(isPSS: false), try rsa(isPSS: true), try p256(), try ed25519()] }
  }

  @Test func validSignaturesAreAccepted() throws {
    for signer in try Self.signers { #expect(signer.verdict(signer.signature, Self.message), "\(signer)") }
  }

  @Test func otherSignaturesAreRejected() throws {
    for signer in try Self.signers {
      #expect(!signer.verdict(signer.signature, Self.message + [0]), "\(signer)")
      #expect(!signer.verdict(signer.signature, []), "\(signer)")
      for index in signer.signature.indices {
        var changed = signer.signature
        changed[index] ^= 0x10
        #expect(!signer.verdict(changed, Self.message), "\(signer) at \(index)")
      }
      for count in [0, 1, signer.signature.count - 1] {
        #expect(!signer.verdict(Array(signer.signature.prefix(count)), Self.message), "\(signer) of \(count)")
      }
      #expect(!signer.verdict(signer.signature + [0], Self.message), "\(signer)")
      #expect(!signer.verdict([0] + signer.signature, Self.message), "\(signer)")
    }
  }

  @Test func paddingsAreNotInterchangeable() throws {
    let (pkcs1, pss) = (try Self.rsa(isPSS: false), try Self.rsa(isPSS: true))
    #expect(!pkcs1.verdict(pss.signature, Self.message))
    #expect(!pss.verdict(pkcs1.signature, Self.message))
  }

  /// A signature with a leading zero byte must include it: OpenSSL alone would accept a shorter one for PSS.
  @Test func aSignatureIsAsLongAsItsKey() throws {
    let key = try Self.rsaKey.get()
    let parts = try key.publicKey.getKeyPrimitives()
    var signature: [UInt8] = []
    repeat {
      signature = Array(try key.signature(for: SHA256.hash(data: Self.message), padding: .PSS).rawRepresentation)
    } while signature.first != 0
    func isTaken(_ signature: [UInt8]) -> Bool {
      Signatures.rsa(
        modulus: Array(parts.modulus), exponent: Array(parts.publicExponent), isPSS: true, signature, of: Self.message)
    }
    #expect(isTaken(signature))
    #expect(!isTaken(Array(signature.dropFirst())))
  }

  /// ECDSA numbers outside of 1 to the order minus one, and numbers that another encoding would let through.
  @Test func numbersOutOfRangeAreRejected() throws {
    let signer = try Self.p256()
    let order: [UInt8] = [
      0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xbc, 0xe6, 0xfa, 0xad, 0xa7,
      0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
    ]
    let (zero, high) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xff, count: 32))
    let (r, s) = (Array(signer.signature.prefix(32)), Array(signer.signature.suffix(32)))
    for signature in [zero + s, r + zero, zero + zero, order + s, r + order, high + s, r + high, s + r] {
      #expect(!signer.verdict(signature, Self.message))
      #expect(!signer.evaluate(signature, Self.message))
    }
  }

  /// Points that are not on the curve, an even modulus, and empty keys: they verify nothing and cause no crash.
  @Test func invalidKeysVerifyNothing() throws {
    let (p256, rsa) = (try Self.p256(), try Self.rsa(isPSS: false))
    let (zero, high) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xff, count: 32))
    for (x, y) in [(zero, zero), (high, high), (zero, high), ([], [])] {
      #expect(!Signatures.p256(x: x, y: y, p256.signature, of: Self.message))
    }
    for point in [zero, high, []] {
      #expect(!Signatures.ed25519(point, p256.signature, of: Self.message))
    }
    let modulus = Array(try Self.rsaKey.get().publicKey.getKeyPrimitives().modulus)
    for (modulus, exponent) in [
      (Array(modulus.dropLast()) + [modulus.last.map { $0 & 0xfe } ?? 0], [1, 0, 1]), (modulus, [0]), (modulus, []),
      (modulus.map { _ in 0 }, [1, 0, 1]), ([], [3]),
    ] as [([UInt8], [UInt8])] {
      #expect(!Signatures.rsa(modulus: modulus, exponent: exponent, isPSS: false, rsa.signature, of: Self.message))
      #expect(
        !Signatures.rsa(
          modulus: modulus, exponent: exponent, isPSS: true, Array(rsa.signature.prefix(modulus.count)),
          of: Self.message))
    }
  }

  @Test func keysAreEncodedLikeSwiftCrypto() throws {
    let parts = try Self.rsaKey.get().publicKey.getKeyPrimitives()
    #expect(
      DER.publicKey(.rsa(modulus: Array(parts.modulus), exponent: Array(parts.publicExponent)))
        == Array(try Self.rsaKey.get().publicKey.derRepresentation))
    for _ in 0..<50 {
      let key = P256.Signing.PrivateKey()
      let point = Array(key.publicKey.x963Representation.dropFirst())
      #expect(
        DER.publicKey(.p256(x: Array(point.prefix(32)), y: Array(point.suffix(32))))
          == Array(key.publicKey.derRepresentation))
      let signature = try key.signature(for: SHA256.hash(data: Self.message))
      #expect(DER.signature(Array(signature.rawRepresentation)) == Array(signature.derRepresentation))
    }
    #expect(DER.integer([0, 0, 0]) == [2, 1, 0])
    #expect(DER.integer([0, 0x7f]) == [2, 1, 0x7f])
    #expect(DER.integer([0x80]) == [2, 2, 0, 0x80])
  }

  @Test(arguments: [0, 1, 111, 112, 1000]) func hashesLikeSwiftCrypto(_ count: Int) {
    let message = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
    #expect(Signatures.sha512(message) == Array(SHA512.hash(data: message)))
  }

  #if !canImport(CryptoKit)
    @Test func aMissingLibraryIsNamed() throws {
      let problem = try #require(Signatures.open(["libcrypto-of-nobody.so.9"]))
      #expect(problem.hasPrefix("OpenSSL is needed to verify it: "))
      #expect(problem.contains("libcrypto-of-nobody.so.9"))
      #expect(Signatures.open(["libcrypto-of-nobody.so.9", "libcrypto.so.3"]) == nil)
    }
  #endif
}
