import Testing

@testable import Text

/// Characters in ids and credentials that are not visible.
@Suite struct InvisibleCharacterTests {
  @Test(arguments: [
    ("a\u{a0}b", "a no-break space (U+00A0)"), ("\u{202f}", "a no-break space (U+202F)"),
    ("x\u{200b}", "a zero-width character (U+200B)"), ("\u{feff}x", "a zero-width character (U+FEFF)"),
    ("x\u{3000}y", "an unusual space (U+3000)"), ("x\u{202e}y", "an invisible character (U+202E)"),
    ("x\u{2028}y", "an invisible character (U+2028)"), ("x\u{ad}y", "an invisible character (U+00AD)"),
  ])
  func isFound(_ text: String, _ name: String) { #expect(InvisibleCharacter(in: text)?.description == name) }

  @Test(arguments: ["", "u-5521", "a b", "Zoë", "用户", "😀", "e\u{301}"])
  func visibleTextHasNone(_ text: String) { #expect(InvisibleCharacter(in: text) == nil) }
}
