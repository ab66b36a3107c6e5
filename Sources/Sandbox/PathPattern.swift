/// A path in which `*` stands for any bytes, none and slashes too.
package struct PathPattern: Sendable {
  private let text: String

  package init(_ text: String) { self.text = text }

  /// In time proportional to the product of both lengths.
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
        // The last star takes in one byte more.
        star = (last.pattern, last.text.dropFirst())
        (pattern, text) = (last.pattern, last.text.dropFirst())
      } else {
        return false
      }
    }
    return pattern.allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
