import Testing
import Text

@Suite struct MarkupTextTests {
  @Test func escapesWhatHasAMeaning() {
    #expect(
      MarkupText.escaped("<a b='c' d=\"e\">&amp; é👩‍🚒\u{0}")
        == "&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;amp; é👩‍🚒\u{0}")
  }

  /// Swift counts a combining character and the one before it as one character.
  @Test func escapesCharactersThatAnotherOneCombinesWith() {
    #expect(MarkupText.escaped("<\u{301}&\u{338}\u{22}\u{200d}") == "&lt;\u{301}&amp;\u{338}&quot;\u{200d}")
  }
}
