import IFTTT
import Testing

/// Counted nouns, by the grammar of each language.
@Suite struct PluralTests {
  @Test(arguments: [
    (1, "1 minute"), (2, "2 minutes"), (0, "0 minutes"), (21, "21 minutes"),
  ])
  func english(count: Int, expected: String) {
    #expect(Language.americanEnglish.text(.waitingMinutes(count)).contains("\(expected)…"))
  }

  @Test(arguments: [(0, "0 minute"), (1, "1 minute"), (2, "2 minutes"), (100, "100 minutes")])
  func french(count: Int, expected: String) {
    #expect(Language.french.text(.waitingMinutes(count)).contains("\(expected) au plus"))
  }

  @Test(arguments: [
    (1, "1 minutu"), (2, "2 minuty"), (4, "4 minuty"), (5, "5 minut"), (12, "12 minut"), (22, "22 minut"),
    (0, "0 minut"),
  ])
  func czech(count: Int, expected: String) {
    #expect(Language.czech.text(.waitingMinutes(count)).contains("\(expected)…"))
  }

  @Test(arguments: [
    (1, "1 ustawienie?"), (2, "2 ustawienia?"), (4, "4 ustawienia?"), (5, "5 ustawień?"), (12, "12 ustawień?"),
    (14, "14 ustawień?"), (22, "22 ustawienia?"), (25, "25 ustawień?"), (21, "21 ustawień?"), (112, "112 ustawień?"),
  ])
  func polish(count: Int, expected: String) {
    #expect(Language.polish.text(.removeSettings(count)).hasSuffix(expected))
  }

  @Test(arguments: [
    (1, "1 настройку?"), (2, "2 настройки?"), (5, "5 настроек?"), (11, "11 настроек?"), (12, "12 настроек?"),
    (21, "21 настройку?"), (22, "22 настройки?"), (25, "25 настроек?"), (111, "111 настроек?"), (0, "0 настроек?"),
  ])
  func russian(count: Int, expected: String) {
    #expect(Language.russian.text(.removeSettings(count)).hasSuffix(expected))
  }

  /// After "no longer than", the noun is in the genitive: singular after one, otherwise plural.
  @Test(arguments: [(1, "1 минуты"), (2, "2 минут"), (5, "5 минут"), (21, "21 минуты"), (11, "11 минут")])
  func russianGenitive(count: Int, expected: String) {
    #expect(Language.russian.text(.waitingMinutes(count)).contains("\(expected)…"))
  }

  @Test(arguments: [Language.japanese, .korean, .simplifiedChinese, .traditionalChinese])
  func asianNounsHaveNoPlural(language: Language) {
    for (one, many) in [
      (Phrase.waitingMinutes(1), Phrase.waitingMinutes(5)), (.waitingSeconds(1), .waitingSeconds(5)),
      (.removeSettings(1), .removeSettings(5)),
    ] {
      #expect(language.text(one).replacing("1", with: "5") == language.text(many))
    }
  }

  /// All other languages distinguish one from several.
  @Test(arguments: Language.allCases) func singularDiffersFromPlural(language: Language) {
    guard ![.japanese, .korean, .simplifiedChinese, .traditionalChinese].contains(language) else { return }
    #expect(
      language.text(.waitingMinutes(1)).replacing("1", with: "5") != language.text(.waitingMinutes(5)))
    #expect(
      language.text(.waitingSeconds(1)).replacing("1", with: "5") != language.text(.waitingSeconds(5)))
    // The Czech noun for settings has a single form.
    guard language != .czech else { return }
    #expect(language.text(.removeSettings(1)).replacing("1", with: "5") != language.text(.removeSettings(5)))
  }
}
