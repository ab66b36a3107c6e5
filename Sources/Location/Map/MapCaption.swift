import World

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
        MapText.count(map.crossings.entries, "entry", "entries") + " and "
          + MapText.count(map.crossings.exits, "exit", "exits"))
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
  func notes(_ view: MapView, leftOut: Int) -> [String] {
    var notes: [String] = []
    for region in view.beyond.prefix(3) {
      guard let center = view.center else { continue }
      let way = MapText.length(center.distance(to: region.center))
      let wind = MapText.wind(center.bearing(to: region.center))
      notes.append(
        // The name is last, so that a right-to-left one does not change the order of the rest.
        "Outside the picture, \(way) \(wind): \(MapText.label(region, limit: 40))"
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
    if map.crossings.count > TransitionMarks.most {
      notes.append("The first \(MapText.grouped(TransitionMarks.most)) entries and exits are drawn")
    }
    if leftOut > 0 { notes.append("\(MapText.count(leftOut, "label", "labels")) omitted for lack of space") }
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
  static func facts(_ region: Region) -> String { "\(words(region.direction)) · \(length(region.radius))" }

  static func words(_ direction: Region.Direction) -> String {
    switch direction {
    case .entry: "entry"
    case .exit: "exit"
    case .both: "entry and exit"
    }
  }
}
