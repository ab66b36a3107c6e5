#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A scale bar of a round length, in the lower left corner.
struct ScaleBar {
  /// The length in meters: one, two or five times a power of ten.
  let length: Double
  /// The area that the scale bar covers.
  let box: MapBox
  let markup: String

  init(_ frame: MapFrame) {
    let room = min(170, frame.box.width / 4)
    length = Self.roundLength(atMost: room / frame.scale)
    let width = length * frame.scale
    let (x, y) = (frame.box.x + 14, frame.box.y + frame.box.height - 16)
    let words = MapText.length(length)
    box = MapBox(x: x - 6, y: y - 26, width: max(width, MapText.width(words, size: 13)) + 12, height: 34)
    markup = """
      <path class="bar" d="M\(MapText.number(x)) \(MapText.number(y - 6))v6h\(MapText.number(width))v-6"/>
      <text class="name" x="\(MapText.number(x))" y="\(MapText.number(y - 11))">\(words)</text>

      """
  }

  static func roundLength(atMost meters: Double) -> Double {
    let power = pow(10, log10(meters).rounded(.down))
    return [5.0, 2, 1].map { $0 * power }.first { $0 <= meters } ?? power
  }
}
