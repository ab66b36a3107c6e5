import Text

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
    var words: String
  }

  init(_ map: RegionMap, _ view: MapView, x: Double, y: Double, width: Double) {
    (left, right, bottom) = (x, x + width, y)
    var at = x
    for entry in Self.entries(map, view) {
      let needed = 36 + MapText.width(entry.words, size: 13) + 22
      if at > left, at + needed > right { (at, bottom) = (left, bottom + 26) }
      markup += """
        <g transform="translate(\(MapText.number(at + 15)) \(MapText.number(bottom)))">\(entry.sign)\
        <text x="21" y="4.5">\(MarkupText.escaped(entry.words))</text></g>

        """
      at += needed
    }
  }

  mutating func add(notes: ArraySlice<String>) {
    for note in notes {
      bottom += 22
      markup += """
        <text class="note" x="\(MapText.number(left))" y="\(MapText.number(bottom + 4))">\(MarkupText.escaped(note))</text>

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
      entries.append(Entry(sign: sign, words: "reports \(words(direction))"))
    }
    if !map.trail.stops.isEmpty {
      if map.trail.stops.count > 1 {
        let line = "<path class=\"line\" d=\"M-15 0H15\"/>" + MapSymbols.chevron(at: MapPoint(1, 0), angle: 0)
        entries.append(Entry(sign: line, words: "track"))
      }
      entries.append(Entry(sign: MapSymbols.start(at: MapPoint(0, 0)), words: "start"))
      if map.trail.stops.count > 1 {
        entries.append(Entry(sign: MapSymbols.end(at: MapPoint(0, 0)), words: "end"))
      }
    }
    let kinds: [(kind: Transition.Kind, words: String, count: Int)] = [
      (.entry, "entered", map.crossings.entries), (.exit, "left", map.crossings.exits),
    ]
    for (kind, words, count) in kinds where count > 0 {
      entries.append(Entry(sign: MapSymbols.crossing(kind, at: MapPoint(0, 0)), words: words))
    }
    return entries
  }

  private static func words(_ direction: Region.Direction) -> String {
    switch direction {
    case .entry: "entries"
    case .exit: "exits"
    case .both: "both"
    }
  }
}
