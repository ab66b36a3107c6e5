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
