/// Text in XML, SVG and HTML.
package enum MarkupText {
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
