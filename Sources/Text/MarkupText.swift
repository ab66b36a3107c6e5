/// Text and numbers in XML, SVG and HTML.
package enum MarkupText {
  /// External text on a single line, without invisible characters and without controls that change the direction of
  /// the text after them.
  package static func oneLine(_ raw: String) -> String {
    var scalars = String.UnicodeScalarView()
    var isAfterBlank = true
    for scalar in raw.unicodeScalars {
      if scalar.properties.isWhitespace {
        if !isAfterBlank { scalars.append(" ") }
        isAfterBlank = true
      } else if !isHidden(scalar) {
        scalars.append(scalar)
        isAfterBlank = false
      }
    }
    if scalars.last == " " { scalars.removeLast() }
    return String(scalars)
  }

  /// Joiners are not hidden, because they form other characters.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: true
    case .format: scalar.value != 0x200C && scalar.value != 0x200D
    default: false
    }
  }

  /// The number with at most `digits` decimal places, and without trailing zeros unless `keepsZeros` is true. NaN
  /// counts as zero, and magnitudes above 1e12 as 1e12.
  package static func number(_ value: Double, digits: Int = 1, keepsZeros: Bool = false) -> String {
    let factor = (0..<digits).reduce(1.0) { factor, _ in factor * 10 }
    let scaled = (min(1e12, max(-1e12, value.isNaN ? 0 : value)) * factor).rounded()
    let whole = Int64(scaled.magnitude)
    let sign = scaled < 0 ? "-" : ""
    guard digits > 0 else { return sign + String(whole) }
    var fraction = String(whole % Int64(factor), width: digits)
    while !keepsZeros, fraction.last == "0" { fraction.removeLast() }
    return sign + String(whole / Int64(factor)) + (fraction.isEmpty ? "" : "." + fraction)
  }

  /// The text escaped for element content and for attribute values in quotes.
  package static func escaped(_ text: some StringProtocol) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if let reference = reference(to: scalar) { result += reference } else { result.unicodeScalars.append(scalar) }
    }
    return result
  }

  /// The reference that represents a character; nil if the character represents itself.
  package static func reference(to scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\"": "&quot;"
    case "'": "&#39;"
    default: nil
    }
  }
}
