import Foundation
import Output
import Testing

@Suite struct TextWidthTests {
  /// Texts and their widths from the wcwidth package for Python, which uses other tables and rules.
  static func samples() throws -> [(text: String, width: Int)] {
    let url = try #require(Bundle.module.url(forResource: "widths", withExtension: "tsv", subdirectory: "Samples"))
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map { line in
      let parts = line.split(separator: "\t")
      let scalars = parts[1].split(separator: " ").compactMap { UInt32($0, radix: 16) }.compactMap(Unicode.Scalar.init)
      return (String(String.UnicodeScalarView(scalars)), try #require(Int(parts[0])))
    }
  }

  @Test func agreesWithAnIndependentImplementation() throws {
    let samples = try Self.samples()
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
