import IFTTT
import Testing

struct PathSegmentTests {
  @Test(arguments: ["aVxGRrtD", "606", "5c7f6d49-5fa9-4305-a7db-39ca38484e6e", "a b", "…", "%2e", "a.b", "-x", "é日本"])
  func acceptsAnyIDThatIsOneSegment(text: String) {
    #expect(ConnectionID(parsing: text)?.description == text)
  }

  @Test(arguments: ["", ".", "..", "a/b", "/", "a?b", "a#b", "a\nb", "\u{0}", "a\u{7f}", "a\u{85}", "\u{1b}[31m"])
  func rejectsTextThatWouldChangeTheURL(text: String) {
    #expect(ConnectionID(parsing: text) == nil)
  }
}
