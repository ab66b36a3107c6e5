import Text

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The name or address of a host, in the form in which hosts are compared: in lower case, and an IPv6 address in
/// brackets and in its shortest spelling.
package struct HostName: Sendable, Hashable, CustomStringConvertible {
  package let description: String

  /// - Parameter text: A name, four decimal numbers, or an IPv6 address with or without brackets. It has no port, and
  ///   no character stands for other names.
  package init(parsing text: String) throws(WebURLError) {
    let colons = text.utf8.count(where: { $0 == UInt8(ascii: ":") })
    guard colons != 1 else { throw WebURLError("it has a port, which is not part of a host") }
    let host = (colons > 1 && !text.hasPrefix("[") ? "[\(text)]" : text).loweredASCII
    try Host.check(host)
    self.init(of: host)
  }

  /// - Parameter host: The host of a URL or of a `Host` field, in lower case.
  init(of host: String) { description = Self.shortened(host) ?? host }

  /// The names of a list, which are separated by commas.
  package static func list(parsing text: String) throws(WebURLError) -> Set<HostName> {
    var names: Set<HostName> = []
    for part in text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      names.insert(try HostName(parsing: String(decoding: HeaderField.trimmed(part), as: UTF8.self)))
    }
    return names
  }

  /// The shortest spelling of an IPv6 address in brackets; nil for other hosts.
  private static func shortened(_ host: String) -> String? {
    guard host.hasPrefix("["), host.hasSuffix("]") else { return nil }
    var address = in6_addr()
    guard inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &address) == 1 else { return nil }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(AF_INET6, &address, &text, socklen_t(text.count)) != nil else { return nil }
    return "[\(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))]"
  }
}

extension Set<HostName> {
  /// Whether a host is this machine, which is always allowed, or one of these hosts.
  /// - Parameter host: In lower case.
  func admits(_ host: String) -> Bool { Host.isLoopback(host) || contains(HostName(of: host)) }
}
