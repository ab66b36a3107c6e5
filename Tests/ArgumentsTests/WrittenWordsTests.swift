import Arguments
import Testing

/// A recorded command line contains no secrets.
@Suite struct WrittenWordsTests {
  @Test func possibleSecretsAreMasked() {
    let words = ["show", "--api-token", "abc", "--other", "password=x", "key:y", "plain", "--invite-code=z"].map(
      Word.init)
    let written = Sample.parser.written(words + [Word(bytes: [0xff])])
    #expect(
      written == [
        "show", "--api-token", "***", "--other", "password=***", "key:***", "plain", "--invite-code=***", "\u{FFFD}",
      ])
  }
}
