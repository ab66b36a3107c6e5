import Text

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The colors of one button, readable whatever the service's color is.
///
/// Brightness follows the SDKs (docs/api/activation.md §16). Text on a color also has at least WCAG 2.2's minimum
/// contrast, which the SDKs do not check.
struct Palette: Equatable {
  /// The minimum contrast of level AA, for text of any size.
  static let readable = 4.5
  /// The substitute for a missing service color.
  private static let noBrand = RGB.gray(0x99)

  var track: RGB
  var text: RGB
  var progress: RGB
  var knob: RGB
  /// The color of the letter on the knob if the service has no icon.
  var onKnob: RGB
  /// The input field for an e-mail address, and its text.
  static let field = RGB.gray(0xCC)
  static let typed = RGB.black
  static let placeholder = RGB.gray(0x41)

  /// - Parameter isOnBrand: whether the service's color fills the whole button.
  init(style: ButtonStyle, brand: RGB?, isOnBrand: Bool) {
    let plain = style == .light ? RGB.gray(0x22) : .white
    if isOnBrand, let brand {
      // A button in nearly the page's color would have no edge.
      (track, text, progress) = Self.onBrand(Self.apart(brand, from: style == .light ? .white : .black))
    } else {
      track = plain
      text = style == .light ? .white : .black
      progress = brand.map(Self.shaded) ?? .gray(style == .light ? 0x41 : 0xCC)
      var part = 0.1
      let original = progress
      while progress.contrast(with: text) < Self.readable, part <= 1 {
        progress = original.mixed(with: track, part: part)
        part += 0.1
      }
    }
    knob = Self.apart(brand ?? Self.noBrand, from: plain)
    onKnob = Self.ink(on: [knob])
  }

  /// A darker shade, or a lighter shade of a nearly black color.
  private static func shaded(_ color: RGB) -> RGB {
    color.withBrightness(color.brightness < 0.25 ? color.brightness + 0.08 : color.brightness - 0.15)
  }

  /// The color itself unless it is indistinguishable from the track.
  private static func apart(_ color: RGB, from track: RGB) -> RGB {
    guard abs(color.brightness - track.brightness) < 0.2 else { return color }
    return color.withBrightness(color.brightness < 0.25 ? color.brightness + 0.25 : color.brightness - 0.15)
  }

  private static func onBrand(_ brand: RGB) -> (track: RGB, text: RGB, progress: RGB) {
    var brand = brand
    // The shade of a medium color may need light text while the color itself needs dark text.
    while true {
      let shade = shaded(brand)
      let text = ink(on: [brand, shade])
      if min(brand.contrast(with: text), shade.contrast(with: text)) >= readable { return (brand, text, shade) }
      brand = brand.withBrightness(brand.brightness - 0.02)
    }
  }

  /// Black or white, whichever is more readable on all of the colors.
  static func ink(on colors: [RGB]) -> RGB {
    func minimumContrast(_ ink: RGB) -> Double { colors.map { $0.contrast(with: ink) }.min() ?? 1 }
    return minimumContrast(.white) >= minimumContrast(.black) ? .white : .black
  }
}

/// An sRGB color, with eight bits per channel.
package struct RGB: Hashable, Sendable {
  package var red: UInt8
  package var green: UInt8
  package var blue: UInt8

  package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }

  package static let black = RGB(0, 0, 0)
  package static let white = RGB(255, 255, 255)

  static func gray(_ level: UInt8) -> RGB { RGB(level, level, level) }

  /// Parses `#rrggbb` or `#rgb`, with or without the `#`, in any case, with spaces around it as in IFTTT's SDK.
  /// - Returns: nil for anything else, because a color is inserted into markup.
  package init?(parsing text: String) {
    let spaces: Set<UInt8> = [0x20, 0x09, 0x0a, 0x0d]
    var digits = Array(text.utf8.drop { spaces.contains($0) })
    while let last = digits.last, spaces.contains(last) { digits.removeLast() }
    if digits.first == UInt8(ascii: "#") { digits.removeFirst() }
    guard digits.count == 3 || digits.count == 6 else { return nil }
    var values = digits.compactMap(\.hexadecimal)
    guard values.count == digits.count else { return nil }
    if values.count == 3 { values = values.flatMap { [$0, $0] } }
    self.init(values[0] * 16 + values[1], values[2] * 16 + values[3], values[4] * 16 + values[5])
  }

  /// The form `#rrggbb`.
  package var hex: String { "#" + [red, green, blue].hex }

  private var channels: [Double] { [red, green, blue].map { Double($0) / 255 } }

  /// The B of HSB, from 0 to 1.
  var brightness: Double { channels.reduce(0, max) }

  /// The same hue and saturation at another brightness, clamped to 0 through 1.
  func withBrightness(_ target: Double) -> RGB {
    let target = min(max(target, 0), 1)
    guard brightness > 0 else { return .gray(Self.level(target)) }
    let scaled = channels.map { Self.level($0 / brightness * target) }
    return RGB(scaled[0], scaled[1], scaled[2])
  }

  /// This color mixed with a part of another, from 0 to 1.
  func mixed(with other: RGB, part: Double) -> RGB {
    let mixed = zip(channels, other.channels).map { Self.level($0 * (1 - part) + $1 * part) }
    return RGB(mixed[0], mixed[1], mixed[2])
  }

  private static func level(_ value: Double) -> UInt8 { UInt8((min(max(value, 0), 1) * 255).rounded()) }

  /// Relative luminance (WCAG 2.2, "relative luminance").
  var luminance: Double {
    let linear = channels.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }

  /// From 1 to 21 (WCAG 2.2, "contrast ratio").
  package func contrast(with other: RGB) -> Double {
    let (lighter, darker) = (max(luminance, other.luminance), min(luminance, other.luminance))
    return (lighter + 0.05) / (darker + 0.05)
  }
}

/// The colors that a terminal supports.
package enum TerminalColors: Sendable {
  case none
  /// xterm's 256 colors, of which the cube and the grays are the same everywhere.
  case indexed
  case direct

  /// The SGR parameters for a foreground or background color (ECMA-48, 8.3.117; ISO 8613-6). Empty without colors.
  func parameters(_ color: RGB, isBackground: Bool) -> String {
    let kind = isBackground ? "48" : "38"
    switch self {
    case .none: return ""
    case .indexed: return "\(kind);5;\(color.index)"
    case .direct: return "\(kind);2;\(color.red);\(color.green);\(color.blue)"
    }
  }
}

extension RGB {
  /// The nearest of the 240 colors that no theme changes: a cube of six levels per channel, and 24 grays.
  var index: Int {
    let levels = [0, 95, 135, 175, 215, 255]
    let channels = [Int(red), Int(green), Int(blue)]
    let cube = channels.map { channel in
      levels.indices.min { abs(levels[$0] - channel) < abs(levels[$1] - channel) } ?? 0
    }
    let gray = min(max((channels.reduce(0, +) / 3 - 3) / 10, 0), 23)
    func distance(_ other: [Int]) -> Int { zip(channels, other).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) } }
    let grayLevel = 8 + gray * 10
    if distance([grayLevel, grayLevel, grayLevel]) < distance(cube.map { levels[$0] }) { return 232 + gray }
    return 16 + 36 * cube[0] + 6 * cube[1] + cube[2]
  }
}
