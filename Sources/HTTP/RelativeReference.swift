extension WebURL {
  /// Resolves the value of a `Location` header against this URL (RFC 3986 §5.2). The fragment is dropped.
  /// - Throws: ``WebURLError`` for a URL that ``init(parsing:)`` rejects.
  package func resolving(_ reference: String) throws(WebURLError) -> WebURL {
    let reference = reference.prefix { $0 != "#" }
    if reference.isEmpty { return self }
    if reference.hasPrefix("//") { return try WebURL(resolved: "\(scheme):\(reference)") }
    if reference.hasPrefix("/") { return try WebURL(resolved: origin + reference) }
    if reference.hasPrefix("?") { return try WebURL(resolved: origin + path + reference) }
    if WebURL.hasScheme(reference) { return try WebURL(resolved: String(reference)) }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
    return try WebURL(resolved: origin + folder + reference)
  }

  /// An absolute URL whose path may still contain `.` and `..` segments.
  private init(resolved text: String) throws(WebURLError) {
    let query = text.firstIndex(of: "?") ?? text.endIndex
    let whole = text[..<query]
    // The path begins at the third slash.
    var slashes = 0
    let start = whole.firstIndex { character in
      if character == "/" { slashes += 1 }
      return slashes == 3
    }
    guard let start else {
      try self.init(parsing: text)
      return
    }
    try self.init(parsing: whole[..<start] + DotSegments.removed(from: whole[start...]) + text[query...])
  }

  private static func hasScheme(_ reference: Substring) -> Bool {
    guard let end = reference.firstIndex(where: { ":/?".contains($0) }), reference[end] == ":" else { return false }
    return true
  }
}

/// The path segments `.` and `..`, including those with percent-encoded dots.
enum DotSegments {
  static func isStep(_ segment: Substring) -> Bool { steps(segment) != nil }

  /// Removes dot segments (RFC 3986 §5.2.4) from a path that begins with `/`.
  static func removed(from path: Substring) -> String {
    var kept: [Substring] = []
    let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    for (place, segment) in segments.enumerated() {
      guard let steps = steps(segment) else {
        kept.append(segment)
        continue
      }
      if steps == 2, !kept.isEmpty { kept.removeLast() }
      if place == segments.count - 1 { kept.append("") }
    }
    return "/" + kept.joined(separator: "/")
  }

  private static func steps(_ segment: Substring) -> Int? {
    switch segment.lowercased() {
    case ".", "%2e": 1
    case "..", ".%2e", "%2e.", "%2e%2e": 2
    default: nil
    }
  }
}
