import Testing
import Text

@Suite struct PercentTests {
  @Test(
    arguments: [
      ("", "", "", ""), ("a%20b", "a b", "a b", "a b"), ("a+b", "a b", "a+b", "a b"), ("%2B%25", "+%", "+%", "+%"),
      ("%c3%A9", "é", "é", "é"), ("é", "é", "é", "é"), ("%2525", "%25", "%25", "%25"),
      ("%", nil, nil, "%"), ("%4", nil, nil, "%4"), ("%4g", nil, nil, "%4g"), ("%%41", nil, nil, "%A"),
      ("%ff", nil, nil, "\u{fffd}"), ("%c3+", nil, nil, "\u{fffd} "),
    ] as [(String, String?, String?, String)])
  func decodesOnce(_ text: String, _ form: String?, _ component: String?, _ lenient: String) {
    #expect(Percent.decode(text, plus: .space) == form)
    #expect(Percent.decode(text, plus: .literal) == component)
    #expect(Percent.decodeQuery(text) == lenient)
  }

  @Test func bytesNeedNotBeText() {
    #expect(Percent.bytes(of: "%ff+".utf8, plus: .literal) == [0xff, UInt8(ascii: "+")])
    #expect(Percent.bytes(of: "%f".utf8, plus: .literal) == nil)
    #expect(Percent.bytes(of: "%f".utf8, plus: .literal, invalidEscape: .unchanged) == Array("%f".utf8))
  }

  @Test func itemsAreDecodedAndEncoded() throws {
    let items = try #require(Percent.items(of: "a=1&&b&c=%3D=&=x&a=2"))
    #expect(items.map(\.name) == ["a", "b", "c", "", "a"] && items.map(\.value) == ["1", "", "==", "x", "2"])
    #expect(Percent.encode(items) == "a=1&b=&c=%3D%3D&=x&a=2")
    #expect(Percent.items(of: "a=1&b=%") == nil && Percent.items(of: "%ff=1") == nil)
    #expect(Percent.items(of: "")?.isEmpty == true)
  }
}
