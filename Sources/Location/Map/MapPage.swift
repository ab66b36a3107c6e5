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
    let notes = caption.notes(view, omitted: wide.omitted).map { "<p class=\"note\">\(MarkupText.escaped($0)).</p>\n" }
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
      \(notes.joined())\(transitions)\(regions)</main>
      <script>\(MapScript.text)</script>
      </body>
      </html>

      """
  }

  private func picture(_ name: String, _ width: Double, _ height: Double) -> (markup: String, omitted: Int) {
    let box = MapBox(x: 0.5, y: 0.5, width: width - 1, height: height - 1)
    let drawing = MapDrawing(map, view, in: box, id: "frame-\(name)")
    let markup = """
      <svg class="map \(name)" viewBox="0 0 \(MarkupText.number(width)) \(MarkupText.number(height))" role="img" \
      aria-label="Map: \(MarkupText.escaped(caption.summary))">
      \(drawing.markup)
      </svg>
      """
    return (markup, drawing.omittedLabels)
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
      \(MarkupText.escaped(entry.meaning))</li>
      """
    }
    return "<figcaption><ul class=\"legend\">\n\(items.joined(separator: "\n"))\n</ul></figcaption>\n"
  }

  private var transitions: String {
    guard map.transitions.count > 0 else { return "" }
    let rows = map.transitions.drawn.enumerated().map { index, event in
      """
      <tr><td class="figure">\(index + 1)</td><td class="event"><svg class="map" viewBox="-11 -11 22 22" width="18" \
      height="18" aria-hidden="true">\(MapSymbols.transition(event.kind, at: MapPoint(0, 0)))</svg>\
      \(event.kind == .entry ? "entered" : "left")</td><td>\(name(map.regionName(of: event)))</td>\
      <td>\(event.occurredAt.map(MapText.time) ?? "–")</td>\
      <td>\(event.position.map { MapText.formatted($0.coordinate) } ?? "–")</td></tr>
      """
    }
    return table("Entries and exits", ["#", "Event", "Region", "Time", "Position"], rows)
  }

  private var regions: String {
    guard !map.regions.isEmpty else { return "" }
    let rows = map.regions.map { region in
      """
      <tr><td>\(name(MapText.label(region, limit: 80)))</td><td>\(MapText.name(of: region.direction))</td>\
      <td class="figure">\(MapText.length(region.radius))</td><td>\(MapText.formatted(region.center))</td>\
      <td>\(MarkupText.escaped(MapText.shown(region.connection)))</td>\
      <td>\(MarkupText.escaped(MapText.shown(region.id)))</td></tr>
      """
    }
    return table("Regions", ["Name", "Reports", "Radius", "Center", "Connection", "Trigger"], rows)
  }

  private func name(_ region: String) -> String { "<bdi>\(MarkupText.escaped(region))</bdi>" }

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

/// The page's style sheet, identical on every page so that the policy can contain its hash.
enum MapPageStyle {
  static let text = MapStyle.colors + MapStyle.drawing + page

  private static let page = """
    *{box-sizing:border-box}
    html{color-scheme:light dark}
    .page{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,"Segoe UI",Roboto,"Helvetica Neue",\
    Arial,sans-serif}
    main{max-width:1008px;margin:0 auto;padding:28px 24px 48px}
    h1{margin:0;font-size:26px;line-height:1.25;overflow-wrap:anywhere}
    h2{margin:36px 0 10px;font-size:18px}
    p{margin:6px 0 0}
    .note{color:var(--muted);font-size:15px;overflow-wrap:anywhere}
    figure{margin:18px 0 0}
    figure>.map{display:block;width:100%;height:auto}
    .narrow,figure>.narrow{display:none}
    .walk{display:grid;grid-template-columns:auto 1fr;gap:2px 16px;align-items:center;margin-top:14px}
    .walk[hidden]{display:none}
    .walk input{width:100%;min-width:0;height:28px;margin:0;accent-color:var(--entry)}
    .walk output{grid-column:1/-1;min-height:24px;color:var(--muted);font-size:15px;font-variant-numeric:tabular-nums}
    .legend{display:flex;flex-wrap:wrap;gap:4px 18px;margin:12px 0 0;padding:0;list-style:none;font-size:15px}
    .legend li{display:flex;align-items:center;gap:8px}
    .room{overflow-x:auto;border:1px solid var(--grid);border-radius:8px}
    .room:focus-visible,input:focus-visible{outline:3px solid var(--entry);outline-offset:2px}
    table{width:100%;border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums}
    th,td{padding:7px 11px;text-align:start;white-space:nowrap}
    td bdi{display:block;width:max-content;max-width:30ch;white-space:normal;overflow-wrap:anywhere}
    th{color:var(--muted);font-weight:600}
    tbody tr{border-top:1px solid var(--grid)}
    .figure{text-align:end}
    .event svg{margin-inline-end:8px;vertical-align:-3px}
    @media(max-width:640px){main{padding:20px 14px 36px}h1{font-size:22px}figure>.wide{display:none}\
    figure>.narrow{display:block}th,td{padding:7px 10px}.walk{grid-template-columns:1fr}}
    @media print{main{max-width:none;padding:0}figure>.wide{display:block}figure>.narrow,.walk{display:none}\
    .room{overflow:visible;border:0}th,td{padding:4px 8px 4px 0;white-space:normal}tr,figure{break-inside:avoid}\
    table{font-size:12px}}

    """

  /// The hash of ``text``, as a source expression of a Content-Security-Policy (CSP Level 3, section 2.3.1).
  static let hash = "sha256-9etRQzaNBr8joE3u8Bk94V98Wo0nFsPAO+UvA5LJw2Q="
}

/// The style sheets of a map, identical in every map, so that a page's policy can contain their hash.
///
/// The colors of regions and marks are from the color-blind safe palette of Okabe and Ito (2008); one of them is
/// darkened on light backgrounds. Each color also comes with its own shape or pattern.
enum MapStyle {
  static let colors = """
    .map,.page{--paper:#ffffff;--pane:#f4f6f8;--ink:#1b1f24;--muted:#57606a;--grid:#d6dce2;--track:#3d444d;\
    --entry:#0072b2;--exit:#d55e00;--both:#9c4f7e}
    @media screen and (prefers-color-scheme:dark){.map,.page{--paper:#0f1419;--pane:#171d24;--ink:#e8edf2;\
    --muted:#a3adb8;--grid:#2c353f;--track:#c3ccd5;--entry:#56b4e9;--exit:#e69f00;--both:#cc79a7}}

    """

  static let drawing = """
    .map{font-family:system-ui,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;print-color-adjust:exact;\
    -webkit-print-color-adjust:exact}
    .map text{fill:var(--ink);font-size:13px}
    .map .title{font-size:21px;font-weight:650}
    .map .note,.map .small,.map .degrees{fill:var(--muted)}
    .map .small{font-size:11.5px}
    .map .degrees{font-size:10.5px}
    .map .name{font-weight:600}
    .map .name,.map .small,.map .degrees,.map .number{paint-order:stroke;stroke:var(--pane);stroke-width:4px;\
    stroke-linejoin:round}
    .map .number{font-size:11px;font-weight:700}
    .map .middle{text-anchor:middle}
    .map .paper{fill:var(--paper)}
    .map .pane{fill:var(--pane)}
    .map .rim{fill:none;stroke:var(--grid)}
    .map .grid{fill:none;stroke:var(--grid);stroke-width:1}
    .map .region{stroke-width:2;fill-opacity:.12}
    .map .entry{stroke:var(--entry);fill:var(--entry)}
    .map .exit{stroke:var(--exit);fill:var(--exit)}
    .map .both{stroke:var(--both);fill:var(--both)}
    .map .region.exit{stroke-dasharray:8 5}
    .map .region.both{stroke-dasharray:12 4 2 4}
    .map .torn{fill:none}
    .map .arrow,.map .mark{stroke:var(--pane);stroke-width:1.5;paint-order:stroke;stroke-linejoin:round}
    .map .halo,.map .line{fill:none;stroke-linejoin:round;stroke-linecap:round}
    .map .halo{stroke:var(--pane);stroke-width:5}
    .map .line{stroke:var(--track);stroke-width:2}
    .map .dots{stroke:var(--track);stroke-width:6;stroke-linecap:round}
    .map .way{fill:none;stroke:var(--track);stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
    .map .end{fill:var(--pane);stroke:var(--track);stroke-width:2.5}
    .map .full{fill:var(--track);stroke:var(--pane);stroke-width:1.5}
    .map .stop{fill:var(--track);fill-opacity:0;stroke:none}
    .map .stop:hover{fill-opacity:1}
    .map .here{fill:none;stroke:var(--ink);stroke-width:2.5}
    .map .bar{fill:none;stroke:var(--ink);stroke-width:2}
    .map .needle{fill:var(--ink)}

    """
}

/// The page's script, which moves a ring along the track. It is identical on every page so that the policy can
/// contain its hash.
enum MapScript {
  static let text = """
    (() => {
      const slider = document.getElementById("place"), moment = document.getElementById("moment");
      if (!slider) return;
      const pictures = [...document.querySelectorAll("figure > .map")].map(map => ({
        stops: [...map.querySelectorAll(".stop")], here: map.querySelector(".here")
      }));
      const show = () => {
        for (const { stops, here } of pictures) {
          const stop = stops[slider.value];
          here.setAttribute("cx", stop.getAttribute("cx"));
          here.setAttribute("cy", stop.getAttribute("cy"));
          here.removeAttribute("visibility");
          moment.value = stop.querySelector("title").textContent;
        }
        slider.setAttribute("aria-valuetext", moment.value);
      };
      slider.addEventListener("input", show);
      for (const { stops } of pictures) stops.forEach((stop, place) => stop.addEventListener("click", () => {
        slider.value = place;
        show();
      }));
      document.getElementById("walk").hidden = false;
      show();
    })();

    """

  /// The hash of ``text``, as a source expression of a Content-Security-Policy (CSP Level 3, section 2.3.1).
  static let hash = "sha256-sk129+Pv2PI94X+OpO6FCztFGvv37DT5L9ZZfUyvpao="
}
