import Output
import Testing

/// The letters shown as code points, and the words that are not confusable.
@Suite struct ConfusableTextTests {
  @Test(arguments: [
    ("p\u{430}ypal", #"p\u{430}ypal"#),
    ("\u{440}\u{430}\u{443}\u{440}\u{430}l", #"\u{440}\u{430}\u{443}\u{440}\u{430}l"#),
    // Without any other letter.
    ("\u{441}\u{43e}\u{441}\u{43e}", #"\u{441}\u{43e}\u{441}\u{43e}"#),
    ("by \u{391}pple, Inc.", #"by \u{391}pple, Inc."#), ("g\u{131}thub", #"g\u{131}thub"#),
    ("\u{ff41}pple", #"\u{ff41}pple"#),
    ("\u{1d5d4}pple", #"\u{1d5d4}pple"#),
    ("caf\u{e9}\u{441}", #"caf\u{e9}\u{441}"#.replacing(#"\u{e9}"#, with: "\u{e9}")),
  ])
  func revealsConfusableLetters(text: String, shown: String) { #expect(ConfusableText.revealed(text) == shown) }

  @Test(arguments: [
    "plain", "Caf\u{e9} M\u{fc}ller",
    "\u{42f}\u{43d}\u{434}\u{435}\u{43a}\u{441} \u{41f}\u{43e}\u{433}\u{43e}\u{434}\u{430}",
    "\u{39d}\u{3af}\u{3ba}\u{3bf}\u{3c2}", "\u{5929}\u{6c17}\u{ff0c}\u{30c7}\u{30fc}\u{30bf}", "",
    "\u{627}\u{644}\u{637}\u{642}\u{633}",
  ])
  func leavesOtherWordsUnchanged(text: String) { #expect(ConfusableText.revealed(text) == text) }
}
