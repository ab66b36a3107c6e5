import Text
import World

/// Text and numbers as formatted in a map.
enum MapText {
  /// External text on a single line.
  /// - Parameter limit: The maximum number of characters; longer text ends with an ellipsis.
  static func shown(_ raw: String, limit: Int = 200) -> String {
    let text = MarkupText.oneLine(raw)
    return text.count > limit ? text.prefix(limit - 1) + "…" : text
  }

  static func length(_ meters: Double) -> String {
    if meters >= 100_000 { return "\(grouped(Int(min(1e9, meters / 1000)))) km" }
    if meters >= 1000 { return "\(MarkupText.number(meters / 1000, digits: meters < 10_000 ? 2 : 1)) km" }
    return "\(MarkupText.number(meters, digits: meters < 10 ? 2 : 1)) m"
  }

  static func formatted(_ coordinate: Coordinate) -> String {
    [coordinate.latitude, coordinate.longitude].map { MarkupText.number($0, digits: 5, keepsZeros: true) }.joined(
      separator: ", ")
  }

  /// The time in a form such as `2026-03-04 17:42:09 UTC`.
  static func time(_ time: Timestamp) -> String {
    let parts = time.rfc3339.split(separator: "T")
    return "\(parts.first ?? "") \(parts.last?.dropLast() ?? "") UTC"
  }

  /// The count with its noun, such as `1 entry` or `2,000 entries`.
  static func count(_ count: Int, _ singular: String, _ plural: String) -> String {
    "\(grouped(count)) \(count == 1 ? singular : plural)"
  }

  static func grouped(_ number: Int) -> String {
    var digits = Array(String(number))
    var index = digits.count - 3
    while index > 0 {
      digits.insert(",", at: index)
      index -= 3
    }
    return String(digits)
  }

  /// The nearest of the eight compass directions to a bearing.
  static func compassDirection(_ bearing: Double) -> String {
    let directions = ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"]
    return directions[Int((bearing / 45).rounded()) % 8]
  }

  /// The estimated maximum width of a text in common fonts; the actual font is unknown here.
  static func width(_ text: String, size: Double, isBold: Bool = false) -> Double {
    text.unicodeScalars.reduce(0) { $0 + width($1) } * size * (isBold ? 1.08 : 1)
  }

  private static func width(_ scalar: Unicode.Scalar) -> Double {
    switch scalar {
    case "i", "j", "l", "t", "f", "r", "I", ".", ",", ":", ";", "'", "|", "!", "(", ")", " ", "·", "-", "/": 0.42
    case "m", "w", "M", "W", "@", "%", "…": 1
    case "A"..."Z": 0.74
    default:
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format: 0
      default: scalar.value < 0x1100 ? 0.65 : 1.1
      }
    }
  }
}

/// The `d` attribute of an SVG path, made of lines whose points are at least half a unit apart.
struct MapPath {
  private(set) var text = ""
  private var last: MapPoint?
  private var pending: MapPoint?

  /// Move to a point without drawing a line.
  mutating func begin(at point: MapPoint) {
    finish()
    text += "M" + Self.coordinates(point)
    last = point
  }

  mutating func line(to point: MapPoint) {
    guard let last else { return begin(at: point) }
    guard last.distance(to: point) >= 0.5 else {
      pending = point
      return
    }
    text += "L" + Self.coordinates(point)
    (self.last, pending) = (point, nil)
  }

  /// Finish the current line. Its last point is always included; a line of one point becomes a dot.
  mutating func finish() {
    if let pending {
      text += "L" + Self.coordinates(pending)
    } else if text.last != nil, last != nil, !endsWithLine {
      text += "h0"
    }
    (last, pending) = (nil, nil)
  }

  private var endsWithLine: Bool {
    for byte in text.utf8.reversed() {
      if byte == UInt8(ascii: "L") { return true }
      if byte == UInt8(ascii: "M") { return false }
    }
    return true
  }

  mutating func close() {
    finish()
    text += "z"
  }

  /// The coordinates as text. They are clamped, because numbers far outside the picture would only be long.
  private static func coordinates(_ point: MapPoint) -> String {
    "\(MarkupText.number(min(1e5, max(-1e5, point.x)))) \(MarkupText.number(min(1e5, max(-1e5, point.y))))"
  }
}
