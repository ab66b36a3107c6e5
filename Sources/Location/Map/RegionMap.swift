import Text

/// A picture of regions, a track, and the places where it entered and exited them. It loads no other resource.
package struct RegionMap {
  package var title: String
  package var regions: [Region]
  package var trail: Trail
  package var crossings: TransitionMarks

  package init(
    _ regions: [Region], trail: Trail = Trail(), crossings: TransitionMarks = TransitionMarks(),
    title: String = "Regions and track"
  ) {
    (self.title, self.regions, self.trail, self.crossings) = (title, regions, trail, crossings)
  }

  /// The map as an SVG 2 document, light or dark as the viewer prefers.
  package func svg() -> [UInt8] {
    let caption = MapCaption(self)
    let view = MapView(self)
    let margin = 24.0
    let frame = MapBox(x: margin, y: 66, width: 960, height: 600)
    let drawing = MapDrawing(self, view, in: frame, id: "frame")
    let notes = [caption.summary] + caption.notes(view, leftOut: drawing.labelsLeftOut)
    var legend = MapLegend(self, view, x: margin, y: frame.y + frame.height + 28, width: frame.width)
    legend.add(notes: notes.dropFirst())
    let (width, height) = (frame.width + 2 * margin, legend.bottom + 12)
    let text = """
      <svg xmlns="http://www.w3.org/2000/svg" class="map" viewBox="0 0 \(MapText.number(width)) \(MapText.number(height))" \
      width="\(MapText.number(width))" height="\(MapText.number(height))" role="img" \
      aria-labelledby="title about">
      <title id="title">\(MarkupText.escaped(caption.title))</title>
      <desc id="about">\(MarkupText.escaped(notes.joined(separator: ". ")))</desc>
      <style>\(MapStyle.colors)\(MapStyle.drawing)</style>
      <rect class="paper" width="100%" height="100%"/>
      <text class="title" x="\(MapText.number(margin))" y="34">\(MarkupText.escaped(caption.title))</text>
      <text class="note" x="\(MapText.number(margin))" y="54">\(MarkupText.escaped(notes[0]))</text>
      \(drawing.markup)
      \(legend.markup)
      </svg>

      """
    return Array(text.utf8)
  }

  /// The map as a web page. Its policy blocks all external resources and all scripts but its own.
  package func html() -> [UInt8] { Array(MapPage(self).text.utf8) }
}
