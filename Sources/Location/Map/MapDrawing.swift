import Text

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The picture itself, in a frame: everything in a map except the surrounding text.
struct MapDrawing {
  private(set) var markup = ""
  private(set) var omittedLabels = 0
  private let map: RegionMap
  private let view: MapView
  private let frame: MapFrame

  /// - Parameter id: An id that is unique among the pictures of the same page.
  init(_ map: RegionMap, _ view: MapView, in box: MapBox, id: String) {
    (self.map, self.view) = (map, view)
    frame = MapFrame(box, showing: view.vectors, margin: 44)
    let rectangle = Self.rectangle(box, "pane")
    markup = """
      <clipPath id="\(id)">\(rectangle)</clipPath>
      \(rectangle)
      <g clip-path="url(#\(id))">

      """
    if view.vectors.isEmpty {
      let middle = MapPoint(box.x + box.width / 2, box.y + box.height / 2)
      text("Nothing to show", at: middle, "note middle")
    } else {
      drawContents()
    }
    markup += "</g>\n" + Self.rectangle(box, "rim")
  }

  private static func rectangle(_ box: MapBox, _ style: String) -> String {
    """
    <rect class="\(style)" x="\(MarkupText.number(box.x))" y="\(MarkupText.number(box.y))" \
    width="\(MarkupText.number(box.width))" height="\(MarkupText.number(box.height))" rx="8"/>
    """
  }

  private mutating func drawContents() {
    var taken: [MapBox] = []
    let ruler = ScaleBar(frame)
    taken.append(ruler.box)
    let needle = MapBox(x: frame.box.x + frame.box.width - 44, y: frame.box.y + 8, width: 36, height: 52)
    // If a pole is visible, north is toward it and not up, so no arrow is drawn.
    let poles = [90.0, -90].map { Coordinate(nearestTo: $0, 0) }.filter { frame.box.contains(frame.point($0)) }
    let hasNorth = poles.isEmpty
    if hasNorth { taken.append(needle) }
    drawGraticule(&taken)
    for pole in poles { draw(pole: pole, &taken) }
    let circles = view.shown.map { RegionCircle($0, in: frame) }
    for circle in circles { markup += circle.markup }
    let track = TrackLine(map.trail, in: frame)
    markup += track.markup
    let marks = map.transitions.drawn.compactMap { event in
      event.position.map { (event, frame.point($0.coordinate)) }
    }
    for (event, point) in marks {
      taken.append(MapBox(x: point.x - 9, y: point.y - 9, width: 18, height: 18))
      markup += MapSymbols.transition(event.kind, at: point, title: Self.title(event, in: map)) + "\n"
    }
    taken += track.ends.map { MapBox(x: $0.x - 7, y: $0.y - 7, width: 14, height: 14) }
    let obstacles = circles.lazy.flatMap { [frame] in $0.labelObstacles(in: frame) }.prefix(Self.obstacleLimit)
    var labels = LabelPlacement(in: frame.box.inset(by: 4), taken: taken, avoiding: track.points + obstacles)
    for circle in circles { addLabel(of: circle, &labels) }
    omittedLabels = labels.omitted
    if marks.count <= 40 {
      for (index, mark) in marks.enumerated() { number(index + 1, at: mark.1, &labels) }
    }
    markup += track.stops
    markup += ruler.markup
    if hasNorth { drawNorth(needle) }
  }

  /// The maximum number of boundary points that labels avoid. With more points there is no room for labels anyway.
  private static let obstacleLimit = 5000

  static func title(_ event: LocationEvent, in map: RegionMap) -> String {
    let time = event.occurredAt.map { MapText.time($0) + " · " } ?? ""
    let verb = event.kind == .entry ? "entered" : "left"
    let position = event.position.map { " · " + MapText.formatted($0.coordinate) } ?? ""
    return time + verb + " " + map.regionName(of: event) + position
  }

  private mutating func drawGraticule(_ taken: inout [MapBox]) {
    let box = frame.box
    for line in Graticule(frame, spacing: 110).lines {
      var path = MapPath()
      var label: MapPoint?
      for (index, point) in line.points.enumerated() {
        guard let point else { continue }
        let before = index > 0 ? line.points[index - 1] : nil
        // Draw no line where the projection tears.
        if let before, before.distance(to: point) < box.width {
          path.line(to: point)
          label = label ?? Self.intersection(before, point, line.isMeridian ? (nil, box.y + 14) : (box.x + 6, nil))
        } else {
          path.begin(at: point)
        }
      }
      path.finish()
      guard !path.text.isEmpty else { continue }
      markup += "<path class=\"grid\" d=\"\(path.text)\"/>\n"
      guard let label else { continue }
      let width = MapText.width(line.label, size: 10.5)
      let labelBox = MapBox(
        x: label.x + (line.isMeridian ? 3 : 0), y: label.y - (line.isMeridian ? 10 : 13), width: width, height: 12)
      guard box.inset(by: 2).contains(labelBox), !taken.contains(where: labelBox.overlaps) else { continue }
      taken.append(labelBox)
      text(line.label, at: MapPoint(labelBox.x, labelBox.y + 9.5), "degrees")
    }
  }

  /// The point where a line crosses a vertical or a horizontal line.
  private static func intersection(_ a: MapPoint, _ b: MapPoint, _ at: (x: Double?, y: Double?)) -> MapPoint? {
    if let x = at.x, (a.x - x) * (b.x - x) <= 0, a.x != b.x {
      return MapPoint(x, a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x))
    }
    if let y = at.y, (a.y - y) * (b.y - y) <= 0, a.y != b.y {
      return MapPoint(a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y), y)
    }
    return nil
  }

  private mutating func draw(pole: Coordinate, _ taken: inout [MapBox]) {
    let point = frame.point(pole)
    markup += "<path class=\"bar\" d=\"M-6 0H6M0-6V6\" transform=\"\(MapSymbols.moved(point))\"/>\n"
    text(pole.latitude > 0 ? "North Pole" : "South Pole", at: MapPoint(point.x + 9, point.y - 6), "degrees")
    taken.append(MapBox(x: point.x - 8, y: point.y - 18, width: 78, height: 26))
  }

  private mutating func addLabel(of circle: RegionCircle, _ labels: inout LabelPlacement) {
    let name = MapText.label(circle.region, limit: frame.box.width < 600 ? 22 : 32)
    let facts = MapText.facts(circle.region)
    let width = max(MapText.width(name, size: 13, isBold: true), MapText.width(facts, size: 11.5))
    let candidates = LabelPlacement.candidates(
      width: width, height: 31, around: circle.center, radius: circle.radius, boundary: circle.visiblePoints(in: frame))
    guard let box = labels.place(candidates) else { return }
    let middle = box.x + box.width / 2
    text(name, at: MapPoint(middle, box.y + 12.5), "name middle")
    text(facts, at: MapPoint(middle, box.y + 27), "small middle")
  }

  private mutating func number(_ number: Int, at point: MapPoint, _ labels: inout LabelPlacement) {
    let text = String(number)
    let width = MapText.width(text, size: 11)
    let boxes = [(10.0, -6.0), (-10 - width, -6), (-width / 2, -23), (-width / 2, 11)].map { x, y in
      MapBox(x: point.x + x, y: point.y + y, width: width, height: 12)
    }
    guard let box = labels.place(boxes) else { return }
    self.text(text, at: MapPoint(box.x, box.y + 10), "number")
  }

  private mutating func drawNorth(_ box: MapBox) {
    let top = MapPoint(box.x + box.width / 2, box.y + 6)
    markup += "<path class=\"needle\" d=\"M0 0L7 20L0 15.5L-7 20z\" transform=\"\(MapSymbols.moved(top))\"/>\n"
    text("N", at: MapPoint(top.x, top.y + 36), "name middle")
  }

  private mutating func text(_ content: String, at point: MapPoint, _ style: String) {
    markup += """
      <text class="\(style)" x="\(MarkupText.number(point.x))" y="\(MarkupText.number(point.y))">\
      \(MarkupText.escaped(content))</text>

      """
  }
}

/// The symbols of a map. They differ in shape as well as in color.
enum MapSymbols {
  /// A triangle that points up.
  static let entry = "M0-9L8.5 6h-17z"
  /// A triangle that points down.
  static let exit = "M0 9L8.5-6h-17z"

  static func transition(_ kind: LocationEvent.Kind, at point: MapPoint, title: String = "") -> String {
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

  /// The arrow on a region's boundary that shows which transitions trigger an event; a double arrow for both.
  /// - Parameter outward: The direction away from the region's center, in degrees clockwise from up.
  static func arrow(_ direction: Region.Direction, at point: MapPoint, outward: Double) -> String {
    let shape =
      switch direction {
      case .entry: "M0 6L5.5-4h-11z"
      case .exit: "M0-6L5.5 4h-11z"
      case .both: "M0-9.5L5-1.5h-10zM0 9.5L5 1.5h-10z"
      }
    let transform = "\(moved(point)) rotate(\(MarkupText.number(outward)))"
    return #"<path class="arrow \#(direction.rawValue)" d="\#(shape)" transform="\#(transform)"/>"#
  }

  /// The mark that shows the direction of a track.
  /// - Parameter angle: The direction, in degrees clockwise from right.
  static func chevron(at point: MapPoint, angle: Double) -> String {
    #"<path class="way" d="M-3.5-4.5L2.5 0L-3.5 4.5" transform="\#(moved(point)) rotate(\#(MarkupText.number(angle)))"/>"#
  }

  static func moved(_ point: MapPoint) -> String {
    "translate(\(MarkupText.number(point.x)) \(MarkupText.number(point.y)))"
  }

  static func titled(_ title: String) -> String { title.isEmpty ? "" : "<title>\(MarkupText.escaped(title))</title>" }
}
