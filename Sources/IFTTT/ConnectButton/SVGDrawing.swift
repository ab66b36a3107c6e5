import Text

extension ConnectButton {
  /// The button as a standalone SVG document. It has no script and no font, and fetches only the service's icon.
  /// Without the icon it shows the first letter of the name.
  package var svg: String { SVGDrawing(button: self).document }
}

/// Draws a button in points, with the pill at the top and the footer below it.
private struct SVGDrawing {
  static let border = 4.0
  static let footerHeight = 30.0
  /// The space between text and the pill's ends, or the knob.
  static let margin = 22.0
  static let gap = 10.0

  let button: ConnectButton
  let palette: Palette

  init(button: ConnectButton) { (self.button, palette) = (button, button.palette) }

  private var height: Double { ConnectButton.height }
  private var width: Double { ConnectButton.maximumWidth }
  private var diameter: Double { height - 2 * Self.border }

  var document: String {
    let whole = number(button.hasFooter ? height + Self.footerHeight : height)
    var parts = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(number(width))" height="\(whole)" \
      viewBox="0 0 \(number(width)) \(whole)" role="img" xml:lang="\(button.language.tag)" \
      font-family="Avenir Next, Avenir, system-ui, sans-serif">
      """,
      "<title>\(MarkupText.escaped(button.spoken))</title>",
      "<g class=\"button\">", pill,
    ]
    if let done = button.state.progress { parts.append(progress(done)) }
    parts.append(button.state == .checkMark ? checkMark : label)
    if let side = button.state.knob { parts.append(knob(at: side)) }
    parts.append("</g>")
    if button.hasFooter { parts.append(footer) }
    return (parts + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  private var pill: String {
    let fill = button.state.isEmailEntry ? Palette.field : palette.track
    let size = "width=\"\(number(width))\" height=\"\(number(height))\" rx=\"\(number(height / 2))\""
    return "<rect class=\"pill\" \(size) fill=\"\(fill.hex)\"/>"
  }

  /// The filled part, with the pill's round left end and a straight right edge.
  private func progress(_ part: Double) -> String {
    let (radius, end) = (number(height / 2), number(width * part))
    let path = "M\(radius) 0H\(end)V\(number(height))H\(radius)A\(radius) \(radius) 0 0 1 \(radius) 0Z"
    return "<path class=\"progress\" d=\"\(path)\" fill=\"\(palette.progress.hex)\"/>"
  }

  private var label: String {
    var (start, end) = (Self.margin, width - Self.margin)
    switch button.state.knob {
    case .left: start = Self.border + diameter + Self.gap
    case .right: end = width - Self.border - diameter - Self.gap
    case nil: break
    }
    let fitting = Extent.fit(
      button.labelName, in: end - start, sizes: ConnectButton.minimumFontSize...(button.state.isEmailEntry ? 18 : 22)
    ) {
      button.label($0)
    }
    return text(
      fitting, x: button.state.isEmailEntry ? start : (start + end) / 2, y: height / 2,
      weight: button.state.isEmailEntry ? 600 : 700,
      fill: labelColor, anchor: button.state.isEmailEntry ? "start" : "middle", name: "label")
  }

  private var labelColor: RGB {
    guard button.state.isEmailEntry else { return palette.text }
    return button.email == nil ? Palette.placeholder : Palette.typed
  }

  private func text(
    _ fitting: Extent.Fitting, x: Double, y: Double, weight: Int, fill: RGB, anchor: String, name: String
  ) -> String {
    """
    <text class="\(name)" x="\(number(x))" y="\(number(y))" dy="0.35em" font-size="\(number(fitting.size))" \
    font-weight="\(weight)" text-anchor="\(anchor)" fill="\(fill.hex)">\(MarkupText.escaped(fitting.text))</text>
    """
  }

  private func knob(at side: ButtonState.Side) -> String {
    let radius = diameter / 2
    let x = side == .left ? Self.border + radius : width - Self.border - radius
    let circle = "<circle class=\"knob\" cx=\"\(number(x))\" cy=\"\(number(height / 2))\" r=\"\(number(radius))\""
    // A ring in the button's color separates the knob from progress of the same color.
    let ring = " stroke=\"\(palette.track.hex)\" stroke-width=\"3\"/>\n"
    if button.state.isEmailEntry {
      let arrow = "M\(number(x - 10)) 35h20m-8-8l8 8l-8 8"
      return circle + " fill=\"#222222\"/>\n" + stroke(arrow, .white)
    }
    let fill = circle + " fill=\"\(palette.knob.hex)\"" + ring
    guard button.hasIcons, let icon = button.connecting?.knobIcon else {
      let initial = Extent.Fitting(text: button.subject.initial, size: 26)
      return fill
        + text(initial, x: x, y: height / 2, weight: 700, fill: palette.onKnob, anchor: "middle", name: "initial")
    }
    return fill + """
      <image href="\(MarkupText.escaped(icon))" x="\(number(x - radius / 2))" y="\(number(height / 2 - radius / 2))" \
      width="\(number(radius))" height="\(number(radius))"/>
      """
  }

  private var checkMark: String { stroke("M\(number(width / 2 - 14)) 36l10 10l18-20", palette.text) }

  private func stroke(_ path: String, _ color: RGB) -> String {
    """
    <path d="\(path)" fill="none" stroke="\(color.hex)" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/>
    """
  }

  private var footer: String {
    let color = button.state.isError ? button.style.errorColor : button.style.footerColor
    let fitting = Extent.fit(button.email ?? ButtonText(""), in: width, sizes: 9...13) {
      button.footer($0.isEmpty ? nil : $0)
    }
    let runs = Runs.around("IFTTT", in: fitting.text).map { run in
      run.standsOut ? "<tspan font-weight=\"800\">\(run.text)</tspan>" : MarkupText.escaped(run.text)
    }
    return """
      <text class="footer" x="\(number(width / 2))" y="\(number(height + 18))" dy="0.35em" \
      font-size="\(number(fitting.size))" font-weight="500" text-anchor="middle" fill="\(color.hex)" \
      xml:space="preserve">\(runs.joined())</text>
      """
  }

  private func number(_ value: Double) -> String { MarkupText.number(value) }
}
