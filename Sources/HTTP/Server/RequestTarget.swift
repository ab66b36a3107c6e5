/// Parses the target of a request line (RFC 9112, section 3.2).
package enum RequestTarget {
  /// The path and query, and the authority if the target is an absolute URL; nil for the forms used by proxies.
  package static func read(_ text: String) -> (target: String, authority: String?)? {
    if text.utf8.first == UInt8(ascii: "/") { return (text, nil) }
    let scheme = "http://"
    guard text.utf8.count > scheme.utf8.count, text.prefix(scheme.utf8.count).lowercased() == scheme else { return nil }
    let rest = text.dropFirst(scheme.utf8.count)
    // Compare bytes: for Swift, a slash and a combining character after it are one other character.
    let end = rest.utf8.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
    let (authority, path) = (rest[..<end], rest[end...])
    return (path.utf8.first == UInt8(ascii: "/") ? String(path) : "/" + path, String(authority))
  }
}
