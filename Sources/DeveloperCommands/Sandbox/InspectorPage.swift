import HTTP
import Text

/// The inspector: a page of the server that shows what the control endpoint reports. Its files hold no data, so they
/// need no key.
enum InspectorPage {
  private static let folder = "\(SandboxControl.path)/inspector"

  /// - Returns: nil if the request is for something else.
  static func reply(to request: ReceivedRequest) -> Reply? {
    let file: (type: String, contents: [UInt8])? =
      switch request.target {
      case "/": ("text/html", PackageResources.page_html)
      case "\(folder)/page.css": ("text/css", PackageResources.page_css)
      case "\(folder)/page.js": ("text/javascript", PackageResources.page_js)
      case "\(folder)/icon.svg": ("image/svg+xml", PackageResources.icon_svg)
      default: nil
      }
    guard let file else { return nil }
    guard ["GET", "HEAD"].contains(request.method) else {
      var reply = Reply.text(405, "Only GET and HEAD are supported here")
      reply.fields.append(HeaderField("Allow", "GET, HEAD"))
      return reply
    }
    return Reply(
      status: 200, fields: [HeaderField("Content-Type", "\(file.type); charset=utf-8")] + fields, body: file.contents)
  }

  /// The page runs only its own script, and connects only to its own server.
  private static let fields: [HeaderField] = [
    HeaderField(
      "Content-Security-Policy",
      """
      default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; \
      form-action 'none'; frame-ancestors 'none'
      """),
    HeaderField("Cache-Control", "no-store"), HeaderField("Referrer-Policy", "no-referrer"),
    HeaderField("X-Content-Type-Options", "nosniff"),
  ]
}
