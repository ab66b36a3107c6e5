import Text

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A picture of regions, a track, and the coordinates where it entered and exited them. It does not load other
/// resources.
package struct RegionMap {
  package var title: String
  package var regions: [Region]
  package var trail: Trail
  package var transitions: TransitionMarks

  package init(
    _ regions: [Region], trail: Trail = Trail(), transitions: TransitionMarks = TransitionMarks(),
    title: String = "Regions and track"
  ) {
    (self.title, self.regions, self.trail, self.transitions) = (title, regions, trail, transitions)
  }

  /// The name of an event's region, or its id if the map does not have the region.
  func regionName(of event: LocationEvent) -> String {
    let region = regions.first { $0.id == event.region }
    return region.map { MapText.label($0, limit: 80) } ?? MapText.shown(event.region, limit: 80)
  }

  /// The map as an SVG 2 document, light or dark as the viewer prefers.
  package func svg() -> [UInt8] {
    let caption = MapCaption(self)
    let view = MapView(self)
    let margin = 24.0
    let frame = MapBox(x: margin, y: 66, width: 960, height: 600)
    let drawing = MapDrawing(self, view, in: frame, id: "frame")
    let notes = [caption.summary] + caption.notes(view, omitted: drawing.omittedLabels)
    var legend = MapLegend(self, view, x: margin, y: frame.y + frame.height + 28, width: frame.width)
    legend.add(notes: notes.dropFirst())
    let (width, height) = (frame.width + 2 * margin, legend.bottom + 12)
    let text = """
      <svg xmlns="http://www.w3.org/2000/svg" class="map" viewBox="0 0 \(MarkupText.number(width)) \(MarkupText.number(height))" \
      width="\(MarkupText.number(width))" height="\(MarkupText.number(height))" role="img" \
      aria-labelledby="title about">
      <title id="title">\(MarkupText.escaped(caption.title))</title>
      <desc id="about">\(MarkupText.escaped(notes.joined(separator: ". ")))</desc>
      <style>\(MapStyle.colors)\(MapStyle.drawing)</style>
      <rect class="paper" width="100%" height="100%"/>
      <text class="title" x="\(MarkupText.number(margin))" y="34">\(MarkupText.escaped(caption.title))</text>
      <text class="note" x="\(MarkupText.number(margin))" y="54">\(MarkupText.escaped(notes[0]))</text>
      \(drawing.markup)
      \(legend.markup)
      </svg>

      """
    return Array(text.utf8)
  }

  /// The map as a web page. Its policy blocks all external resources and all scripts but its own.
  package func html() -> [UInt8] { Array(MapPage(self).text.utf8) }
}

/// The contents that a map shows. With a track, it shows only what is near the track: a region on another continent
/// would shrink a town to a dot. Without a track, it shows the largest group of regions that are not too far apart.
struct MapView {
  var shown: [Region] = []
  /// Regions that are too far away to show.
  var beyond: [Region] = []
  /// The coordinates that the picture must include.
  var vectors: [UnitVector] = []
  /// The middle of ``vectors``.
  var center: Coordinate?

  init(_ map: RegionMap) {
    vectors =
      map.trail.stops.map(\.vector) + map.transitions.drawn.compactMap { $0.position.map { UnitVector($0.coordinate) } }
    let sum = vectors.reduce(UnitVector(x: 0, y: 0, z: 0), +)
    guard !vectors.isEmpty, sum.length > 1e-6 else {
      (shown, beyond) = Self.largestGroup(of: map.regions)
      for region in shown { vectors += Self.circle(region).map(UnitVector.init) }
      center = shown.first?.center
      return
    }
    let middle = sum.coordinate
    center = middle
    let vector = UnitVector(middle)
    // A chord is shorter than the arc, by a third at most.
    let extent = max(
      100, vectors.reduce(0) { max($0, $1.squaredChord(to: vector)) }.squareRoot() * Coordinate.earthRadius)
    for region in map.regions {
      let distance = middle.distance(to: region.center)
      if distance - region.radius > max(4 * extent, 2000) {
        beyond.append(region)
      } else {
        shown.append(region)
        // A region far wider than the track is shown only in part.
        if distance + region.radius <= max(6 * extent, 4000) { vectors += Self.circle(region).map(UnitVector.init) }
      }
    }
  }

  /// The maximum distance of a group's regions from its middle region, in meters. Up to this distance, about a third of
  /// the way to the antipode, the projection distorts little.
  private static let groupRadius = 6_000_000.0
  /// The maximum number of regions to try as the middle of a group.
  private static let middleLimit = 1000

  /// The largest group of regions near one of them, and the other regions. The order is preserved.
  private static func largestGroup(of regions: [Region]) -> (group: [Region], rest: [Region]) {
    let chord = 2 * sin(groupRadius / Coordinate.earthRadius / 2)
    let vectors = regions.map { UnitVector($0.center) }
    var best: (middle: UnitVector, count: Int)?
    for middle in vectors.prefix(middleLimit) where best?.count != regions.count {
      let count = vectors.count { $0.squaredChord(to: middle) <= chord * chord }
      if count > best?.count ?? 0 { best = (middle, count) }
    }
    guard let best else { return ([], []) }
    let isNear = vectors.map { $0.squaredChord(to: best.middle) <= chord * chord }
    return (
      zip(regions, isNear).filter(\.1).map(\.0), zip(regions, isNear).filter { !$0.1 }.map(\.0)
    )
  }

  /// Points on a region's boundary, clockwise from north.
  static func circle(_ region: Region) -> [Coordinate] {
    (0..<72).map { region.center.destination(bearing: Double($0) * 5, distance: min(region.radius, 2e7)) }
  }
}

/// The first transitions of a track, which the map draws, and the counts of all. The limit keeps the map small even if
/// the track often crosses a boundary.
package struct TransitionMarks: Sendable {
  /// The transitions to draw, in order of arrival.
  private(set) var drawn: [LocationEvent] = []
  package private(set) var entries = 0
  package private(set) var exits = 0

  /// The maximum number drawn. More would hide each other and overload the browser; the caption mentions the limit.
  static let drawnLimit = 1000

  package init() {}

  package var count: Int { entries + exits }

  package mutating func add(_ event: LocationEvent) {
    switch event.kind {
    case .entry: entries += 1
    case .exit: exits += 1
    }
    if drawn.count < Self.drawnLimit { drawn.append(event) }
  }
}
