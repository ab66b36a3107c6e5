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

  /// The Commonwealth, the United Kingdom's territories, Ireland, Hong Kong, and the region "world" as in CLDR.
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
