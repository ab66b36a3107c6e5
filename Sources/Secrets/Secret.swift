/// A credential: its description is masked, so it can stand in a log, an error or a dump without harm.
///
/// The bytes leave it only through ``revealed``, which is meant for a request header or parameter, a
/// sealed column, and an explicit `--print` or `--reveal`.
package struct Secret: Sendable, Hashable {
  package let revealed: String

  /// Nil for the empty string and for text that could not stand in a header: control characters, C0, DEL or C1.
  package init?(parsing text: String) {
    guard !text.isEmpty, text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !(0x7f...0x9f ~= $0.value) }) else {
      return nil
    }
    revealed = text
  }

  init(unchecked text: String) { revealed = text }

  /// Four characters of each end, or none where that would give away a third of it or more.
  package var masked: String {
    let scalars = revealed.unicodeScalars
    guard scalars.count > 24 else { return "…" }
    return "\(String(scalars.prefix(4)))…\(String(scalars.suffix(4)))"
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { masked }
  package var debugDescription: String { masked }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
