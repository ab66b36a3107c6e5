/// A plugin's text without the sequences that a terminal would interpret (ECMA-48).
package enum PlainText {
  /// Removes complete escape sequences, and all control characters except the tab.
  package static func withoutEscapes(_ text: String) -> String {
    var kept = String.UnicodeScalarView()
    var scalars = text.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      switch scalar.value {
      case 0x1b: skipSequence(&scalars)
      case 0x9b: skipParameters(&scalars)
      case 0x90, 0x98, 0x9d, 0x9e, 0x9f: skipString(&scalars)
      case 0x09: kept.append(scalar)
      case ..<0x20, 0x7f...0x9f: break
      default: kept.append(scalar)
      }
    }
    return String(kept)
  }

  private static func skipSequence(_ scalars: inout Substring.UnicodeScalarView) {
    guard let kind = scalars.first else { return }
    switch kind {
    case "[":
      scalars.removeFirst()
      skipParameters(&scalars)
    case "]", "P", "X", "^", "_":
      scalars.removeFirst()
      skipString(&scalars)
    default:
      while let next = scalars.first, 0x20...0x2f ~= next.value { scalars.removeFirst() }
      if let last = scalars.first, 0x30...0x7e ~= last.value { scalars.removeFirst() }
    }
  }

  private static func skipParameters(_ scalars: inout Substring.UnicodeScalarView) {
    while let next = scalars.first, 0x20...0x3f ~= next.value { scalars.removeFirst() }
    if let last = scalars.first, 0x40...0x7e ~= last.value { scalars.removeFirst() }
  }

  /// Skips to BEL or ST.
  private static func skipString(_ scalars: inout Substring.UnicodeScalarView) {
    while let next = scalars.popFirst() {
      if next.value == 0x07 || next.value == 0x9c { return }
      if next.value == 0x1b, scalars.first == "\\" {
        scalars.removeFirst()
        return
      }
    }
  }
}
