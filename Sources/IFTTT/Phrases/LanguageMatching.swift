import Text

extension Language {
  /// The nearest language: by script and region as speakers would choose, then by language only.
  /// - Returns: nil if no language is near.
  package init?(matching tag: LocaleTag) {
    switch tag.language {
    case "en": self = Self.isBritish(tag.region) ? .britishEnglish : .americanEnglish
    case "es": self = Self.isLatinAmerican(tag.region) ? .latinAmericanSpanish : .spanish
    case "fr": self = tag.region == "ca" ? .canadianFrench : .french
    case "pt": self = tag.region == nil || tag.region == "br" ? .brazilianPortuguese : .portuguese
    case "zh", "cmn": self = Self.isTraditional(tag) ? .traditionalChinese : .simplifiedChinese
    // Norwegian Nynorsk and unspecified Norwegian.
    case "no", "nn": self = .norwegian
    default:
      guard let language = Language(rawValue: tag.language) else { return nil }
      self = language
    }
  }

  package init?(matching text: String) {
    guard let tag = LocaleTag(parsing: text) else { return nil }
    self.init(matching: tag)
  }

  /// The first of these preferences that is near a language; otherwise American English.
  package init(preferring tags: some Sequence<LocaleTag>) {
    self = tags.lazy.compactMap { Language(matching: $0) }.first ?? .americanEnglish
  }

  private static func isTraditional(_ tag: LocaleTag) -> Bool {
    if tag.script == "hant" || tag.script == "hans" { return tag.script == "hant" }
    return ["tw", "hk", "mo"].contains(tag.region)
  }

  private static func isLatinAmerican(_ region: String?) -> Bool {
    switch region {
    case "419", "005", "013", "029", "us", "ar", "bo", "br", "bz", "cl", "co", "cr", "cu", "do", "ec", "gt", "hn", "mx",
      "ni", "pa", "pe", "pr", "py", "sv", "uy", "ve":
      true
    default: false
    }
  }

  /// Whether a region uses British English: the Commonwealth, the United Kingdom's territories, Ireland, Hong Kong, and
  /// the regions "world" and "Europe" as in CLDR.
  private static func isBritish(_ region: String?) -> Bool {
    switch region {
    case "gb", "uk", "au", "nz", "ca", "ie", "in", "za", "hk", "001", "150": true
    case "ag", "bb", "bd", "bn", "bs", "bw", "bz", "cm", "cy", "dm", "fj", "ga", "gd", "gh", "gm", "gy", "jm", "ke",
      "ki", "kn", "lc", "lk", "ls", "mt", "mu", "mv", "mw", "my", "mz", "na", "ng", "nr", "pg", "pk", "rw", "sb", "sc",
      "sg", "sl", "sz", "tg", "to", "tt", "tv", "tz", "ug", "vc", "vu", "ws", "zm":
      true
    case "ai", "bm", "ck", "fk", "gg", "gi", "im", "io", "je", "ky", "ms", "nf", "nu", "pn", "sh", "tc", "tk", "vg":
      true
    default: false
    }
  }
}

/// A language as named by a person or a system: BCP 47 (`zh-Hans-CN`) or POSIX (`de_AT.UTF-8@euro`), in any case.
package struct LocaleTag: Equatable, Sendable {
  /// In lower case, like the other properties.
  package var language: String
  package var script: String?
  package var region: String?

  /// - Returns: nil if the text is not a tag of either kind.
  package init?(parsing text: String) {
    let name = text.prefix { $0 != "." && $0 != "@" }
    let subtags = name.lowercased().split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
    guard let first = subtags.first, subtags.allSatisfy(Self.isSubtag) else { return nil }
    language = String(first)
    guard Self.isLetters(first), first.utf8.count > 1 || language == "c" else { return nil }
    // Subtags after a single letter belong to an extension and specify neither script nor region.
    for subtag in subtags.dropFirst().prefix(while: { $0.utf8.count > 1 }) {
      switch subtag.utf8.count {
      case 4 where Self.isLetters(subtag) && script == nil && region == nil: script = String(subtag)
      case 2 where Self.isLetters(subtag) && region == nil: region = String(subtag)
      case 3 where subtag.utf8.allSatisfy(\.isDigit) && region == nil: region = String(subtag)
      default: break
      }
    }
  }

  /// The tag in BCP 47 form, in lower case.
  package var text: String { [language, script, region].compactMap { $0 }.joined(separator: "-") }

  /// Whether this is the POSIX locale, which programs use for each other and which names no language.
  package var isPOSIX: Bool { language == "c" || language == "posix" }

  private static func isSubtag(_ subtag: Substring) -> Bool {
    (1...8).contains(subtag.utf8.count)
      && subtag.utf8.allSatisfy { $0.isDigit || $0.isLowercase }
  }

  private static func isLetters(_ subtag: Substring) -> Bool {
    subtag.utf8.allSatisfy(\.isLowercase)
  }
}
