package import CommandLine
package import IFTTT
import World

extension Console {
  /// The language of the connect flow: `--locale`, or else the locale of the environment. Errors and results are in
  /// English.
  package var language: Language {
    Language(preferring: options.locale.map { [$0] } ?? environmentLocales)
  }

  /// The locales in POSIX order (XBD 8.2). `C` and `POSIX` name no language and end the list, because setting one of
  /// them means no translation.
  private var environmentLocales: [LocaleTag] {
    let variables: [EnvironmentVariable] = [.localeAll, .localeMessages, .locale]
    let tags = variables.compactMap { world.environment[$0].flatMap(LocaleTag.init(parsing:)) }
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
