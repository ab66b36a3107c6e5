/// Checks a plugin's texts, which users read in prompts, lists and help.
package enum ManifestText {
  /// The problem, phrased to follow "has"; nil if absent.
  package static func problem(in text: String) -> String? {
    // Most text is ASCII, which does not need Unicode's tables.
    if text.utf8.allSatisfy({ 0x20...0x7e ~= $0 }) { return nil }
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      defer { last = scalar }
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: return "a control character"
      case _ where turnsText(scalar): return "a bidirectional mark"
      case .format: return "an invisible character, \(codePoint(of: scalar))"
      case _ where scalar.properties.isDefaultIgnorableCodePoint && !isStyle(scalar, of: last):
        return "an invisible character, \(codePoint(of: scalar))"
      default: break
      }
    }
    return nil
  }

  private static func turnsText(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x061c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: true
    default: false
    }
  }

  /// Whether it is a variation selector for the emoji before it.
  private static func isStyle(_ scalar: Unicode.Scalar, of last: Unicode.Scalar?) -> Bool {
    0xfe0e...0xfe0f ~= scalar.value && last?.properties.isEmoji == true
  }

  /// The code point in the form `U+200B`.
  private static func codePoint(of scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
