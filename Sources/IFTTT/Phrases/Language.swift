/// The languages of the connect flow. The raw value is the BCP 47 tag sent to IFTTT as `locale`.
package enum Language: String, CaseIterable, Sendable {
  case americanEnglish = "en-US"
  case britishEnglish = "en-GB"
  case czech = "cs"
  case danish = "da"
  case german = "de"
  case spanish = "es"
  case latinAmericanSpanish = "es-419"
  case finnish = "fi"
  case french = "fr"
  case canadianFrench = "fr-CA"
  case italian = "it"
  case japanese = "ja"
  case korean = "ko"
  case norwegian = "nb"
  case dutch = "nl"
  case polish = "pl"
  case brazilianPortuguese = "pt-BR"
  case portuguese = "pt-PT"
  case russian = "ru"
  case swedish = "sv"
  case simplifiedChinese = "zh-Hans"
  case traditionalChinese = "zh-Hant"

  package var tag: String { rawValue }

  /// The phrase in this language, with the arguments inserted unchanged.
  package func text(_ phrase: Phrase) -> String {
    switch self {
    case .americanEnglish: phrase.inEnglish
    case .britishEnglish: phrase.inBritishEnglish
    case .czech: phrase.inCzech
    case .danish: phrase.inDanish
    case .german: phrase.inGerman
    case .spanish: phrase.inSpanish
    case .latinAmericanSpanish: phrase.inLatinAmericanSpanish
    case .finnish: phrase.inFinnish
    case .french: phrase.inFrench
    case .canadianFrench: phrase.inCanadianFrench
    case .italian: phrase.inItalian
    case .japanese: phrase.inJapanese
    case .korean: phrase.inKorean
    case .norwegian: phrase.inNorwegian
    case .dutch: phrase.inDutch
    case .polish: phrase.inPolish
    case .brazilianPortuguese: phrase.inBrazilianPortuguese
    case .portuguese: phrase.inPortuguese
    case .russian: phrase.inRussian
    case .swedish: phrase.inSwedish
    case .simplifiedChinese: phrase.inSimplifiedChinese
    case .traditionalChinese: phrase.inTraditionalChinese
    }
  }
}

extension Language {
  /// Whether the reply to a prompt means yes: as a word or a letter in this language, or in English, which every
  /// terminal user knows.
  package func agrees(_ reply: String) -> Bool {
    let word = reply.lowercased().filter { !$0.isWhitespace }
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

/// The plural form of a noun for a number, by the CLDR plural rules for whole numbers.
enum Plural {
  case one, few, many

  /// One is singular: English, German, Dutch, Italian, Spanish, European Portuguese, Finnish, the Scandinavian
  /// languages.
  static func onlyOne(_ count: Int) -> Plural { count == 1 ? .one : .many }

  /// Zero and one are singular: French, Brazilian Portuguese.
  static func zeroOrOne(_ count: Int) -> Plural { count == 0 || count == 1 ? .one : .many }

  static func czech(_ count: Int) -> Plural {
    switch count {
    case 1: .one
    case 2...4: .few
    default: .many
    }
  }

  static func polish(_ count: Int) -> Plural { count == 1 ? .one : endsInTwoToFour(count) ? .few : .many }

  static func russian(_ count: Int) -> Plural {
    if count % 10 == 1 && count % 100 != 11 { return .one }
    return endsInTwoToFour(count) ? .few : .many
  }

  private static func endsInTwoToFour(_ count: Int) -> Bool {
    (2...4).contains(count % 10) && !(12...14).contains(count % 100)
  }

  /// The form of a noun for the number.
  func of(_ one: String, few: String? = nil, _ many: String) -> String {
    switch self {
    case .one: one
    case .few: few ?? many
    case .many: many
    }
  }
}
