/// Strict encoding and decoding of queries and forms. Lenient decoding repairs malformed text, but a malformed
/// sign-in response must be rejected (RFC 3986 §2.1).
package enum PercentText {
  /// Encodes the items as `name=value&…`.
  package static func encode(_ items: [(name: String, value: String)]) -> String {
    items.map { "\(Percent.encode($0.name))=\(Percent.encode($0.value))" }.joined(separator: "&")
  }

  /// Decodes the text once, with `+` as a space. Returns nil for an invalid escape or invalid UTF-8.
  package static func decode(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard rest.count >= 2, let high = digit(rest.removeFirst()), let low = digit(rest.removeFirst()) else {
          return nil
        }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Returns the decoded items of a query; nil if one of them is invalid.
  package static func items(of query: some StringProtocol) -> [(name: String, value: String)]? {
    var items: [(name: String, value: String)] = []
    for piece in query.split(separator: "&") {
      let halves = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decode(halves[0]), let value = halves.count == 2 ? decode(halves[1]) : "" else { return nil }
      items.append((name, value))
    }
    return items
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
