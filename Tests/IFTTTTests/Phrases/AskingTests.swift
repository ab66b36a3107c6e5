import IFTTT
import Testing

/// Colons and full stops in each language's style.
@Suite struct AskingTests {
  @Test(arguments: [
    (Language.americanEnglish, "A. B: ", "Removed:"), (.french, "A. B\u{A0}: ", "Retiré\u{A0}:"),
    (.japanese, "A。B: ", "削除:"), (.simplifiedChinese, "A。B：", "移除："),
  ]) func punctuationFollowsLanguage(language: Language, question: String, heading: String) {
    #expect(language.asking(["A", "B"]) == question)
    #expect(language.heading(.removed) == heading)
  }
}
