extension Language {
  /// Short phrases as a one-line prompt: separated by full stops and ending in a colon, with this language's
  /// punctuation.
  package func asking(_ phrases: [String]) -> String {
    let stop =
      switch self {
      case .japanese, .simplifiedChinese, .traditionalChinese: "。"
      default: ". "
      }
    // A full-width colon includes its space.
    return phrases.joined(separator: stop) + colon + (colon == "：" ? "" : " ")
  }

  /// A phrase as a heading, with a colon in this language's style.
  package func heading(_ phrase: Phrase) -> String { text(phrase) + colon }

  private var colon: String {
    switch self {
    case .simplifiedChinese, .traditionalChinese: "："
    case .french, .canadianFrench: "\u{A0}:"
    default: ":"
    }
  }

  /// A yes/no prompt with the letters for both replies.
  package func asking(_ question: Phrase) -> String { "\(text(question)) [\(text(.yesOrNo))] " }
}
