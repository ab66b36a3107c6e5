/// Text from elsewhere as it may stand on a button: one line, without what a terminal would obey, what turns the
/// direction of writing for the rest of the line, and what nobody sees.
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

  /// Joiners stay, since they make other characters.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: true
    case .format: scalar.value != 0x200C && scalar.value != 0x200D
    default: false
    }
  }

  /// The text between marks that keep its direction of writing to itself (UAX #9, FSI and PDI).
  var isolated: String { String(Self.opening) + text + String(Self.closing) }

  static let opening: Unicode.Scalar = "\u{2068}"
  static let closing: Unicode.Scalar = "\u{2069}"

  /// The first letter, in capitals, for where there is no picture.
  var initial: String { text.first.map { String($0).uppercased() } ?? "" }
}
