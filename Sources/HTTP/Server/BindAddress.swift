import Text

/// The IP address that a server listens on: this machine's loopback address, another address of the machine, or all.
package struct BindAddress: Sendable, Equatable, CustomStringConvertible {
  package static let loopback = BindAddress(HostName(of: LoopbackAddress.Host.v4.rawValue))

  /// The address as the host of a URL, with brackets for IPv6.
  package let host: HostName

  private init(_ host: HostName) { self.host = host }

  /// - Parameter text: Four decimal numbers, or an IPv6 address without brackets.
  package init?(parsing text: String) {
    let isIPv6 = text.utf8.contains(UInt8(ascii: ":"))
    guard isIPv6 || text.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || $0.isDigit }),
      let host = try? HostName(parsing: isIPv6 ? "[\(text)]" : text)
    else { return nil }
    self.init(host)
  }

  /// The address without brackets.
  package var description: String { isIPv6 ? String(host.description.dropFirst().dropLast()) : host.description }

  package var isLoopback: Bool { Host.isLoopback(host.description) }

  /// Whether the address stands for all addresses of the machine. No request can be sent to it.
  package var isWildcard: Bool { ["0.0.0.0", "[::]"].contains(host.description) }

  package var isIPv6: Bool { host.description.utf8.first == UInt8(ascii: "[") }

  package func url(port: Int) -> String { "http://\(host):\(port)" }
}
