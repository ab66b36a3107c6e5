/// A path pattern in which `*` matches any sequence of bytes, including slashes and the empty sequence.
package struct PathPattern: Sendable {
  private let text: String

  package init(_ text: String) { self.text = text }

  /// Whether a path matches. The time is proportional to the product of both lengths.
  package func matches(_ path: some StringProtocol) -> Bool {
    var (pattern, text) = (text.utf8[...], Substring(path).utf8)
    var star: (pattern: Substring.UTF8View, text: Substring.UTF8View)?
    while let byte = text.first {
      if pattern.first == UInt8(ascii: "*") {
        pattern = pattern.dropFirst()
        star = (pattern, text)
      } else if pattern.first == byte {
        pattern = pattern.dropFirst()
        text = text.dropFirst()
      } else if let last = star {
        // Extend the match of the last star by one byte.
        star = (last.pattern, last.text.dropFirst())
        (pattern, text) = (last.pattern, last.text.dropFirst())
      } else {
        return false
      }
    }
    return pattern.allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
