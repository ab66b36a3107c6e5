@testable import IFTTT
import Testing

@Suite struct TextTests {
  @Test(arguments: [
    ("Lampost", "Lampost"), ("  a \n\t b  ", "a b"), ("\u{1b}[31mred", "[31mred"), ("a\u{202e}b\u{2066}c", "abc"),
    ("a\0b\u{7f}\u{9b}", "ab"), ("\u{feff}x\u{200b}\u{e0041}", "x"), ("a\u{2028}b", "a b"), ("", ""),
    ("مصباح", "مصباح"), ("👩‍👧", "👩‍👧"), ("\u{e000}p\u{fff9}", "p"),
  ])
  func removesHiddenAndControlCharacters(raw: String, expected: String) { #expect(ButtonText(raw).text == expected) }

  @Test func nameIsShortenedUntilEmpty() {
    var name = ButtonText("Big Lamp")
    var shown: [String] = []
    while !name.isEmpty { name = name.shortened; shown.append(name.text) }
    #expect(shown == ["Big Lam…", "Big La…", "Big L…", "Big…", "Bi…", "B…", ""])
  }

  @Test func fittingShortensOnlyTheName() {
    let sentence = { (name: ButtonText) in "Mit \(name.text) verbinden" }
    let short = Extent.fit(ButtonText("Ada"), in: 229, sizes: 14...22, sentence: sentence)
    #expect(short.text == "Mit Ada verbinden" && (14...22).contains(short.size))
    let long = Extent.fit(
      ButtonText(String(repeating: "Lampe", count: 20)), in: 229, sizes: 14...22, sentence: sentence)
    #expect(long.size == 14 && long.text.hasPrefix("Mit Lam") && long.text.hasSuffix("… verbinden"))
    #expect(Extent.ems(of: long.text) * 14 <= 229)
    #expect(Extent.fit(ButtonText("x"), in: 1, sizes: 14...22, sentence: sentence).text == "Mit  verbinden")
  }

  /// Common service names, in languages with long phrases around them.
  @Test(arguments: [
    ("Amazon Alexa", Language.german), ("Google Calendar", .german), ("Google Calendar", .french),
    ("Weather Underground", .french), ("Google Assistant", .spanish), ("Microsoft To Do", .german),
    ("Philips Hue", .polish),
  ])
  func commonNamesAreNotShortened(name: String, language: Language) {
    let service = Service(name: name, shortName: name)
    let button = ConnectButton(
      state: .connect, connectionName: "x", primary: nil, connecting: service, language: language)
    #expect(button.svg.ranges(of: name).count == 2, "once in the title and once in the label")
    #expect(button.html.contains("<span class=\"label\">") && !button.html.contains("…</bdi>"))
  }

  @Test func screenReadersGetFullName() {
    let name = String(repeating: "Lampe ", count: 12) + "am Ende"
    var button = ConnectButton(
      state: .connect, connectionName: "x", primary: nil,
      connecting: Service(name: name, shortName: name), language: .german)
    button.links = ConnectButton.Links(connect: nil, page: "https://ifttt.com/connections/x")
    #expect(button.svg.contains("am Ende\u{2069} verbinden") && button.svg.contains("…\u{2069} verbinden</text>"))
    #expect(button.html.contains("am Ende verbinden\"") && button.html.contains("…</bdi> verbinden</span>"))
  }

  @Test(arguments: [
    ("https://assets.example/i.png", true), ("https://a/b?c=d&e=%20#f", true), ("http://a/b", false), ("//a/b", false),
    ("javascript:alert(1)", false), ("data:image/png,x", false), ("https://", false), ("https://a/\"x", false),
    ("https://a/<x>", false), ("https://a/ x", false), ("https://a/'x", false), ("https://ä/", false),
    ("HTTPS://a/b", false), ("https://a/\nx", false), ("https://a/\\x", false),
  ])
  func acceptsOnlySecureURLs(url: String, isUsed: Bool) {
    #expect(Markup.secureURL(url) == (isUsed ? url : nil))
    #expect(Markup.secureURL("https://a/" + String(repeating: "x", count: 3000)) == nil)
  }

  @Test func markupIsEscaped() {
    #expect(Markup.isolating(ButtonText("<x>").isolated + "!") == "<bdi>&lt;x&gt;</bdi>!")
  }

  @Test(arguments: [
    ("Works with IFTTT", ["Works with ", "IFTTT"]), ("IFTTT에 연결", ["IFTTT", "에 연결"]),
    ("a IFTTT b", ["a ", "IFTTT", " b"]),
    ("none", ["none"]), ("", []),
  ])
  func splitsAroundEmphasizedWord(text: String, parts: [String]) {
    let runs = Runs.around("IFTTT", in: text)
    #expect(runs.map(\.text).filter { !$0.isEmpty } == parts)
    #expect(runs.filter(\.standsOut).map(\.text) == parts.filter { $0 == "IFTTT" })
  }
}
