import Text

/// HTML markup in which all interpolated text is escaped.
struct HTML: ExpressibleByStringInterpolation {
  private(set) var text: String

  init(stringLiteral value: String) { text = value }
  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  struct StringInterpolation: StringInterpolationProtocol {
    var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity * 2) }

    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ value: String) { text += HTML.escaped(value) }
    mutating func appendInterpolation(_ value: Int) { text += String(value) }
    mutating func appendInterpolation(_ part: HTML) { text += part.text }
    /// Append the part, or nothing if it is nil.
    mutating func appendInterpolation(_ part: HTML?) { text += part?.text ?? "" }
    mutating func appendInterpolation(_ parts: [HTML]) { for part in parts { text += part.text } }
  }

  /// The text escaped for element content and for attributes in quotes. Control characters are replaced by visible
  /// symbols.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n", "\t": escaped.unicodeScalars.append(scalar)
      case "\u{0}"..."\u{1f}": escaped.unicodeScalars.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{fffd}")
      case "\u{7f}": escaped += "\u{2421}"
      case "\u{80}"..."\u{9f}": escaped += "\u{fffd}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return MarkupText.escaped(escaped)
  }
}

extension HTML {
  /// A name from the fixtures, isolated so that its text direction does not affect the rest.
  static func name(_ text: String) -> HTML { "<bdi>\(text)</bdi>" }

  /// A dot in a color of six hexadecimal digits; nil for anything else.
  static func dot(_ color: String) -> HTML? {
    guard color.utf8.count == 7, color.utf8.first == UInt8(ascii: "#"),
      color.utf8.dropFirst().allSatisfy({
        $0.hexadecimal != nil
      })
    else { return nil }
    return """
      <svg class="dot" viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="7" fill="\(color)"/></svg>
      """
  }

  /// A hidden input, for values that the next request must include.
  static func hidden(_ name: String, _ value: String) -> HTML {
    "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
  }
}
