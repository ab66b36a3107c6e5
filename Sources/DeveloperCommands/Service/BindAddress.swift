import CommandLine
import HTTP

/// The IP address to listen on.
struct BindAddress: Sendable, Equatable, CustomStringConvertible {
  let description: String
  private let isIPv6: Bool

  static let loopback = BindAddress(unchecked: "127.0.0.1", isIPv6: false)

  private init(unchecked text: String, isIPv6: Bool) { (description, self.isIPv6) = (text, isIPv6) }

  /// - Parameter text: Four decimal numbers, or an IPv6 address without brackets.
  init?(parsing text: String) {
    let isIPv6 = text.utf8.contains(UInt8(ascii: ":"))
    guard let url = try? WebURL(parsing: "https://\(isIPv6 ? "[\(text)]" : text)/"), url.port == nil, url.path == "/",
      isIPv6 || url.host.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    else { return nil }
    self.init(unchecked: text, isIPv6: isIPv6)
  }

  var isLoopback: Bool { isIPv6 ? description == "::1" : description.hasPrefix("127.") }

  func url(port: Int) -> String { "http://\(isIPv6 ? "[\(description)]" : description):\(port)" }
}

extension ValueKind<BindAddress> {
  static var bindAddress: ValueKind {
    .parsed("ADDRESS", expected: "an IP address such as 0.0.0.0 or ::1") { BindAddress(parsing: $0) }
  }
}
