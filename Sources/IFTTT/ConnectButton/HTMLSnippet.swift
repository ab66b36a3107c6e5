import Text

extension ConnectButton {
  /// The button as HTML to embed in a page: a single element with its style inside. It has no script and fetches only
  /// the services' icons, without which it is complete.
  package var html: String { HTMLSnippet(button: self).text }
}

/// Writes a button as a link, a form or a picture, depending on its state.
private struct HTMLSnippet {
  let button: ConnectButton

  var text: String {
    let palette = button.palette
    let fill = button.state.isEmailEntry ? Palette.field : palette.track
    var variables = [
      "track": fill.hex, "text": (button.state.isEmailEntry ? Palette.typed : palette.text).hex,
      "progress": palette.progress.hex, "knob": (button.state.isEmailEntry ? .gray(0x22) : palette.knob).hex,
      "ink": (button.state.isEmailEntry ? .white : palette.onKnob).hex,
      "footer": (button.state.isError ? button.style.errorColor : button.style.footerColor).hex,
      "quiet": button.style.footerColor.hex,
    ].inOrder
    variables.append(("done", "\(Int((button.state.progress ?? 0) * 100))%"))
    variables.append(("size", "\(Int(fitting.size))px"))
    let style = variables.map { "--\($0.0):\($0.1)" }.joined(separator: ";")
    var parts = [
      """
      <div class="ifttt-button" lang="\(button.language.tag)" data-state="\(button.state.rawValue)" style="\(style)">
      """,
      "<style>\(ButtonStyleSheet.text)</style>",
      pill,
    ]
    if button.hasFooter { parts += [footer, about].filter { !$0.isEmpty } }
    return (parts + ["</div>"]).joined(separator: "\n") + "\n"
  }

  private var fitting: Extent.Fitting {
    let width = button.state.knob == nil ? 300.0 : 229.0
    return Extent.fit(
      button.labelName, in: width, sizes: ConnectButton.minimumFontSize...(button.state.isEmailEntry ? 18 : 22)
    ) { button.label($0) }
  }

  private var pill: String {
    if button.state.isEmailEntry { return entry }
    let label =
      button.state == .checkMark ? checkMark : "<span class=\"label\">\(Markup.isolating(fitting.text))</span>"
    var inside = label
    switch button.state.knob {
    case .left: inside = knob + label
    case .right: inside = label + knob
    case nil: break
    }
    guard let page = linkTarget else {
      return "<div class=\"pill\" role=\"img\" aria-label=\"\(MarkupText.escaped(button.spoken))\">\(inside)</div>"
    }
    // Screen readers get the full name that is shortened on screen.
    let isShortened = button.state != .checkMark && fitting.text != button.label
    let name = isShortened ? " aria-label=\"\(MarkupText.escaped(ButtonText(button.label).text))\"" : ""
    return "<a class=\"pill\" href=\"\(MarkupText.escaped(page))\"\(name) rel=\"noopener\">\(inside)</a>"
  }

  private var linkTarget: String? {
    switch button.state {
    case .connect, .connected, .disconnected, .loadingFailed: Markup.secureURL(button.links.page)
    default: nil
    }
  }

  /// The form for the email address. The documented connect URL accepts the address as its parameter `email`.
  private var entry: String {
    let hint = MarkupText.escaped(button.language.text(.emailPlaceholder))
    let value = button.email.map { " value=\"\(MarkupText.escaped($0.text))\"" } ?? ""
    let action = Markup.secureURL(button.links.connect).map { " action=\"\(MarkupText.escaped($0))\"" } ?? ""
    return """
      <form class="pill"\(action) method="get">\
      <input class="label" type="email" name="email" required placeholder="\(hint)" aria-label="\(hint)"\(value)>\
      <button class="knob" aria-label="\(MarkupText.escaped(button.language.text(.connect(service: button.subject.text))))">\
      \(drawing("M4 12h16m-6-6l6 6l-6 6"))</button></form>
      """
  }

  /// The knob with its letter. The letter is below the icon, which covers it once loaded.
  private var knob: String {
    let icon = button.connecting?.knobIcon.map { "<span class=\"icon\">\(image($0))</span>" } ?? ""
    return "<span class=\"knob\" aria-hidden=\"true\">\(MarkupText.escaped(button.subject.initial))\(icon)</span>"
  }

  private var checkMark: String { "<span class=\"label\">\(drawing("M3 13l6 6L21 5"))</span>" }

  private func drawing(_ path: String) -> String {
    """
    <svg viewBox="0 0 24 24" width="30" height="30" fill="none" stroke="currentColor" stroke-width="3" \
    stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="\(path)"/></svg>
    """
  }

  /// An image without a size and alternative text, so that it is invisible if it fails to load.
  private func image(_ url: String) -> String {
    button.hasIcons ? "<img src=\"\(MarkupText.escaped(url))\" alt=\"\" referrerpolicy=\"no-referrer\">" : ""
  }

  private var footer: String {
    let runs = Runs.around("IFTTT", in: button.footer).map { run in
      run.standsOut ? "<b>\(run.text)</b>" : Markup.isolating(run.text)
    }
    var line = runs.joined()
    if button.state == .connected, let page = linkTarget {
      line += " · <a href=\"\(MarkupText.escaped(page))\" rel=\"noopener\">\(escaped(.manage))</a>"
    }
    return "<p class=\"footer\">\(line)</p>"
  }

  /// The purpose of the connection and IFTTT's promises; empty unless the user makes a decision in this state.
  private var about: String {
    guard button.state == .connect || button.state.isEmailEntry else { return "" }
    var title = ""
    if let first = button.primary, let second = button.connecting, first.name != second.name {
      let icons = [first, second].compactMap { service in service.icon.map { image($0) + " " } }.joined()
      let phrase = Phrase.connects(first: first.name.isolated, second: second.name.isolated)
      title = "<p class=\"title\">\(icons)\(escaped(phrase))</p>"
    }
    let promises: [Phrase] = [.promiseOfFeatures, .promiseOfControl, .promiseOfProtection, .promiseOfFreedom]
    let items = promises.map { "<li>\(escaped($0))</li>" }.joined()
    return """
      <details class="footer"><summary>\(escaped(.learnMore))</summary>\(title)<ul>\(items)</ul>\
      <p>\(terms)</p></details>
      """
  }

  private var terms: String {
    let runs = Runs.around(button.language.text(.terms), in: button.language.text(.acceptTerms))
    return runs.map { run in
      guard run.standsOut else { return MarkupText.escaped(run.text) }
      return "<a href=\"https://ifttt.com/terms\" rel=\"noopener\">\(MarkupText.escaped(run.text))</a>"
    }.joined()
  }

  private func escaped(_ phrase: Phrase) -> String { Markup.isolating(button.language.text(phrase)) }
}

/// The rules of a button's HTML. Every selector begins at the button, so that the rules affect nothing else on a
/// page. Values that differ between buttons are variables of its element.
enum ButtonStyleSheet {
  static let text = """
    .ifttt-button{all:initial;display:block;box-sizing:border-box;width:100%;max-width:329px;\
    font-family:"Avenir Next",Avenir,system-ui,sans-serif;font-size:13px;line-height:1.4;color:var(--footer)}
    .ifttt-button *{box-sizing:border-box;margin:0;padding:0;font:inherit;color:inherit}
    .ifttt-button style{display:none}
    .ifttt-button .pill{display:flex;align-items:center;gap:10px;height:70px;padding:4px;border-radius:35px;\
    background:linear-gradient(to right,var(--progress) var(--done),transparent 0) var(--track);color:var(--text);\
    text-decoration:none;overflow:hidden}
    .ifttt-button .label{flex:1;min-width:0;padding:0 10px;text-align:center;font-size:var(--size);font-weight:700;\
    white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
    .ifttt-button input.label{border:0;outline:0;background:none;height:62px;padding-left:20px;text-align:start;\
    font-weight:600;font-size:18px;color:#000}
    .ifttt-button input.label::placeholder{color:#414141;opacity:1;font-size:var(--size)}
    .ifttt-button .knob{position:relative;flex:none;display:flex;align-items:center;justify-content:center;width:62px;height:62px;\
    border:0;border-radius:50%;background:var(--knob);color:var(--ink);font-size:26px;font-weight:700;\
    box-shadow:0 0 0 3px var(--track)}
    .ifttt-button img{width:auto;height:auto;max-width:32px;max-height:32px;vertical-align:middle}
    .ifttt-button .icon{position:absolute;inset:15px;display:block;line-height:0;text-align:center}
    .ifttt-button .icon img{background:var(--knob)}
    .ifttt-button .footer{margin-top:8px;text-align:center;overflow-wrap:anywhere}
    .ifttt-button details{color:var(--quiet)}
    .ifttt-button b{font-weight:800}
    .ifttt-button summary{cursor:pointer;text-decoration:underline}
    .ifttt-button details[open]{text-align:start}
    .ifttt-button details[open] summary{text-align:center}
    .ifttt-button .title{margin-top:8px;font-weight:700}
    .ifttt-button ul{margin:8px 0;padding-inline-start:20px}
    .ifttt-button a:focus-visible,.ifttt-button summary:focus-visible,.ifttt-button form:focus-within\
    {outline:3px solid #0099ff;outline-offset:2px}
    """
}
