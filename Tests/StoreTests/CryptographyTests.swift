import Crypto
import Store
import Testing
import Text

/// Compatibility of the encryption with an independent library.
@Suite struct CryptographyTests {
  private let key = (0..<32).map { UInt8($0) }
  private let nonce = (100..<112).map { UInt8($0) }
  private let data = Array("a place".utf8)

  @Test(arguments: [0, 1, 15, 16, 17, 4096, 100_000])
  func sealMatchesSwiftCrypto(_ count: Int) throws {
    let plain = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let sealed = try Cryptography.seal(plain, key: key, nonce: nonce, additionalData: data)
    let box = try AES.GCM.seal(
      plain, using: SymmetricKey(data: key), nonce: AES.GCM.Nonce(data: nonce), authenticating: data)
    #expect(sealed == Array(box.ciphertext) + Array(box.tag))
    #expect(try Cryptography.open(sealed, key: key, nonce: nonce, additionalData: data) == plain)
  }

  @Test func openRejectsAnyModification() throws {
    let sealed = try Cryptography.seal([1, 2, 3], key: key, nonce: nonce, additionalData: data)
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 1
      #expect(try Cryptography.open(changed, key: key, nonce: nonce, additionalData: data) == nil)
    }
    for count in 0..<sealed.count {
      #expect(
        try Cryptography.open(Array(sealed.prefix(count)), key: key, nonce: nonce, additionalData: data) == nil)
    }
    #expect(try Cryptography.open(sealed, key: key, nonce: nonce, additionalData: data + [0]) == nil)
    #expect(try Cryptography.open(sealed, key: key, nonce: nonce.reversed(), additionalData: data) == nil)
    #expect(try Cryptography.open(sealed, key: key.reversed(), nonce: nonce, additionalData: data) == nil)
  }

  /// The first half of the third test vector in RFC 7914, section 12.
  @Test func scryptMatchesTheRFC() throws {
    let derived = try Cryptography.scrypt(
      Array("pleaseletmein".utf8), salt: Array("SodiumChloride".utf8), cost: 16384)
    #expect(
      derived == [
        0x70, 0x23, 0xbd, 0xcb, 0x3a, 0xfd, 0x73, 0x48, 0x46, 0x1c, 0x06, 0xcd, 0x81, 0xfd, 0x38, 0xeb,
        0xfd, 0xa8, 0xfb, 0xba, 0x90, 0x4f, 0x8e, 0x3e, 0xa9, 0xb5, 0x43, 0xf6, 0x54, 0x5d, 0xa1, 0xf2,
      ])
  }

  @Test func rejectsKeysOfTheWrongSize() {
    #expect(failure { _ = try Cryptography.seal([1], key: [1, 2], nonce: nonce, additionalData: data) } != nil)
    #expect(failure { _ = try Cryptography.open([1], key: key, nonce: [], additionalData: data) } != nil)
  }

  #if !canImport(CryptoKit)
    @Test func errorNamesTheMissingLibrary() throws {
      let problem = try #require(Cryptography.load(["libcrypto-of-nobody.so.9", "libc.so.6"]))
      #expect(problem.code == .failed)
      #expect(problem.message.contains("libcrypto-of-nobody.so.9"))
      #expect(problem.message.contains("libc.so.6: it lacks the function EVP_aes_256_gcm"))
      #expect(problem.hint.text == "Install it (Debian, Ubuntu: apt install libssl3).")
      #expect(Cryptography.load(["libcrypto-of-nobody.so.9", "libcrypto.so.3"]) == nil)
    }
  #endif
}
