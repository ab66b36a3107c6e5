/// Untrusted text prepared for an error message: one line, no control characters, limited length.
package enum DisplayText {
  /// The printable form of a text.
  /// - Parameter limit: the maximum number of characters; longer text ends with an ellipsis.
  package static func shown(_ text: String, limit: Int = 500) -> String {
    var shown = ""
    for scalar in text.unicodeScalars.prefix(limit) {
      switch scalar.value {
      case 0..<0x20, 0x7f...0x9f, 0x2028, 0x2029, 0x202a...0x202e, 0x2066...0x2069: shown += "\u{fffd}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return text.unicodeScalars.count > limit ? shown + "…" : shown
  }

  package static func shown(_ bytes: [UInt8], limit: Int = 200) -> String {
    shown(String(decoding: bytes.prefix(limit * 4), as: UTF8.self), limit: limit)
  }
}
