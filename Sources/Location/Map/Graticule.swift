import Text

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Lines of latitude and longitude at round degrees.
struct Graticule {
  struct Line {
    /// The points of the line; nil where the projection distorts too much to draw it.
    var points: [MapPoint?]
    var label: String
    var isMeridian: Bool
  }

  private(set) var lines: [Line] = []

  init(_ frame: MapFrame, spacing: Double) {
    var (south, north, west, east) = (90.0, -90.0, 180.0, -180.0)
    let center = frame.projection.center
    for row in 0...16 {
      for column in 0...16 {
        let point = MapPoint(
          frame.box.x + frame.box.width * Double(column) / 16, frame.box.y + frame.box.height * Double(row) / 16)
        guard let coordinate = frame.coordinate(at: point) else { continue }
        let deltaLongitude = remainder(coordinate.longitude - center.longitude, 360)
        (south, north) = (min(south, coordinate.latitude), max(north, coordinate.latitude))
        (west, east) = (min(west, deltaLongitude), max(east, deltaLongitude))
      }
    }
    for pole in [90.0, -90] where frame.box.contains(frame.point(Coordinate(nearestTo: pole, 0))) {
      (west, east) = (-180, 180)
      (south, north) = (min(south, pole), max(north, pole))
    }
    guard south <= north, west <= east else { return }
    let degree = Coordinate.earthRadius.radians * frame.scale
    // Extend the range, because the extremes may lie between the samples.
    let (latitudeMargin, longitudeMargin) = ((north - south) / 8, (east - west) / 8)
    let latitudes = (max(-90, south - latitudeMargin), min(90, north + latitudeMargin))
    let longitudes = (max(-180, west - longitudeMargin), min(180, east + longitudeMargin))
    let step = Self.step(atLeast: spacing / degree)
    for latitude in Self.multiples(of: step, latitudes) where abs(latitude) < 90 {
      let points = Self.samples(longitudes).map { deltaLongitude in
        Self.point(Coordinate(nearestTo: latitude, remainder(center.longitude + deltaLongitude, 360)), in: frame)
      }
      lines.append(Line(points: points, label: Self.label(latitude, step, "N", "S"), isMeridian: false))
    }
    // Space the meridians for the latitude where a degree of longitude is longest, so that they are never farther
    // apart than necessary. Near a pole that length is short too.
    let widest = max(1e-9, cos((south < 0 && north > 0 ? 0 : min(abs(south), abs(north))).radians))
    let longitudeStep = Self.step(atLeast: spacing / degree / widest)
    let offset = center.longitude
    for longitude in Self.multiples(of: longitudeStep, (longitudes.0 + offset, longitudes.1 + offset)) {
      let wrapped = remainder(longitude, 360)
      let points = Self.samples(latitudes).map { Self.point(Coordinate(nearestTo: $0, wrapped), in: frame) }
      lines.append(Line(points: points, label: Self.label(wrapped, longitudeStep, "E", "W"), isMeridian: true))
    }
  }

  private static func point(_ coordinate: Coordinate, in frame: MapFrame) -> MapPoint? {
    frame.isTorn(around: coordinate, radius: 1_500_000) ? nil : frame.point(coordinate)
  }

  private static func samples(_ range: (Double, Double)) -> [Double] {
    // Far from the center, a degree may be long and curved.
    let count = max(48, Int((range.1 - range.0) / 2))
    return (0...count).map { range.0 + (range.1 - range.0) * Double($0) / Double(count) }
  }

  /// The smallest round step of at least this size, in degrees: one, two or five times a power of ten, or a large step
  /// that divides a circle.
  static func step(atLeast degrees: Double) -> Double {
    for power in -6...0 {
      for digit in [1.0, 2, 5] where digit * pow(10, Double(power)) >= degrees { return digit * pow(10, Double(power)) }
    }
    return [10.0, 15].first { $0 >= degrees } ?? 30
  }

  private static func multiples(of step: Double, _ range: (Double, Double)) -> [Double] {
    let (first, last) = ((range.0 / step).rounded(.up), (range.1 / step).rounded(.down))
    guard first <= last, last - first < 400 else { return [] }
    return stride(from: first, through: last, by: 1).map { $0 * step }
  }

  private static func label(_ degrees: Double, _ step: Double, _ positive: String, _ negative: String) -> String {
    let digits = step >= 1 ? 0 : Int((-log10(step)).rounded(.up))
    let number = MarkupText.number(abs(degrees), digits: digits)
    return number == "0" || number == "180" && positive == "E"
      ? "\(number)°" : "\(number)° \(degrees < 0 ? negative : positive)"
  }
}

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
    let label = MapText.length(length)
    box = MapBox(x: x - 6, y: y - 26, width: max(width, MapText.width(label, size: 13)) + 12, height: 34)
    markup = """
      <path class="bar" d="M\(MarkupText.number(x)) \(MarkupText.number(y - 6))v6h\(MarkupText.number(width))v-6"/>
      <text class="name" x="\(MarkupText.number(x))" y="\(MarkupText.number(y - 11))">\(label)</text>

      """
  }

  static func roundLength(atMost meters: Double) -> Double {
    let power = pow(10, log10(meters).rounded(.down))
    return [5.0, 2, 1].map { $0 * power }.first { $0 <= meters } ?? power
  }
}
