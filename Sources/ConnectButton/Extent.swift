/// How wide text is drawn, by a guess that is on the safe side: the fonts of whoever looks on are not known here.
enum Extent {
  /// Of bold text, in the font's size (em), in about the widest of usual fonts.
  static func ems(of text: String) -> Double { text.unicodeScalars.reduce(0) { $0 + em(of: $1) } }

  private static func em(of scalar: Unicode.Scalar) -> Double {
    switch scalar.value {
    case 0x20, 0xA0: 0.36
    case 0x21, 0x27, 0x28, 0x29, 0x2C, 0x2E, 0x3A, 0x3B, 0x49, 0x4A, 0x5B, 0x5D, 0x69, 0x6A, 0x6C, 0x7C: 0.46
    case 0x66, 0x72, 0x74: 0.5
    case 0x25, 0x26, 0x40, 0x4D, 0x57, 0x6D, 0x77: 1.1
    case 0x30...0x39, 0x61...0x7A: 0.73
    case 0x21...0x7E: 0.84
    case 0x200B...0x200F, 0x2060...0x2069, 0xFE00...0xFE0F: 0
    case 0x2026: 1
    case 0x300...0x36F, 0x591...0x5BD, 0x610...0x61A, 0x64B...0x65F, 0x20D0...0x20FF: 0
    case 0x590...0x6FF: 0.75
    case 0x1100...0x11FF, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFF00...0xFFE6, 0x20000...0x3FFFF: 1.02
    case 0x2600...0x27BF, 0x1F000...0x1FAFF: 1.4
    case 0x410, 0x416, 0x424, 0x428, 0x429, 0x42B, 0x42E, 0x436, 0x444, 0x448, 0x449, 0x44B, 0x44E: 1.1
    default: 0.82
    }
  }

  /// Text and the size at which it fits.
  struct Fitting: Equatable {
    var text: String
    var size: Double
  }

  /// The largest size of a range at which a text fits; where even the smallest is too large, the text with the longest
  /// possible part of what may be shortened.
  /// - Parameters:
  ///   - shortenable: a name within the text.
  ///   - words: the text around that name.
  static func fit(
    _ shortenable: ShownText, in width: Double, sizes: ClosedRange<Double>, words: (ShownText) -> String
  ) -> Fitting {
    let text = words(shortenable)
    let size = (width / ems(of: text)).rounded(.down)
    if size >= sizes.lowerBound { return Fitting(text: text, size: min(size, sizes.upperBound)) }
    var name = shortenable
    while !name.isEmpty {
      name = name.shortened
      let text = words(name)
      if ems(of: text) * sizes.lowerBound <= width { return Fitting(text: text, size: sizes.lowerBound) }
    }
    return Fitting(text: words(name), size: sizes.lowerBound)
  }
}

extension ShownText {
  /// A character less, and a mark that says so.
  var shortened: ShownText {
    var kept = text
    if kept.last == "…" { kept.removeLast() }
    kept = String(kept.dropLast())
    while kept.last == " " { kept.removeLast() }
    return ShownText(kept.isEmpty ? "" : kept + "…")
  }
}
