import Text

/// Text for HTML or SVG.
enum Markup {
  /// Escaped for HTML content, with the isolates around names converted to elements.
  static func isolating(_ text: String) -> String {
    var result = ""
    for scalar in MarkupText.escaped(text).unicodeScalars {
      switch scalar {
      case ButtonText.opening: result += "<bdi>"
      case ButtonText.closing: result += "</bdi>"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// A URL that a page may load or link to: https, with URL characters only.
  static func secureURL(_ text: String?) -> String? {
    guard let text, text.utf8.count <= 2048, text.utf8.starts(with: "https://".utf8), text.utf8.count > 8 else {
      return nil
    }
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case 0x21, 0x23...0x26, 0x28...0x3B, 0x3D, 0x3F...0x5B, 0x5D, 0x5F, 0x61...0x7A, 0x7E: true
      default: false
      }
    }
    return isPlain ? text : nil
  }
}
