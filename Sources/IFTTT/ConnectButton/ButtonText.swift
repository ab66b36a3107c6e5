/// Untrusted text for a button: one line, without control characters, directional marks for the rest of the line, or
/// invisible characters.
struct ButtonText: Equatable, Sendable {
  let text: String

  init(_ raw: String) {
    var scalars = String.UnicodeScalarView()
    var isAfterBlank = true
    for scalar in raw.unicodeScalars {
      if scalar.properties.isWhitespace {
        if !isAfterBlank { scalars.append(" ") }
        isAfterBlank = true
      } else if !Self.isHidden(scalar) {
        scalars.append(scalar)
        isAfterBlank = false
      }
    }
    if scalars.last == " " { scalars.removeLast() }
    text = String(scalars)
  }

  var isEmpty: Bool { text.isEmpty }

  /// Joiners are kept, because they form other characters.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: true
    case .format: scalar.value != 0x200C && scalar.value != 0x200D
    default: false
    }
  }

  /// The text between isolates, which confine its writing direction (UAX #9, FSI and PDI).
  var isolated: String { String(Self.opening) + text + String(Self.closing) }

  static let opening: Unicode.Scalar = "\u{2068}"
  static let closing: Unicode.Scalar = "\u{2069}"

  /// The first letter in upper case, used if there is no icon.
  var initial: String { text.first.map { String($0).uppercased() } ?? "" }
}
