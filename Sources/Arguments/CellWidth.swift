/// The number of terminal cells that a character takes, for the caret under an argument and for help.
///
/// A small table of its own keeps the parser free of dependencies. It covers the wide blocks of Unicode Standard
/// Annex #11 as a whole, and emoji. Tables of results, whose text comes from elsewhere, are measured with Unicode's
/// own data.
package enum CellWidth {
  package static func of(_ character: Character) -> Int {
    character.unicodeScalars.contains { isWide($0) || $0 == "\u{FE0F}" } ? 2 : 1
  }

  /// Whether a scalar is drawn as itself. False for scalars that move the cursor, are invisible, or combine with the
  /// previous character.
  static func showsAsItself(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
      .nonspacingMark, .enclosingMark, .spacingMark:
      false
    case .spaceSeparator: scalar == " "
    default: true
    }
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x1100 { return false }
    return blocks.contains { $0.contains(scalar.value) } || scalar.properties.isEmojiPresentation
  }

  private static let blocks: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x1B2FF,
    0x1F200...0x1F2FF, 0x20000...0x3FFFD,
  ]
}
