#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

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
    var values: [UInt8] = []
    for digit in digits {
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): values.append(digit - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): values.append(digit - UInt8(ascii: "a") + 10)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): values.append(digit - UInt8(ascii: "A") + 10)
      default: return nil
      }
    }
    if values.count == 3 { values = values.flatMap { [$0, $0] } }
    self.init(values[0] * 16 + values[1], values[2] * 16 + values[3], values[4] * 16 + values[5])
  }

  /// The form `#rrggbb`.
  package var hex: String {
    let digits = Array("0123456789abcdef")
    return "#" + String([red, green, blue].flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  private var channels: [Double] { [red, green, blue].map { Double($0) / 255 } }

  /// The B of HSB, from 0 to 1.
  var brightness: Double { channels.reduce(0, max) }

  /// The same hue and saturation at another brightness, clamped to 0 through 1.
  func withBrightness(_ wanted: Double) -> RGB {
    let wanted = min(max(wanted, 0), 1)
    guard brightness > 0 else { return .gray(Self.level(wanted)) }
    let scaled = channels.map { Self.level($0 / brightness * wanted) }
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
