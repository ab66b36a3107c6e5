import Text

/// Untrusted text for a button: one line, without control characters, directional marks for the rest of the line, or
/// invisible characters.
struct ButtonText: Equatable, Sendable {
  let text: String

  init(_ raw: String) { text = MarkupText.oneLine(raw) }

  var isEmpty: Bool { text.isEmpty }

  /// The text between isolates, which confine its writing direction (UAX #9, FSI and PDI).
  var isolated: String { String(Self.opening) + text + String(Self.closing) }

  static let opening: Unicode.Scalar = "\u{2068}"
  static let closing: Unicode.Scalar = "\u{2069}"

  /// The first letter in upper case, used if there is no icon.
  var initial: String { text.first.map { String($0).uppercased() } ?? "" }
}

/// A line with one emphasized word, such as IFTTT in a footer.
enum Runs {
  struct Run: Equatable {
    var text: String
    var standsOut: Bool
  }

  static func around(_ word: String, in text: String) -> [Run] {
    guard let range = text.firstRange(ofText: word) else { return [Run(text: text, standsOut: false)] }
    let parts = [
      Run(text: String(text[..<range.lowerBound]), standsOut: false),
      Run(text: word, standsOut: true),
      Run(text: String(text[range.upperBound...]), standsOut: false),
    ]
    return parts.filter { !$0.text.isEmpty }
  }
}

/// A conservative estimate of text width, because the viewer's fonts are unknown.
enum Extent {
  /// The width of bold text in ems, in the wider of DejaVu Sans and Verdana. Other common fonts are narrower.
  static func ems(of text: String) -> Double { text.unicodeScalars.reduce(0) { $0 + em(of: $1) } }

  private static func em(of scalar: Unicode.Scalar) -> Double {
    if scalar.value == 0xA0 { return Double(ascii[0]) / 1000 }
    if (0x20...0x7E).contains(scalar.value) { return Double(ascii[Int(scalar.value) - 0x20]) / 1000 }
    return switch scalar.value {
    case 0xCC...0xCF, 0xEC...0xEF: 0.44
    case 0xC6, 0xE6, 0x152, 0x153: 1.16
    case 0x200B...0x200F, 0x2060...0x2069, 0xFE00...0xFE0F: 0
    case 0x2026: 1
    case 0x300...0x36F, 0x591...0x5BD, 0x610...0x61A, 0x64B...0x65F, 0x20D0...0x20FF: 0
    case 0x590...0x6FF: 0.75
    case 0x1100...0x11FF, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFF00...0xFFE6, 0x20000...0x3FFFF: 1.02
    case 0x2600...0x27BF, 0x1F000...0x1FAFF: 1.4
    case 0x410, 0x416, 0x424, 0x428, 0x429, 0x42B, 0x42E, 0x436, 0x444, 0x448, 0x449, 0x44B, 0x44E: 1.1
    case 0xC0...0x24F, 0x400...0x4FF: scalar.properties.isLowercase ? 0.76 : 0.86
    default: 0.82
    }
  }

  /// From the space to the tilde, in thousandths.
  private static let ascii: [Int] = [
    348, 456, 587, 867, 711, 1272, 872, 332, 543, 543, 711, 867, 380, 480, 380, 690,
    711, 711, 711, 711, 711, 711, 711, 711, 711, 711, 402, 402, 867, 867, 867, 617,
    1000, 776, 762, 734, 830, 683, 683, 821, 837, 546, 555, 775, 637, 995, 847, 850,
    733, 850, 782, 720, 682, 812, 774, 1129, 771, 737, 725, 543, 690, 543, 867, 711,
    711, 675, 716, 593, 716, 678, 435, 716, 712, 343, 403, 671, 343, 1058, 712, 687,
    716, 716, 497, 595, 478, 712, 652, 980, 669, 652, 597, 711, 543, 711, 867,
  ]

  /// Text and the size at which it fits.
  struct Fitting: Equatable {
    var text: String
    var size: Double
  }

  /// The largest size in a range at which a text fits. If even the smallest is too large, the name in it is shortened
  /// as little as possible.
  /// - Parameters:
  ///   - shortenable: a name within the text.
  ///   - sentence: the text around that name.
  static func fit(
    _ shortenable: ButtonText, in width: Double, sizes: ClosedRange<Double>, sentence: (ButtonText) -> String
  ) -> Fitting {
    let text = sentence(shortenable)
    let size = (width / ems(of: text)).rounded(.down)
    if size >= sizes.lowerBound { return Fitting(text: text, size: min(size, sizes.upperBound)) }
    var name = shortenable
    while !name.isEmpty {
      name = name.shortened
      let text = sentence(name)
      if ems(of: text) * sizes.lowerBound <= width { return Fitting(text: text, size: sizes.lowerBound) }
    }
    return Fitting(text: sentence(name), size: sizes.lowerBound)
  }
}

extension ButtonText {
  /// The text with one character less, and an ellipsis.
  var shortened: ButtonText {
    var shorter = text
    if shorter.last == "…" { shorter.removeLast() }
    shorter = String(shorter.dropLast())
    while shorter.last == " " { shorter.removeLast() }
    return ButtonText(shorter.isEmpty ? "" : shorter + "…")
  }
}

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
