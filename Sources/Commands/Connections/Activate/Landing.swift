import Connect
import Listener

/// The page that the browser ends on: what happened, for the person who looks at it.
///
/// - Parameters:
///   - what: nil where the page was not expected.
///   - isPending: whether something is left to configure once it is complete.
///   - service: what is connected, as IFTTT names it.
func landing(_ what: ActivationReturn?, isPending: Bool, service: String?) -> Reply {
  let (title, text) = landingWords(what, isPending: isPending, service: service)
  let style =
    "body{font:18px/1.5 system-ui,sans-serif;max-width:32em;margin:15vh auto;padding:0 1em;color-scheme:light dark}"
  let html = """
    <!doctype html>
    <html lang="en" dir="ltr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">\
    <title>\(escaped(title))</title><style>\(style)</style></head>
    <body><h1 dir="auto">\(escaped(title))</h1><p>\(escaped(text))</p>\
    <p>You can close this window and go back to the terminal.</p></body></html>

    """
  return Reply(
    status: 200,
    fields: [
      Field("Content-Type", "text/html; charset=utf-8"), Field("Cache-Control", "no-store"),
      Field("Referrer-Policy", "no-referrer"), Field("X-Content-Type-Options", "nosniff"),
      Field(
        "Content-Security-Policy",
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
    ], body: Array(html.utf8))
}

private func landingWords(
  _ what: ActivationReturn?, isPending: Bool, service: String?
) -> (title: String, text: String) {
  switch what {
  case .complete where isPending: ("Almost done", "The connection is made, and still has to be configured.")
  case .complete: (service.map { "\($0) is connected" } ?? "Connected", "IFTTT said that everything went well.")
  case .back: ("You are back", "The terminal finds out what came of it.")
  case .cancelled: ("Cancelled", "Nothing was changed.")
  case .accountCreationFailed: ("Not connected", "IFTTT could not create an account for this e-mail.")
  case .authorizationFailed(.partnerSignIn): ("Not connected", "Signing in to the service failed.")
  case .authorizationFailed(.identityNotVerified): ("Not connected", "IFTTT could not verify who you are.")
  case .authorizationFailed(.appCouldNotFinish): ("Not connected", "The IFTTT app could not finish it.")
  case .authorizationFailed(.other(let word)): ("Not connected", "IFTTT gave this reason: \(word)")
  case .authorizationFailed(.unexplained): ("Not connected", "IFTTT gave no reason.")
  case .unknown: ("Could not be confirmed", "IFTTT answered with something that is not known.")
  case nil: ("Not expected", "Nobody waits for this page, or it was opened already.")
  }
}

/// Text as it stands in HTML.
private func escaped(_ text: String) -> String {
  var escaped = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": escaped += "&amp;"
    case "<": escaped += "&lt;"
    case ">": escaped += "&gt;"
    case "\"": escaped += "&quot;"
    case "'": escaped += "&#39;"
    default: escaped.unicodeScalars.append(scalar)
    }
  }
  return escaped
}
