/// The colors of one button, readable whatever the service's color is.
///
/// Brightness follows the SDKs (activation.md, section 16). Text on a color also has at least WCAG 2.2's minimum
/// contrast, which the SDKs do not check.
struct Palette: Equatable {
  /// Level AA for text of any size.
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
      let wanted = progress
      while progress.contrast(with: text) < Self.readable, part <= 1 {
        progress = wanted.mixed(with: track, part: part)
        part += 0.1
      }
    }
    knob = Self.apart(brand ?? Self.noBrand, from: plain)
    onKnob = Self.ink(on: [knob])
  }

  /// A darker shade, or a lighter one of a nearly black color.
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
    func least(_ ink: RGB) -> Double { colors.map { $0.contrast(with: ink) }.min() ?? 1 }
    return least(.white) >= least(.black) ? .white : .black
  }
}
