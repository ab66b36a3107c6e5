package import HTTP
import Text

extension Request {
  /// Create a request from what a server received: the target's path unchanged, its query decoded, and all values as
  /// plain text.
  ///
  /// Nil for a method that is not used in requests to IFTTT.
  package init?(receivedMethod method: String, target: String, headers: [Header], body: [UInt8]) {
    guard let method = Method(rawValue: method) else { return nil }
    let bytes = target.utf8
    let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
    let query = end == bytes.endIndex ? [] : queryItems(bytes[bytes.index(after: end)...])
    // Treat HEAD as GET and have the server omit the body, because only then is its length known.
    self.init(
      method == .head ? .get : method,
      WebURL(scheme: "http", host: "127.0.0.1", port: nil, path: String(target[..<end]), query: query),
      headers: headers, body: body.isEmpty ? nil : body)
  }
}

/// The items of a submitted form (URL Standard, section 5.1).
func formItems(_ body: [UInt8]) -> [QueryItem] { queryItems(Substring(String(decoding: body, as: UTF8.self)).utf8) }

/// The items of a query, parsed like a form: separated by `&`, with `+` for a space. An invalid escape is left
/// unchanged.
private func queryItems(_ text: Substring.UTF8View) -> [QueryItem] {
  text.split(separator: UInt8(ascii: "&")).map { item in
    let halves = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    let texts = halves.map { Percent.decodeQuery(Substring($0)) }
    return QueryItem(texts[0], texts.count == 2 ? texts[1] : "")
  }
}
