import Testing

@testable import IFTTT

@Suite struct ColorTests {
  @Test(arguments: [
    ("#f5a623", "#f5a623"), ("F5A623", "#f5a623"), ("#abc", "#aabbcc"), ("000", "#000000"), ("#FFFFFF", "#ffffff"),
    ("  #12507b \n", "#12507b"),
  ])
  func parsesColors(text: String, expected: String) { #expect(RGB(parsing: text)?.hex == expected) }

  @Test(arguments: [
    "", "#", "#12", "#1234", "#12345", "#1234567", "red", "rgb(1,2,3)", "#12345g", "##123456", "#12345é", "# 123456",
    "#123456;}", "url(https://x)", "#12345\0",
  ])
  func rejectsOtherText(text: String) { #expect(RGB(parsing: text) == nil) }

  /// Widely published pairs and ratios; black on white is 21 by definition.
  @Test(arguments: [
    ("#000000", "#ffffff", 21.0), ("#ffffff", "#ffffff", 1.0), ("#777777", "#ffffff", 4.48),
    ("#767676", "#ffffff", 4.54),
    ("#ff0000", "#ffffff", 4.0), ("#0000ff", "#ffffff", 8.59),
  ])
  func contrastMatchesPublishedRatios(one: String, other: String, ratio: Double) throws {
    let (one, other) = (try #require(RGB(parsing: one)), try #require(RGB(parsing: other)))
    #expect(abs(one.contrast(with: other) - ratio) < 0.01)
    #expect(one.contrast(with: other) == other.contrast(with: one))
  }

  /// The SDKs' brightness rules (docs/api/activation.md §16).
  @Test(arguments: [
    ("#f5a623", ButtonStyle.light, "#f5a623"), ("#111111", .light, "#515151"), ("#333333", .light, "#737373"),
    ("#ffffff", .dark, "#d9d9d9"), ("#f5a623", .dark, "#cf8c1e"), ("#0a4d8c", .dark, "#0a4d8c"),
  ])
  func knobIsDistinctFromTrack(brand: String, style: ButtonStyle, expected: String) {
    let palette = Palette(style: style, brand: RGB(parsing: brand), isOnBrand: false)
    #expect(palette.knob.hex == expected)
  }

  @Test(arguments: ButtonStyle.allCases) func defaultColorsAreGray(style: ButtonStyle) {
    let palette = Palette(style: style, brand: nil, isOnBrand: true)
    #expect(palette.track.hex == (style == .light ? "#222222" : "#ffffff"))
    #expect(palette.progress.hex == (style == .light ? "#414141" : "#cccccc"))
    #expect(palette.knob.hex == "#999999")
  }

  /// All text is readable with every service color, in a grid of 17 levels per channel.
  @Test(arguments: ButtonStyle.allCases, [false, true]) func textIsReadableOnEveryColor(
    style: ButtonStyle, isOnBrand: Bool
  ) {
    let levels = stride(from: 0, through: 255, by: 15).map(UInt8.init)
    var worst = 21.0
    for red in levels {
      for green in levels {
        for blue in levels {
          let palette = Palette(style: style, brand: RGB(red, green, blue), isOnBrand: isOnBrand)
          worst = min(worst, palette.track.contrast(with: palette.text), palette.progress.contrast(with: palette.text))
          worst = min(worst, palette.knob.contrast(with: palette.onKnob))
        }
      }
    }
    #expect(worst >= 4.5)
  }

  @Test func fieldsAndFootersAreReadable() {
    #expect(Palette.field.contrast(with: Palette.typed) >= 4.5)
    #expect(Palette.field.contrast(with: Palette.placeholder) >= 4.5)
    for (style, page) in [(ButtonStyle.light, RGB.white), (.dark, RGB(0x12, 0x12, 0x12))] {
      #expect(page.contrast(with: style.footerColor) >= 4.5)
      #expect(page.contrast(with: style.errorColor) >= 4.5)
    }
  }

  @Test(arguments: [
    ("#000000", 16), ("#ffffff", 231), ("#ff0000", 196), ("#5f87af", 67), ("#222222", 235), ("#cccccc", 252),
    ("#f5a623", 214),
  ])
  func nearestIndex(color: String, index: Int) throws { #expect(try #require(RGB(parsing: color)).index == index) }
}
