import Text

/// Checks a plugin's texts, which users read in prompts, lists and help.
package enum ManifestText {
  /// The problem, phrased to follow "has"; nil if absent.
  package static func problem(in text: String) -> String? {
    // Most text is ASCII, which does not need Unicode's tables.
    if text.utf8.allSatisfy({ 0x20...0x7e ~= $0 }) { return nil }
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      defer { previous = scalar }
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: return "a control character"
      case _ where isBidirectionalMark(scalar): return "a bidirectional mark"
      case .format: return "an invisible character, \(codePoint(of: scalar))"
      case _ where scalar.properties.isDefaultIgnorableCodePoint && !isStyle(scalar, of: previous):
        return "an invisible character, \(codePoint(of: scalar))"
      default: break
      }
    }
    return nil
  }

  private static func isBidirectionalMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x061c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: true
    default: false
    }
  }

  /// Whether it is a variation selector for the emoji before it.
  private static func isStyle(_ scalar: Unicode.Scalar, of previous: Unicode.Scalar?) -> Bool {
    0xfe0e...0xfe0f ~= scalar.value && previous?.properties.isEmoji == true
  }

  /// The code point in the form `U+200B`.
  private static func codePoint(of scalar: Unicode.Scalar) -> String {
    "U+" + String(hex: scalar.value, width: 4, uppercase: true)
  }
}

/// A manifest's host in ASCII, so that letters of another alphabet cannot imitate a known name.
enum HostText {
  /// The host in ASCII. If the destination is not known in advance, a manifest may contain a short description
  /// instead; that text is returned unchanged.
  ///
  /// - Throws: ``ManifestError`` phrased to follow "has".
  static func ascii(_ text: String) throws(ManifestError) -> String {
    let hasAuthority = text.split(separator: ":", omittingEmptySubsequences: false).dropFirst().contains {
      $0.hasPrefix("//")
    }
    let isHost = !text.utf8.contains(UInt8(ascii: " ")) && (hasAuthority || text.contains { dots.contains($0) })
    guard isHost else { return text }
    // The text before an '@' is not the host, though it looks like one.
    guard !text.contains("@") else { throw ManifestError("a user name in '\(text)'") }
    guard !text.utf8.contains(UInt8(ascii: "\\")) else { throw ManifestError("a backslash in '\(text)'") }
    let scheme = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    let hasScheme = text.dropFirst(scheme.count).hasPrefix("://")
    let beginning = hasScheme ? text.prefix(scheme.count + 3) : ""
    let rest = text.dropFirst(beginning.count)
    let host = rest.prefix { !"/?#:".contains($0) }
    let end = rest.dropFirst(host.count)
    guard end.utf8.allSatisfy({ $0 < 0x80 }) else { throw ManifestError("a non-ASCII path in '\(text)'") }
    let labels = host.split(omittingEmptySubsequences: false) { dots.contains($0) }
    return beginning + labels.map(label).joined(separator: ".") + end
  }

  /// The characters that browsers accept as dots (UTS #46).
  private static let dots: Set<Character> = [".", "\u{3002}", "\u{ff0e}", "\u{ff61}"]

  private static func label(_ text: Substring) -> String {
    text.utf8.allSatisfy { $0 < 0x80 } ? String(text) : "xn--" + Punycode.encoded(text.lowercased())
  }
}

/// Encodes text in ASCII (RFC 3492).
enum Punycode {
  private static let (base, least, most) = (36, 1, 26)

  static func encoded(_ text: String) -> String {
    let points = text.unicodeScalars.map { Int($0.value) }
    let basic = points.filter { $0 < 0x80 }
    var output = basic.map { UInt8($0) } + (basic.isEmpty ? [] : [UInt8(ascii: "-")])
    var (point, delta, bias, written) = (0x80, 0, 72, basic.count)
    while written < points.count {
      guard let next = points.filter({ $0 >= point }).min() else { break }
      delta += (next - point) * (written + 1)
      point = next
      for other in points {
        if other < point { delta += 1 }
        guard other == point else { continue }
        output += digits(of: delta, bias: bias)
        bias = adapted(delta, count: written + 1, isFirst: written == basic.count)
        delta = 0
        written += 1
      }
      delta += 1
      point += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// The generalized variable-length integer of RFC 3492, least significant digit first. The weight of each digit
  /// depends on its position.
  private static func digits(of number: Int, bias: Int) -> [UInt8] {
    var (rest, digits, position) = (number, [UInt8](), base)
    while true {
      let threshold = min(max(position - bias, least), most)
      guard rest >= threshold else { return digits + [digit(rest)] }
      digits.append(digit(threshold + (rest - threshold) % (base - threshold)))
      rest = (rest - threshold) / (base - threshold)
      position += base
    }
  }

  /// The digit for a value: letters first, then numerals.
  private static func digit(_ value: Int) -> UInt8 {
    value < 26 ? UInt8(ascii: "a") + UInt8(value) : UInt8(ascii: "0") + UInt8(value - 26)
  }

  private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var steps = 0
    while delta > (base - least) * most / 2 {
      delta /= base - least
      steps += 1
    }
    return base * steps + (base - least + 1) * delta / (delta + 38)
  }
}
