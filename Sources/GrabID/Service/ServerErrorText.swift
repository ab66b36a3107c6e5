import HTTP
import JSON

/// The text of a server's error response: OAuth's fields, Grab's own list, or the beginning of any other body (GU7).
struct ServerErrorText {
  /// OAuth's `error`, as received.
  let error: String?
  /// The text in printable form.
  let text: String?

  init(_ response: Response) {
    guard let answer = try? JSONValue(parsing: response.body), answer.object != nil else {
      error = nil
      text = response.body.isEmpty ? nil : DisplayText.shown(response.body)
      return
    }
    error = answer["error"]?.string
    let own = [error, answer["error_description"]?.string, answer["error_uri"]?.string].compactMap { $0 }
    let grabs = (answer["errors"]?.array ?? []).prefix(3).compactMap { entry -> String? in
      let code = entry["code"]?.number?.text ?? entry["code"]?.string
      let words = [code, entry["message"]?.string].compactMap { $0 }
      return words.isEmpty ? nil : words.joined(separator: ": ")
    }
    let words = (own + grabs).map { DisplayText.shown($0) }
    text = words.isEmpty ? nil : words.joined(separator: ": ")
  }
}
