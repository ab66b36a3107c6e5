import HTTP

/// A web page with the common frame, no scripts and no external resources.
struct WebPage {
  var status = 200
  var title: String
  var body: HTML

  var answer: EmulatorResponse {
    let html: HTML = """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="robots" content="noindex"><title>\(title) – IFTTT sandbox</title><style>\(PageStyle.sheet)</style></head>
      <body><header><strong>IFTTT sandbox</strong> <span>An emulator. Nothing here reaches IFTTT.</span></header>
      <main>\(body)</main></body></html>

      """
    var answer = EmulatorResponse(status: status, body: Array(html.text.utf8))
    answer.mediaType = "text/html; charset=utf-8"
    answer.fields = Self.fields
    return answer
  }

  /// There is no `form-action` directive: browsers also apply it to every redirect after a form, and a redirect may
  /// lead anywhere.
  private static let fields: [Response.Field] = [
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
  let words: String

  static func badReturn(_ words: String) -> WebPageError {
    WebPageError(heading: "The redirect URL cannot be used", words: words)
  }

  static let notFound = WebPageError(
    status: 404, heading: "Not found",
    words: "It does not exist, or it is not published and the URL has no valid invite code.")

  static func missing(_ name: String, _ why: String = "") -> WebPageError {
    WebPageError(heading: "\(name) is missing", words: why.isEmpty ? "The URL requires it." : why)
  }

  func page(_ parameters: HTML?) -> WebPage {
    WebPage(
      status: status, title: heading,
      body: "<section class=\"card bad\"><h1>\(heading)</h1><p>\(words)</p></section>\(parameters)")
  }
}
