import Text

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The valid hosts of a URL: a name, four decimal numbers with dots, or an IPv6 address in brackets.
enum Host {
  /// - Parameter host: in lower case.
  static func check(_ host: String) throws(WebURLError) {
    guard !host.isEmpty else { throw WebURLError("the host is missing") }
    if host.hasPrefix("[") {
      guard isIPv6(host) else { throw WebURLError("the host is not a valid IPv6 address") }
      return
    }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard host.utf8.count <= 253,
      labels.allSatisfy({ label in
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
          && label.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
      })
    else { throw WebURLError("the host is not a valid name") }
    // Old parsers read 127.1, 0x7f.1 or 2130706433 as an address; new parsers do not.
    if let last = labels.last, last.first?.isASCIIDigit == true, isNumber(last), quad(host) == nil {
      throw WebURLError("the host looks like an IPv4 address, but is not four decimal numbers")
    }
  }

  /// - Parameter host: as ``check(_:)`` accepts it.
  static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "[::1]" || quad(host)?.first == 127
  }

  private static func isNumber(_ label: Substring) -> Bool {
    label.utf8.allSatisfy(\.isDigit)
      || (label.hasPrefix("0x") && label.utf8.dropFirst(2).allSatisfy { $0.hexadecimal != nil })
  }

  /// Four decimal numbers from 0 to 255 without leading zeros, which some parsers read as octal.
  private static func quad(_ host: String) -> [UInt8]? {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part -> UInt8? in
      guard part == "0" || part.first != "0", part.utf8.allSatisfy(\.isDigit) else { return nil }
      return UInt8(part)
    }
    return parts.count == 4 && numbers.count == 4 ? numbers : nil
  }

  private static func isIPv6(_ host: String) -> Bool {
    guard host.hasSuffix("]") else { return false }
    let inner = host.dropFirst().dropLast()
    guard inner.utf8.allSatisfy({ $0.hexadecimal != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") })
    else { return false }
    var address = in6_addr()
    return inet_pton(AF_INET6, String(inner), &address) == 1
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
