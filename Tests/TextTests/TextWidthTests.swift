import Support
import Text
import Testing

@Suite struct TextWidthTests {
  @Test func agreesWithAnIndependentImplementation() throws {
    let samples = try WidthSamples.all()
    #expect(samples.count > 1500)
    for (text, width) in samples {
      #expect(TextWidth.of(text) == width, "\(text) \(text.unicodeScalars.map { String($0.value, radix: 16) })")
    }
  }

  @Test(
    arguments: [
      ("", 0), ("Log rain", 8), ("Ärger", 5), ("A\u{308}rger", 5), ("日本語", 6), ("한국어", 6), ("שלום", 4), ("👩🏽‍🚀", 2),
      ("🇩🇪", 2), ("❤️", 2), ("❤", 1), ("\u{200b}", 0), ("·", 1), ("🏴󠁧󠁢󠁳󠁣󠁴󠁿", 2),
    ]) func measuresCommonTexts(text: String, width: Int)
  {
    #expect(TextWidth.of(text) == width)
  }
}
