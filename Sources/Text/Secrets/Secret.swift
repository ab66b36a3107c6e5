/// A credential with a masked description, so that it can safely appear in a log, an error or a dump.
///
/// Only ``revealed`` exposes the text. It is meant for a request header or parameter, an encrypted column, and an
/// explicit `--print` or `--reveal`.
package struct Secret: Sendable, Hashable {
  package let revealed: String

  /// Returns nil for the empty string and for text that is not valid in a header: text with control characters (C0,
  /// DEL or C1).
  package init?(parsing text: String) {
    guard !text.isEmpty, text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !(0x7f...0x9f ~= $0.value) }) else {
      return nil
    }
    revealed = text
  }

  init(unchecked text: String) { revealed = text }

  /// A word in the source that takes the place of a credential.
  package init(word: StaticString) { revealed = word.description }

  /// The first and last four characters, or none of them if they would reveal a third of the secret or more.
  package var masked: String {
    let scalars = revealed.unicodeScalars
    guard scalars.count > 24 else { return "…" }
    return "\(String(scalars.prefix(4)))…\(String(scalars.suffix(4)))"
  }
}

extension Secret {
  /// The text that shows a credential, even of one that is not a valid secret.
  package static func masked(_ text: String) -> String { Secret(parsing: text)?.masked ?? (text.isEmpty ? "" : "…") }

  /// Whether a text is a masked credential already, perhaps after a scheme such as `Bearer`.
  package static func isMasked(_ text: String) -> Bool {
    let word = text.split(separator: " ", maxSplits: 1).last ?? ""
    let ends = word.split(separator: "…", omittingEmptySubsequences: false).map(\.unicodeScalars.count)
    return ends.count == 2 && ends.allSatisfy { $0 <= 4 }
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { masked }
  package var debugDescription: String { masked }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
