import IFTTT
import Testing

@Suite struct PhraseTests {
  @Test func everyPhraseHasASample() {
    let numbers = PhraseSample.all.map { PhraseSample.number(of: $0.phrase) }.sorted()
    #expect(numbers == Array(0...73))
  }

  @Test(arguments: Language.allCases) func eachArgumentOccursOnce(language: Language) {
    for sample in PhraseSample.all {
      let text = language.text(sample.phrase)
      for argument in sample.arguments {
        #expect(text.split(separator: argument, omittingEmptySubsequences: false).count == 2, "\(text)")
      }
    }
  }

  @Test(arguments: Language.allCases) func textsAreWellFormed(language: Language) {
    for sample in PhraseSample.all {
      let text = language.text(sample.phrase)
      #expect(!text.isEmpty)
      #expect(text.first?.isWhitespace == false && text.last?.isWhitespace == false, "\(text)")
      #expect(!text.contains("  ") && !text.contains("..") && !text.contains("\n"), "\(text)")
      #expect(!text.contains("'") && !text.contains("\""), "typewriter quotes: \(text)")
      #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(text)")
    }
  }

  /// A drawing emphasizes this word.
  @Test(arguments: Language.allCases) func footersContainIFTTTOnce(language: Language) {
    for phrase in [Phrase.worksWith, .securedWith] {
      #expect(language.text(phrase).split(separator: "IFTTT", omittingEmptySubsequences: false).count == 2)
    }
  }

  @Test(arguments: Language.allCases) func termsArePartOfTheirSentence(language: Language) {
    #expect(language.text(.acceptTerms).contains(language.text(.terms)))
  }

  /// Any other text that equals the English one is missing a translation.
  @Test(arguments: Language.allCases.filter { $0 != .americanEnglish }) func isTranslated(language: Language) {
    let coordinates: Set<Phrase> = [.latitude, .longitude]
    let international: [Language: Set<Phrase>] = [
      .french: coordinates, .canadianFrench: coordinates, .portuguese: coordinates, .brazilianPortuguese: coordinates,
      .japanese: [.yesOrNo], .korean: [.yesOrNo], .simplifiedChinese: [.yesOrNo], .traditionalChinese: [.yesOrNo],
    ]
    let same = PhraseSample.all.map(\.phrase).filter { language.text($0) == Language.americanEnglish.text($0) }
    if language == .britishEnglish {
      #expect(PhraseSample.all.count - same.count == 3)
    } else {
      #expect(Set(same) == international[language] ?? [])
    }
  }

  /// Phrases with different meanings have different texts.
  @Test(arguments: Language.allCases) func statesHaveDifferentTexts(language: Language) {
    let states: [Phrase] = [
      .loading, .verifying, .creatingAccount, .connecting, .connected, .disconnecting, .disconnected, .notConnected,
      .notConfiguredYet, .cancelled, .pageNotExpected,
    ]
    #expect(Set(states.map(language.text)).count == states.count)
    #expect(Set([Phrase.added, .changed, .removed].map(language.text)).count == 3)
  }

  @Test func ongoingStatesEndInAnEllipsis() {
    let ongoing: [Phrase] = [
      .loading, .verifying, .creatingAccount, .signingIn(service: "X"), .connecting, .disconnecting, .waitingMinutes(2),
      .waitingSeconds(2),
    ]
    for language in Language.allCases {
      for phrase in ongoing { #expect(language.text(phrase).last == "…") }
    }
  }
}
