extension Language {
  /// Short phrases as one line that asks for an answer: full stops between them, a colon at its end, both as this language
  /// sets them.
  package func asking(_ phrases: [String]) -> String {
    let (stop, colon) =
      switch self {
      case .japanese: ("。", ": ")
      case .simplifiedChinese, .traditionalChinese: ("。", "：")
      case .french, .canadianFrench: (". ", "\u{A0}: ")
      default: (". ", ": ")
      }
    return phrases.joined(separator: stop) + colon
  }

  /// A question that is answered with yes or no, with the letters for both.
  package func asking(_ question: Phrase) -> String { "\(text(question)) [\(text(.yesOrNo))] " }
}
