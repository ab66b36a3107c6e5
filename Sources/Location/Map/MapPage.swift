import Text

/// The map as a web page: a wide and a narrow picture, a slider that moves along the track, and tables with the same
/// contents as text.
struct MapPage {
  private let map: RegionMap
  private let view: MapView
  private let caption: MapCaption

  init(_ map: RegionMap) { (self.map, view, caption) = (map, MapView(map), MapCaption(map)) }

  /// The Content-Security-Policy, which allows the page only its own style and its own script.
  static let policy = """
    default-src 'none'; style-src '\(MapPageStyle.hash)'; script-src '\(MapScript.hash)'; img-src data:; \
    base-uri 'none'; form-action 'none'
    """

  var text: String {
    let (wide, narrow) = (picture("wide", 960, 600), picture("narrow", 400, 460))
    let notes = caption.notes(view, leftOut: wide.leftOut).map { "<p class=\"note\">\(MarkupText.escaped($0)).</p>\n" }
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="referrer" content="no-referrer">
      <link rel="icon" href="data:,">
      <title>\(MarkupText.escaped(caption.title))</title>
      <style>\(MapPageStyle.text)</style>
      </head>
      <body class="page">
      <main>
      <h1 dir="auto">\(MarkupText.escaped(caption.title))</h1>
      <p class="note">\(MarkupText.escaped(caption.summary))</p>
      <figure>
      \(wide.markup)
      \(narrow.markup)
      \(slider)\(legend)</figure>
      \(notes.joined())\(crossings)\(regions)</main>
      <script>\(MapScript.text)</script>
      </body>
      </html>

      """
  }

  private func picture(_ name: String, _ width: Double, _ height: Double) -> (markup: String, leftOut: Int) {
    let box = MapBox(x: 0.5, y: 0.5, width: width - 1, height: height - 1)
    let drawing = MapDrawing(map, view, in: box, id: "frame-\(name)")
    let markup = """
      <svg class="map \(name)" viewBox="0 0 \(MapText.number(width)) \(MapText.number(height))" role="img" \
      aria-label="Map: \(MarkupText.escaped(caption.summary))">
      \(drawing.markup)
      </svg>
      """
    return (markup, drawing.labelsLeftOut)
  }

  /// The slider. It is hidden until the script shows it, because it needs the script.
  private var slider: String {
    let count = TrackLine.chosen(of: map.trail.stops.count).count
    guard count > 1 else { return "" }
    return """
      <div class="walk" id="walk" hidden>
      <label for="place">Step through the track</label>
      <input type="range" id="place" min="0" max="\(count - 1)" value="0" step="1">
      <output id="moment" for="place"></output>
      </div>

      """
  }

  private var legend: String {
    let entries = MapLegend.entries(map, view)
    guard !entries.isEmpty else { return "" }
    let items = entries.map { entry in
      """
      <li><svg class="map sign" viewBox="-17 -17 34 34" width="34" height="34" aria-hidden="true">\(entry.sign)</svg>\
      \(MarkupText.escaped(entry.words))</li>
      """
    }
    return "<figcaption><ul class=\"legend\">\n\(items.joined(separator: "\n"))\n</ul></figcaption>\n"
  }

  private var crossings: String {
    guard map.crossings.count > 0 else { return "" }
    let rows = map.crossings.drawn.enumerated().map { place, crossing in
      """
      <tr><td class="figure">\(place + 1)</td><td class="event"><svg class="map" viewBox="-11 -11 22 22" width="18" \
      height="18" aria-hidden="true">\(MapSymbols.crossing(crossing.kind, at: MapPoint(0, 0)))</svg>\
      \(crossing.kind == .entry ? "entered" : "left")</td><td>\(name(crossing.region))</td>\
      <td>\(crossing.time.map(MapText.time) ?? "–")</td><td>\(MapText.place(crossing.place))</td></tr>
      """
    }
    return table("Entries and exits", ["#", "Event", "Region", "Time", "Position"], rows)
  }

  private var regions: String {
    guard !map.regions.isEmpty else { return "" }
    let rows = map.regions.map { region in
      """
      <tr><td>\(name(region))</td><td>\(MapText.words(region.direction))</td>\
      <td class="figure">\(MapText.length(region.radius))</td><td>\(MapText.place(region.center))</td>\
      <td>\(MarkupText.escaped(MapText.shown(region.connection)))</td>\
      <td>\(MarkupText.escaped(MapText.shown(region.id)))</td></tr>
      """
    }
    return table("Regions", ["Name", "Reports", "Radius", "Center", "Connection", "Trigger"], rows)
  }

  private func name(_ region: Region) -> String { "<bdi>\(MarkupText.escaped(MapText.label(region, limit: 80)))</bdi>" }

  /// A table that scrolls within its own area if it is too wide for the window, including by keyboard.
  private func table(_ heading: String, _ columns: [String], _ rows: [String]) -> String {
    """
    <section>
    <h2>\(heading)</h2>
    <div class="room" role="region" aria-label="\(heading)" tabindex="0"><table>
    <thead><tr>\(columns.map { "<th scope=\"col\">\($0)</th>" }.joined())</tr></thead>
    <tbody>
    \(rows.joined(separator: "\n"))
    </tbody>
    </table></div>
    </section>

    """
  }
}
