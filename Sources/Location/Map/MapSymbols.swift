import Text

/// The symbols of a map. They differ in shape as well as in color.
enum MapSymbols {
  /// A triangle that points up.
  static let entry = "M0-9L8.5 6h-17z"
  /// A triangle that points down.
  static let exit = "M0 9L8.5-6h-17z"

  static func crossing(_ kind: Transition.Kind, at point: MapPoint, title: String = "") -> String {
    let shape = kind == .entry ? entry : exit
    return #"<path class="mark \#(kind.rawValue)" d="\#(shape)" transform="\#(moved(point))">\#(titled(title))</path>"#
  }

  /// The start of a track: an open circle.
  static func start(at point: MapPoint) -> String {
    #"<circle class="end" r="5.5" transform="\#(moved(point))"><title>Start</title></circle>"#
  }

  /// The end of a track: a square.
  static func end(at point: MapPoint) -> String {
    #"<path class="end full" d="M-5-5h10v10h-10z" transform="\#(moved(point))"><title>End</title></path>"#
  }

  /// The arrow on a region's border that shows which transitions trigger an event; a double arrow for both.
  /// - Parameter outward: The direction away from the region's center, in degrees clockwise from up.
  static func arrow(_ direction: Region.Direction, at point: MapPoint, outward: Double) -> String {
    let shape =
      switch direction {
      case .entry: "M0 6L5.5-4h-11z"
      case .exit: "M0-6L5.5 4h-11z"
      case .both: "M0-9.5L5-1.5h-10zM0 9.5L5 1.5h-10z"
      }
    let transform = "\(moved(point)) rotate(\(MapText.number(outward)))"
    return #"<path class="arrow \#(direction.rawValue)" d="\#(shape)" transform="\#(transform)"/>"#
  }

  /// The direction of a track, in degrees clockwise from right.
  static func chevron(at point: MapPoint, angle: Double) -> String {
    #"<path class="way" d="M-3.5-4.5L2.5 0L-3.5 4.5" transform="\#(moved(point)) rotate(\#(MapText.number(angle)))"/>"#
  }

  static func moved(_ point: MapPoint) -> String { "translate(\(MapText.number(point.x)) \(MapText.number(point.y)))" }

  static func titled(_ title: String) -> String { title.isEmpty ? "" : "<title>\(MarkupText.escaped(title))</title>" }
}
