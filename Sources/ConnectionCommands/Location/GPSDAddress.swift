import CommandLine

/// The address of a gpsd server.
struct GPSDAddress: Sendable, Equatable {
  var host: String
  var port = standardPort

  /// The port registered for gpsd.
  static let standardPort: UInt16 = 2947
  /// The maximum length of a domain name as text (RFC 1035, section 2.3.4).
  private static let longestName = 253

  /// Parses `HOST`, `HOST:PORT`, `[ADDRESS]` or `[ADDRESS]:PORT`. Returns nil for anything else. An IPv6 address
  /// without brackets is rejected because its last part might be a port.
  init?(parsing text: String) {
    var (name, rest) = (text[...], text[text.endIndex...])
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      (name, rest) = (text[..<end].dropFirst(), text[end...].dropFirst())
    } else if let colon = text.firstIndex(of: ":") {
      (name, rest) = (text[..<colon], text[colon...])
    }
    guard !name.isEmpty, name.utf8.count <= Self.longestName else { return nil }
    guard !name.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7f }) else { return nil }
    host = String(name)
    guard !rest.isEmpty else { return }
    let digits = rest.dropFirst()
    guard rest.first == ":", digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let number = UInt16(digits), number > 0
    else { return nil }
    port = number
  }
}

extension ValueKind where Value == GPSDAddress {
  static var gpsd: ValueKind {
    .parsed("HOST:PORT", expected: "a host and a port, such as localhost:2947 or [::1]:2947") {
      GPSDAddress(parsing: $0)
    }
  }
}
