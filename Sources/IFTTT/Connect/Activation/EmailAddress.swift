/// An e-mail address that can be sent to IFTTT, which makes the final decision (reference: activation.md, section 8).
package struct EmailAddress: Sendable, Hashable, CustomStringConvertible {
  package let description: String

  /// Nil unless the text is a single address of at most 254 bytes. It has exactly one `@`. Before it are neither
  /// spaces nor control characters; after it is a name with a dot, or an address in brackets. White space around the
  /// address is trimmed.
  package init?(parsing text: String) {
    let scalars = text.unicodeScalars
    let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
    guard let first = scalars.firstIndex(where: { !isSpace($0) }), let last = scalars.lastIndex(where: { !isSpace($0) })
    else { return nil }
    let address = String(scalars[first...last])
    let halves = address.split(separator: "@", omittingEmptySubsequences: false)
    guard address.utf8.count <= 254, halves.count == 2, !halves[0].isEmpty,
      address.unicodeScalars.allSatisfy({ !isSpace($0) && !isControl($0) }), EmailAddress.isDomain(halves[1])
    else { return nil }
    description = address
  }

  private static func isDomain(_ text: Substring) -> Bool {
    if text.first == "[" {
      return text.count > 2 && text.last == "]"
        && text.dropFirst().dropLast().utf8.allSatisfy { isLetterOrDigit($0) || $0 == 0x2e || $0 == 0x3a }
    }
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    return labels.count > 1
      && labels.allSatisfy { label in
        !label.isEmpty && label.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 >= 0x80 }
      }
  }
}

private func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || 0x7f...0x9f ~= scalar.value }

private func isLetterOrDigit(_ byte: UInt8) -> Bool {
  (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
}
