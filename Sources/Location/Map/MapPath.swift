/// The `d` attribute of an SVG path, made of lines whose points are at least half a unit apart.
struct MapPath {
  private(set) var text = ""
  private var last: MapPoint?
  private var pending: MapPoint?

  /// Move to a point without drawing a line.
  mutating func begin(at point: MapPoint) {
    finish()
    text += "M" + Self.words(point)
    last = point
  }

  mutating func line(to point: MapPoint) {
    guard let last else { return begin(at: point) }
    guard last.distance(to: point) >= 0.5 else {
      pending = point
      return
    }
    text += "L" + Self.words(point)
    (self.last, pending) = (point, nil)
  }

  /// Finish the current line. Its last point is always included; a line of one point becomes a dot.
  mutating func finish() {
    if let pending {
      text += "L" + Self.words(pending)
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
  private static func words(_ point: MapPoint) -> String {
    "\(MapText.number(min(1e5, max(-1e5, point.x)))) \(MapText.number(min(1e5, max(-1e5, point.y))))"
  }
}
