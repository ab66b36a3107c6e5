import Testing
import Text

/// A credential that exposes its text only through `revealed`.
@Suite struct SecretTests {
  static let token = "e1hM0123456789abcdefghij4aTz"

  @Test(arguments: ["", "two\nlines", "\r", "nul\0", "tab\t", "\u{7f}", "escape\u{1b}[31m", "\u{9b}31m"])
  func rejectsTextInvalidInAHeader(_ text: String) {
    #expect(Secret(parsing: text) == nil)
  }

  @Test(arguments: ["a", "with space", "pässwort", token])
  func otherTextIsUnchanged(_ text: String) {
    #expect(Secret(parsing: text)?.revealed == text)
  }

  @Test(arguments: [
    ("a", "…"), ("abcdefghijklmnopqrstuvwx", "…"), ("abcdefghijklmnopqrstuvwxy", "abcd…vwxy"), (token, "e1hM…4aTz"),
  ])
  func maskRevealsLessThanAThird(_ text: String, _ masked: String) throws {
    #expect(try #require(Secret(parsing: text)).masked == masked)
  }

  /// A delimiter or an escape in the stand-in would end it early when the text is parsed again.
  @Test(arguments: [
    (token, "e1hM-stand-in-for-a-secret-4aTz"), ("a b%0123456789abcdefghij\"é=1", "a-b--stand-in-for-a-secret----1"),
  ])
  func standInHasOnlyUnreservedCharacters(_ text: String, _ standIn: String) throws {
    let secret = try #require(Secret(parsing: text))
    #expect(secret.standIn.revealed == standIn)
    #expect(secret.standIn.standIn == secret.standIn)
  }

  @Test func descriptionsDoNotRevealTheSecret() throws {
    struct Holder { var secret: Secret }
    let secret = try #require(Secret(parsing: SecretTests.token))
    var dumped = ""
    dump(Holder(secret: secret), to: &dumped)
    let shown = [
      "\(secret)", String(describing: secret), String(reflecting: secret), "\([secret])", "\(Optional(secret) as Any)",
      "\(Holder(secret: secret))", dumped,
    ]
    for text in shown { #expect(!text.contains("0123456789"), "\(text)") }
    #expect("\(secret)" == "e1hM…4aTz")
  }

  @Test func comparesByContent() {
    #expect(Secret(parsing: "one") == Secret(parsing: "one"))
    #expect(Secret(parsing: "one") != Secret(parsing: "two"))
  }
}
