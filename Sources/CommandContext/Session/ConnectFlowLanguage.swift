import Arguments
package import Pages
package import Phrases
import World

extension Session {
  /// The language of the connect flow: `--locale`, else the locale of the environment. Errors and results are English.
  package var language: Language {
    Language(preferring: options.locale.map { [$0] } ?? environmentLocales)
  }

  /// In the order in which POSIX looks (XBD 8.2). `C` and `POSIX` name no language, and what is behind them is not asked:
  /// whoever sets one of them wants no translation.
  private var environmentLocales: [LocaleTag] {
    let tags = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { world.environment[$0].flatMap(LocaleTag.init(parsing:)) }
    return Array(tags.prefix { !$0.isPOSIX })
  }
}

extension ValueKind<LocaleTag> {
  static var localeTag: ValueKind {
    .parsed("TAG", completion: .dynamic("language"), expected: "a language tag such as 'fr-CA' or 'de_AT.UTF-8'") {
      LocaleTag(parsing: $0)
    }
  }
}

extension Language {
  package static var candidates: [CompletionCandidate] { allCases.compactMap { CompletionCandidate($0.tag) } }
}
