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
      case 3 where !subtag.utf8.contains { !(0x30...0x39).contains($0) } && region == nil: region = String(subtag)
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
      && subtag.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
  }

  private static func isLetters(_ subtag: Substring) -> Bool {
    subtag.utf8.allSatisfy { (0x61...0x7A).contains($0) }
  }
}
