extension Language {
  /// Short phrases as one line that asks for an answer: full stops between them, a colon at its end, both as this language
  /// sets them.
  package func asking(_ phrases: [String]) -> String {
    let stop =
      switch self {
      case .japanese, .simplifiedChinese, .traditionalChinese: "。"
      default: ". "
      }
    // A full-width one has its space in it.
    return phrases.joined(separator: stop) + colon + (colon == "：" ? "" : " ")
  }

  /// A phrase above what it names, ending with a colon as this language sets it.
  package func heading(_ phrase: Phrase) -> String { text(phrase) + colon }

  private var colon: String {
    switch self {
    case .simplifiedChinese, .traditionalChinese: "："
    case .french, .canadianFrench: "\u{A0}:"
    default: ":"
    }
  }

  /// A question that is answered with yes or no, with the letters for both.
  package func asking(_ question: Phrase) -> String { "\(text(question)) [\(text(.yesOrNo))] " }
}
