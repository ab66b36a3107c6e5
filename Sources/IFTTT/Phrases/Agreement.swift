extension Language {
  /// Whether the reply to a prompt means yes: as a word or a letter in this language, or in English, which every
  /// terminal user knows.
  package func agrees(_ answer: String) -> Bool {
    let word = answer.lowercased().filter { !$0.isWhitespace }
    return word == "y" || word == "yes" || agreeing.contains(word)
  }

  private var agreeing: [String] {
    switch self {
    case .americanEnglish, .britishEnglish: []
    case .czech: ["a", "ano"]
    case .danish, .german, .dutch, .swedish, .norwegian: ["j", "ja"]
    case .spanish, .latinAmericanSpanish: ["s", "sí", "si"]
    case .finnish: ["k", "kyllä"]
    case .french, .canadianFrench: ["o", "oui"]
    case .italian: ["s", "sì", "si"]
    case .japanese: ["はい", "ｙ"]
    case .korean: ["네", "예"]
    case .polish: ["t", "tak"]
    case .portuguese, .brazilianPortuguese: ["s", "sim"]
    case .russian: ["д", "да"]
    case .simplifiedChinese, .traditionalChinese: ["是", "好"]
    }
  }
}
