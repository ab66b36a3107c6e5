import Testing
import Text

@Suite struct Base64Tests {
  @Test(arguments: ["QQ==", "QR", "Q", "QQ\n", "Q+", "Q/", " QQ", "Q Q", "QUJDRA==", "é"])
  func looseTextForURLsIsRejected(_ text: String) { #expect(Base64.url.decode(text) == nil) }

  @Test(arguments: [
    "QQ", "QQ=", "QQ===", "QR==", "Q===", "=", "====", "QQ==\n", "Q-==", "QQ==QQ==", "QUJD=", "QUJDé===",
  ])
  func looseTextIsRejected(_ text: String) { #expect(Base64.standard.decode(text) == nil) }

  @Test(arguments: [Base64.standard, .url])
  func everyLengthIsReadBack(_ base64: Base64) {
    for count in 0...70 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ count) }
      #expect(base64.decode(base64.encode(bytes)) == bytes)
    }
  }

  /// RFC 4648, section 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ])
  func theStandardsExamplesAreEncoded(_ text: String, _ encoded: String) {
    #expect(Base64.standard.encode(Array(text.utf8)) == encoded)
    #expect(Base64.url.encode(Array(text.utf8)) == encoded.filter { $0 != "=" })
  }

  @Test func theAlphabetsDifferInTwoDigits() {
    #expect(Base64.standard.encode([0xfb, 0xff]) == "+/8=")
    #expect(Base64.url.encode([0xfb, 0xff]) == "-_8")
  }
}
