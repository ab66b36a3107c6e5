import Crypto
import Testing
import Text

/// Comparison of the digests with those of an independent library.
@Suite struct SHA256Tests {
  @Test(arguments: 0..<200)
  func hashMatchesSwiftCrypto(_ count: Int) {
    let message = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 13 + count) }
    #expect(Text.SHA256.hash(message) == Array(Crypto.SHA256.hash(data: message)))
  }

  /// The examples in FIPS 180-4.
  @Test func hashMatchesTheStandard() {
    func text(_ message: String) -> String {
      Text.SHA256.hash(Array(message.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    #expect(text("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      text("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
  }

  @Test(arguments: [0, 1, 32, 63, 64], [0, 1, 55, 64, 1000])
  func authenticationCodeMatchesSwiftCrypto(_ keySize: Int, _ count: Int) {
    let key = (0..<keySize).map { UInt8($0) }
    let message = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let code = HMAC<Crypto.SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key))
    #expect(Text.SHA256.authenticationCode(of: message, key: key) == Array(code))
  }
}
