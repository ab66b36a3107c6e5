import HTTP
import Text

/// A web page with the common frame, no scripts and no external resources.
struct WebPage {
  var status = 200
  var title: String
  var body: HTML

  var response: EmulatorResponse {
    let html: HTML = """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="robots" content="noindex"><title>\(title) – IFTTT sandbox</title><style>\(PageStyle.sheet)</style></head>
      <body><header><strong>IFTTT sandbox</strong> <span>An emulator. Nothing here reaches IFTTT.</span></header>
      <main>\(body)</main></body></html>

      """
    var response = EmulatorResponse(status: status, body: Array(html.text.utf8))
    response.mediaType = "text/html; charset=utf-8"
    response.fields = Self.fields
    return response
  }

  /// There is no `form-action` directive: browsers also apply it to every redirect after a form, and a redirect may
  /// lead anywhere.
  private static let fields: [HeaderField] = [
    .init(
      "Content-Security-Policy",
      "default-src 'none'; style-src '\(PageStyle.source)'; base-uri 'none'; frame-ancestors 'none'"),
    .init("Cache-Control", "no-store"), .init("Referrer-Policy", "no-referrer"),
    .init("X-Content-Type-Options", "nosniff"),
  ]
}

/// The reason a page cannot be shown.
struct WebPageError: Error {
  var status = 400
  let heading: String
  let text: String

  static func unusableRedirectURI(_ text: String) -> WebPageError {
    WebPageError(heading: "The redirect URL cannot be used", text: text)
  }

  static let notFound = WebPageError(
    status: 404, heading: "Not found",
    text: "It does not exist, or it is not published and the URL has no valid invite code.")

  static func missing(_ name: String, _ why: String = "") -> WebPageError {
    WebPageError(heading: "\(name) is missing", text: why.isEmpty ? "The URL requires it." : why)
  }

  func page(_ parameters: HTML?) -> WebPage {
    WebPage(
      status: status, title: heading,
      body: "<section class=\"card bad\"><h1>\(heading)</h1><p>\(text)</p></section>\(parameters)")
  }
}

/// HTML markup in which all interpolated text is escaped.
struct HTML: ExpressibleByStringInterpolation {
  private(set) var text: String

  init(stringLiteral value: String) { text = value }
  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  struct StringInterpolation: StringInterpolationProtocol {
    var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity * 2) }

    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ value: String) { text += HTML.escaped(value) }
    mutating func appendInterpolation(_ value: Int) { text += String(value) }
    mutating func appendInterpolation(_ part: HTML) { text += part.text }
    /// Append the part, or nothing if it is nil.
    mutating func appendInterpolation(_ part: HTML?) { text += part?.text ?? "" }
    mutating func appendInterpolation(_ parts: [HTML]) { for part in parts { text += part.text } }
  }

  /// The text escaped for element content and for attributes in quotes.
  private static func escaped(_ text: String) -> String { MarkupText.escaped(visible(text)) }

  /// The text with visible symbols in place of control characters, as pages show it.
  static func visible(_ text: String) -> String {
    var visible = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n", "\t": visible.unicodeScalars.append(scalar)
      case "\u{0}"..."\u{1f}": visible.unicodeScalars.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{fffd}")
      case "\u{7f}": visible += "\u{2421}"
      case "\u{80}"..."\u{9f}": visible += "\u{fffd}"
      default: visible.unicodeScalars.append(scalar)
      }
    }
    return visible
  }
}

extension HTML {
  /// A name from the fixtures, isolated so that its text direction does not affect the rest.
  static func name(_ text: String) -> HTML { "<bdi>\(text)</bdi>" }

  /// A dot in a color of six hexadecimal digits; nil for anything else.
  static func dot(_ color: String) -> HTML? {
    guard color.utf8.count == 7, color.utf8.first == UInt8(ascii: "#"),
      color.utf8.dropFirst().allSatisfy({
        $0.hexadecimal != nil
      })
    else { return nil }
    return """
      <svg class="dot" viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="7" fill="\(color)"/></svg>
      """
  }

  /// A hidden input, for values that the next request must include.
  static func hidden(_ name: String, _ value: String) -> HTML {
    "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
  }
}

/// The style sheet embedded in every page, and the source expression that permits it in the Content-Security-Policy.
enum PageStyle {
  /// `sha256-` and the hash in Base64 (CSP Level 3, section 2.3.1).
  static let source = "sha256-" + Base64.standard.encode(SHA256.hash(Array(sheet.text.utf8)))

  static let sheet: HTML = """
    :root{color-scheme:light dark;--back:#f3f2ee;--card:#fff;--ink:#1b1b1a;--soft:#5d5c58;--line:#dcdad3;--accent:#1f5fbf;\
    --on:#fff;--warn:#8a4b00;--bad:#a3231f;--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}\
    @media(prefers-color-scheme:dark){:root{--back:#151515;--card:#212120;--ink:#f0efea;--soft:#a9a79f;--line:#3a3936;\
    --accent:#8db8ff;--on:#10203a;--warn:#f0b35e;--bad:#ff9a93}}\
    *{box-sizing:border-box}\
    body{margin:0;background:var(--back);color:var(--ink);font:16px/1.5 system-ui,"Noto Sans",sans-serif}\
    header{padding:12px 20px;border-bottom:1px solid var(--line);color:var(--soft);font-size:14px}\
    header strong{color:var(--ink);margin-inline-end:8px}\
    main{max-width:720px;margin:0 auto;padding:24px 16px 64px}\
    .card{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:24px;margin-bottom:16px}\
    .bad{border-color:var(--bad)}\
    .card>:first-child{margin-top:0}.card>:last-child{margin-bottom:0}a{color:var(--accent)}\
    h1{font-size:24px;line-height:1.25;margin:0 0 8px;overflow-wrap:anywhere}\
    h2{font-size:18px;margin:24px 0 8px;overflow-wrap:anywhere}\
    p{margin:8px 0;overflow-wrap:anywhere}\
    .soft,small{color:var(--soft)}small{display:block;font-size:14px}\
    .services{display:flex;flex-wrap:wrap;gap:4px 16px;padding:0;margin:8px 0;list-style:none}\
    .services li{display:flex;align-items:center;gap:6px}\
    .dot{width:14px;height:14px;flex:none;stroke:var(--line)}\
    .steps{display:flex;flex-wrap:wrap;gap:8px;list-style:none;padding:0;margin:0 0 20px;font-size:14px}\
    .steps li{border:1px solid var(--line);border-radius:99px;padding:2px 12px;color:var(--soft)}\
    .steps .now{background:var(--ink);border-color:var(--ink);color:var(--card);font-weight:600}\
    .steps .out{text-decoration:line-through;opacity:.75}\
    label,legend{display:block;font-weight:600;margin-top:16px;overflow-wrap:anywhere}\
    legend{width:100%;margin:0;padding:16px 0 0;border-top:1px solid var(--line);font-size:18px}\
    .check{display:flex;gap:8px;font-weight:400;margin-top:8px;align-items:baseline}\
    fieldset{border:0;margin:24px 0 0;padding:0;min-width:0}\
    fieldset fieldset{margin-top:16px}fieldset fieldset legend{padding:0;border:0;font-size:16px}\
    input:not([type=checkbox]),select,textarea{width:100%;margin-top:4px;padding:10px 12px;font:inherit;color:inherit;\
    background:var(--back);border:1px solid var(--soft);border-radius:8px}\
    .places{display:grid;grid-template-columns:repeat(auto-fit,minmax(130px,1fr));gap:0 12px}\
    .places label{font-weight:400;font-size:14px;margin-top:8px}\
    .go{display:flex;flex-wrap:wrap;gap:12px;margin-top:24px}\
    button{font:inherit;padding:10px 20px;border-radius:99px;border:1px solid var(--soft);background:none;color:inherit;\
    cursor:pointer}\
    .go button:first-child{background:var(--accent);border-color:var(--accent);color:var(--on);font-weight:600}\
    :focus-visible{outline:3px solid var(--accent);outline-offset:2px}\
    .error{color:var(--bad);font-weight:600}.warn{color:var(--warn);font-weight:600}\
    details{margin-bottom:16px}summary{cursor:pointer;padding:4px 0;color:var(--soft)}\
    .outcomes{display:grid;grid-template-columns:repeat(auto-fill,minmax(260px,1fr));gap:8px;padding-top:8px}\
    .outcomes button{border-radius:10px;text-align:start;padding:8px 14px}.outcomes small{font-size:13px}\
    dl{display:grid;grid-template-columns:minmax(100px,max-content) 1fr;gap:4px 16px;margin:8px 0 0;font-size:14px}\
    dt{color:var(--soft);overflow-wrap:anywhere}dd{margin:0;overflow-wrap:anywhere}.mono{font-family:var(--mono)}\
    @media(max-width:520px){dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:8px}.card{padding:18px}}
    """
}
