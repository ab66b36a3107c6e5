/// The colours of one button, made readable whatever the service's own colour is.
///
/// Brightness follows the SDKs (activation.md, section 16); where text stands on a colour, the contrast is WCAG 2.2's
/// minimum besides, which the SDKs do not look at.
struct Palette: Equatable {
  /// Level AA for text of any size.
  static let readable = 4.5
  /// What stands in for a service's colour where it has none.
  private static let noBrand = RGB.gray(0x99)

  var track: RGB
  var text: RGB
  var progress: RGB
  var knob: RGB
  /// What is drawn on the knob where the service has no icon.
  var onKnob: RGB
  /// The field in which an e-mail address is typed, and its text.
  static let field = RGB.gray(0xCC)
  static let typed = RGB.black
  static let placeholder = RGB.gray(0x41)

  /// - Parameter isOnBrand: whether the service's colour fills the whole button.
  init(style: ButtonStyle, brand: RGB?, isOnBrand: Bool) {
    let plain = style == .light ? RGB.gray(0x22) : .white
    if isOnBrand, let brand {
      // Nearly the colour of the page it would have no edge.
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

  /// A darker shade, or a lighter one of what is nearly black.
  private static func shaded(_ color: RGB) -> RGB {
    color.withBrightness(color.brightness < 0.25 ? color.brightness + 0.08 : color.brightness - 0.15)
  }

  /// The colour itself unless it cannot be told from the track.
  private static func apart(_ color: RGB, from track: RGB) -> RGB {
    guard abs(color.brightness - track.brightness) < 0.2 else { return color }
    return color.withBrightness(color.brightness < 0.25 ? color.brightness + 0.25 : color.brightness - 0.15)
  }

  private static func onBrand(_ brand: RGB) -> (track: RGB, text: RGB, progress: RGB) {
    var brand = brand
    // Of a colour between, the shade may need light text where the colour itself needs dark text.
    while true {
      let shade = shaded(brand)
      let text = ink(on: [brand, shade])
      if min(brand.contrast(with: text), shade.contrast(with: text)) >= readable { return (brand, text, shade) }
      brand = brand.withBrightness(brand.brightness - 0.02)
    }
  }

  /// Black or white, whichever can be read better on all of them.
  static func ink(on colors: [RGB]) -> RGB {
    func least(_ ink: RGB) -> Double { colors.map { $0.contrast(with: ink) }.min() ?? 1 }
    return least(.white) >= least(.black) ? .white : .black
  }
}
