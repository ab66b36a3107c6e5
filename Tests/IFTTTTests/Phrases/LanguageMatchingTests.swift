import IFTTT
import Testing

@Suite struct LanguageMatchingTests {
  @Test(arguments: Language.allCases) func everyTagMatchesItself(language: Language) {
    #expect(Language(matching: language.tag) == language)
    #expect(Language(matching: language.tag.lowercased()) == language)
    #expect(Language(matching: language.tag.uppercased()) == language)
    #expect(Language(matching: language.tag.replacing("-", with: "_") + ".UTF-8") == language)
  }

  @Test(arguments: [
    ("nb-NO", "nb"), ("es-MX", "es-419"), ("fr-BE", "fr"), ("en-AU", "en-GB"), ("en_GB", "en-GB"),
    ("zh-Hans-CN", "zh-Hans"), ("zh-CN", "zh-Hans"), ("zh-TW", "zh-Hant"), ("pt", "pt-BR"), ("pt-AO", "pt-PT"),
    ("no", "nb"), ("nn", "nb"),
  ])
  func matchesExamplesOfReference(tag: String, expected: String) {
    #expect(Language(matching: tag)?.tag == expected)
  }

  @Test(arguments: [
    ("en", "en-US"), ("en-US", "en-US"), ("en_US.UTF-8", "en-US"), ("en-PH", "en-US"), ("en-DE", "en-US"),
    ("en-IN", "en-GB"), ("en-NZ", "en-GB"), ("en-CA", "en-GB"), ("en-IE", "en-GB"), ("en-ZA", "en-GB"),
    ("en-001", "en-GB"), ("EN-gb", "en-GB"), ("en-Latn-GB", "en-GB"), ("en-GB-oxendict", "en-GB"),
    ("es", "es"), ("es-ES", "es"), ("es-GQ", "es"), ("es-US", "es-419"), ("es-AR", "es-419"), ("es_CO.UTF-8", "es-419"),
    ("es-ES@euro", "es"), ("es-419", "es-419"), ("es-Latn-PE", "es-419"),
    ("fr", "fr"), ("fr_FR@euro", "fr"), ("fr-CH", "fr"), ("fr-CA", "fr-CA"), ("fr_CA.ISO8859-1", "fr-CA"),
    ("pt-BR", "pt-BR"), ("pt_PT", "pt-PT"), ("pt-MZ", "pt-PT"), ("pt-Latn", "pt-BR"),
    ("zh", "zh-Hans"), ("zh-SG", "zh-Hans"), ("zh_HK", "zh-Hant"), ("zh-MO", "zh-Hant"), ("zh-Hant-CN", "zh-Hant"),
    ("zh-Hans-HK", "zh-Hans"), ("zh-hant", "zh-Hant"), ("zh_TW.Big5", "zh-Hant"), ("cmn-Hant", "zh-Hant"),
    ("zh-cmn-Hans-CN", "zh-Hans"), ("zh-u-rg-twzzzz", "zh-Hans"), ("zh-x-hant", "zh-Hans"), ("zh-Latn-TW", "zh-Hant"),
    ("nn-NO", "nb"), ("no_NO.utf8", "nb"), ("NB", "nb"), ("de_AT.UTF-8@euro", "de"), ("de-CH-1996", "de"),
    ("ja_JP.eucJP", "ja"), ("ko-KR", "ko"), ("cs_CZ", "cs"), ("ru-UA", "ru"), ("sv-FI", "sv"), ("fi", "fi"),
    ("pl_PL", "pl"), ("nl-BE", "nl"), ("it-CH", "it"), ("da-GL", "da"),
  ])
  func matchesByScriptAndRegion(tag: String, expected: String) {
    #expect(Language(matching: tag)?.tag == expected)
  }

  @Test(arguments: ["he", "ar-EG", "C", "POSIX", "C.UTF-8", "c", "tlh", "i-klingon", "x-private"])
  func otherLanguagesHaveNoMatch(tag: String) {
    #expect(Language(matching: tag) == nil)
  }

  @Test(arguments: [
    "", "-", "_", ".UTF-8", "@euro", "de-", "-de", "de--AT", "d e", "de AT", "1de", "de/AT", "дe", "x", "d",
    "abcdefghi", "de-abcdefghi", "de\n", "../../etc/passwd", "de\0",
  ])
  func rejectsInvalidTag(text: String) {
    #expect(LocaleTag(parsing: text) == nil)
    #expect(Language(matching: text) == nil)
  }

  @Test(arguments: [
    (["he", "de-AT", "fr"], "de"), (["C", "POSIX"], "en-US"), ([], "en-US"), (["tlh", "no"], "nb"), (["he"], "en-US"),
  ])
  func firstMatchingPreferenceCounts(tags: [String], expected: String) {
    #expect(Language(preferring: tags.compactMap(LocaleTag.init(parsing:))).tag == expected)
  }

  @Test func acceptsYesInEveryLanguage() {
    for language in Language.allCases {
      let letter = String(language.text(.yesOrNo).prefix(1))
      #expect(language.agrees(letter) && language.agrees(letter.uppercased()))
      #expect(language.agrees("y") && language.agrees("YES") && language.agrees(" yes "))
      #expect(!language.agrees("") && !language.agrees("n") && !language.agrees("no"))
      let no = String(language.text(.yesOrNo).suffix(1))
      #expect(!language.agrees(no) && !language.agrees(no.lowercased()))
    }
    #expect(Language.german.agrees("Ja") && Language.russian.agrees("да") && !Language.czech.agrees("ne"))
    #expect(Language.french.agrees("OUI") && !Language.french.agrees("ja") && !Language.finnish.agrees("ei"))
  }
}
