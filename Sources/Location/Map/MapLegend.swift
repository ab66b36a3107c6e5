import Text
import World

/// The symbols of a map with their meanings, followed by notes, in lines below a drawing.
struct MapLegend {
  private(set) var markup = ""
  /// The position of the lowest line.
  private(set) var bottom: Double
  private let left: Double
  private let right: Double

  /// A symbol centered at (0, 0), at most 30 units wide, and its meaning.
  struct Entry {
    var sign: String
    var meaning: String
  }

  init(_ map: RegionMap, _ view: MapView, x: Double, y: Double, width: Double) {
    (left, right, bottom) = (x, x + width, y)
    var entryX = x
    for entry in Self.entries(map, view) {
      let entryWidth = 36 + MapText.width(entry.meaning, size: 13) + 22
      if entryX > left, entryX + entryWidth > right { (entryX, bottom) = (left, bottom + 26) }
      markup += """
        <g transform="translate(\(MarkupText.number(entryX + 15)) \(MarkupText.number(bottom)))">\(entry.sign)\
        <text x="21" y="4.5">\(MarkupText.escaped(entry.meaning))</text></g>

        """
      entryX += entryWidth
    }
  }

  mutating func add(notes: ArraySlice<String>) {
    for note in notes {
      bottom += 22
      markup += """
        <text class="note" x="\(MarkupText.number(left))" y="\(MarkupText.number(bottom + 4))">\(MarkupText.escaped(note))</text>

        """
    }
    bottom += 4
  }

  /// The entries for the symbols that the map contains.
  static func entries(_ map: RegionMap, _ view: MapView) -> [Entry] {
    var entries: [Entry] = []
    for direction in Region.Direction.allCases where view.shown.contains(where: { $0.direction == direction }) {
      let sign =
        "<path class=\"region \(direction.rawValue)\" d=\"M-15 8A 15 15 0 0 1 15 8\"/>"
        + MapSymbols.arrow(direction, at: MapPoint(0, -7), outward: 0)
      entries.append(Entry(sign: sign, meaning: "reports \(meaning(of: direction))"))
    }
    if !map.trail.stops.isEmpty {
      if map.trail.stops.count > 1 {
        let line = "<path class=\"line\" d=\"M-15 0H15\"/>" + MapSymbols.chevron(at: MapPoint(1, 0), angle: 0)
        entries.append(Entry(sign: line, meaning: "track"))
      }
      entries.append(Entry(sign: MapSymbols.start(at: MapPoint(0, 0)), meaning: "start"))
      if map.trail.stops.count > 1 {
        entries.append(Entry(sign: MapSymbols.end(at: MapPoint(0, 0)), meaning: "end"))
      }
    }
    let kinds: [(kind: LocationEvent.Kind, meaning: String, count: Int)] = [
      (.entry, "entered", map.transitions.entries), (.exit, "left", map.transitions.exits),
    ]
    for (kind, meaning, count) in kinds where count > 0 {
      entries.append(Entry(sign: MapSymbols.transition(kind, at: MapPoint(0, 0)), meaning: meaning))
    }
    return entries
  }

  private static func meaning(of direction: Region.Direction) -> String {
    switch direction {
    case .entry: "entries"
    case .exit: "exits"
    case .both: "both"
    }
  }
}

/// The text that describes a map.
struct MapCaption {
  let title: String
  /// The contents of the map and their time span.
  let summary: String
  private let map: RegionMap

  init(_ map: RegionMap) {
    self.map = map
    let shown = MapText.shown(map.title, limit: 80)
    title = shown.isEmpty ? "Regions and track" : shown
    var parts = [map.regions.isEmpty ? "No regions" : MapText.count(map.regions.count, "region", "regions")]
    let trail = map.trail
    if trail.positions == 0 {
      parts.append("no track")
    } else {
      let positions = MapText.count(trail.positions, "position", "positions")
      parts.append(trail.segments > 1 ? "\(positions) in \(MapText.grouped(trail.segments)) segments" : positions)
      parts.append(
        MapText.count(map.transitions.entries, "entry", "entries") + " and "
          + MapText.count(map.transitions.exits, "exit", "exits"))
      if let first = trail.firstTime, let last = trail.lastTime { parts.append(Self.span(first, last)) }
    }
    summary = parts.joined(separator: " · ")
  }

  /// The time span. The second date is omitted if both are on the same day.
  private static func span(_ first: Timestamp, _ last: Timestamp) -> String {
    let (from, to) = (MapText.time(first), MapText.time(last))
    guard from != to else { return from }
    let isSameDay = from.prefix(while: { $0 != " " }) == to.prefix(while: { $0 != " " })
    return "\(from.dropLast(4)) to \(isSameDay ? to.drop { $0 != " " }.dropFirst() : to[...])"
  }

  /// Notes on what the picture omits or simplifies.
  func notes(_ view: MapView, omitted: Int) -> [String] {
    var notes: [String] = []
    for region in view.beyond.prefix(3) {
      guard let center = view.center else { continue }
      let distance = MapText.length(center.distance(to: region.center))
      let direction = MapText.compassDirection(center.bearing(to: region.center))
      notes.append(
        // The name is last, so that a right-to-left name does not change the order of the rest.
        "Outside the picture, \(distance) \(direction): \(MapText.label(region, limit: 40))"
      )
    }
    if view.beyond.count > 3 {
      notes.append("and \(MapText.count(view.beyond.count - 3, "more region", "more regions"))")
    }
    if map.trail.tolerance > 0 {
      notes.append(
        "The line is drawn through \(MapText.grouped(map.trail.stops.count)) of the positions, at most "
          + "\(MapText.length(map.trail.tolerance)) from the others")
    }
    if map.transitions.count > TransitionMarks.drawnLimit {
      notes.append("The first \(MapText.grouped(TransitionMarks.drawnLimit)) entries and exits are drawn")
    }
    if omitted > 0 { notes.append("\(MapText.count(omitted, "label", "labels")) omitted for lack of space") }
    return notes
  }
}

extension MapText {
  /// The name of a region: its label, or its id if it has none.
  static func label(_ region: Region, limit: Int) -> String {
    let label = shown(region.label ?? "", limit: limit)
    return label.isEmpty ? shown(region.id, limit: limit) : label
  }

  /// The region's direction and radius, such as `entry · 220 m`.
  static func facts(_ region: Region) -> String { "\(name(of: region.direction)) · \(length(region.radius))" }

  static func name(of direction: Region.Direction) -> String {
    switch direction {
    case .entry: "entry"
    case .exit: "exit"
    case .both: "entry and exit"
    }
  }
}
