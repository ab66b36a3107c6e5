import Testing
import Text
import World

@testable import Location

struct MapTextTests {
  @Test(arguments: [
    ("Home", "Home"), ("  a \n\t b\u{a0}", "a b"), ("\u{1b}[31mred\u{0}", "[31mred"), ("\u{202e}x\u{2066}", "x"),
    ("\u{200b}", ""), ("\u{fffe}\u{ffff}\u{e000}", ""), ("क्\u{200d}ष", "क्\u{200d}ष"), ("👩‍👩‍👧", "👩‍👩‍👧"),
  ])
  func removesInvisibleCharacters(raw: String, text: String) { #expect(MapText.shown(raw) == text) }

  @Test func truncatesText() {
    #expect(MapText.shown("abcdef", limit: 6) == "abcdef" && MapText.shown("abcdefg", limit: 6) == "abcde…")
  }

  @Test(arguments: [
    (0.0, 1, "0"), (-0.04, 1, "0"), (1.25, 1, "1.3"), (-1.25, 2, "-1.25"), (100, 2, "100"), (0.05, 2, "0.05"),
    (-0.5, 0, "-1"), (12.999, 1, "13"), (.nan, 1, "0"), (.infinity, 0, "1000000000000"),
  ])
  func formatsNumbers(value: Double, digits: Int, text: String) {
    #expect(MarkupText.number(value, digits: digits) == text)
  }

  @Test(arguments: [
    (0.5, "0.5 m"), (220.5, "220.5 m"), (330, "330 m"), (999.96, "1000 m"), (1500, "1.5 km"), (23_456, "23.5 km"),
    (400_000, "400 km"), (11_145_000, "11,145 km"), (1e300, "1,000,000,000 km"),
  ])
  func formatsLengths(meters: Double, text: String) { #expect(MapText.length(meters) == text) }

  @Test func formatsCoordinatesTimesAndCounts() {
    #expect(MapText.formatted(Coordinate(38.7, -9.142_704)) == "38.70000, -9.14270")
    #expect(MapText.time(Timestamp(milliseconds: 1_772_646_129_999)) == "2026-03-04 17:42:09 UTC")
    #expect(MapText.count(1, "entry", "entries") == "1 entry" && MapText.count(0, "entry", "entries") == "0 entries")
    #expect(MapText.grouped(1_234_567) == "1,234,567" && MapText.grouped(999) == "999")
    #expect([0.0, 22, 23, 359].map(MapText.compassDirection) == ["north", "north", "northeast", "north"])
  }

  @Test func formatsCaptions() {
    #expect(
      MapCaption(
        Scene("", [])
          .map
      ).summary == "No regions · no track")
    #expect(
      MapCaption(Scene.lisbon.map).summary
        == "3 regions · 41 positions · 2 entries and 2 exits · 2026-03-04 16:50:00 to 17:00:00 UTC")
    let days = [Position(0, 0, second: 0), Position(0, 0, second: 86_400)]
    #expect(MapCaption(Scene("", [], [days]).map).summary.hasSuffix("1970-01-01 00:00:00 to 1970-01-02 00:00:00 UTC"))
    #expect(MapCaption(RegionMap([], title: "\u{202e} ")).title == "Regions and track")
  }

  @Test func pathsSkipShortSteps() {
    var path = MapPath()
    for point in [MapPoint(0, 0), MapPoint(10, 0), MapPoint(10.2, 0), MapPoint(20, 0.04)] { path.line(to: point) }
    path.line(to: MapPoint(20.3, 0))
    path.begin(at: MapPoint(5, 5))
    path.finish()
    #expect(path.text == "M0 0L10 0L20 0L20.3 0M5 5h0")
  }
}
