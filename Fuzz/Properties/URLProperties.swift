import HTTP

/// An accepted URL round-trips, and no parser can find another host in it.
enum URLProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let url = try? WebURL(parsing: text) else { return nil }
    let wire = url.wire
    guard let again = try? WebURL(parsing: wire), again == url, again.wire == wire else {
      return "'\(wire)' does not round-trip"
    }
    guard wire.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "#") })
    else { return "'\(wire)' contains characters that are invalid in a URL" }
    let authority = wire.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)[2]
      .prefix { $0 != "/" && $0 != "?" }
    guard !authority.utf8.contains(UInt8(ascii: "@")), url.origin == "\(url.scheme)://\(authority)" else {
      return "the origin is not '\(authority)'"
    }
    guard url.scheme == "https" || isLoopback(url.host) else { return "plain http to \(url.host)" }
    guard url.appending("..", "a/b").wire.utf8.contains(UInt8(ascii: "%")) else {
      return "a path segment is not encoded"
    }
    let marked = url.with([QueryItem("token", text, isSecret: true)])
    guard marked.redacted.hasSuffix("token=…") else { return "a secret item is shown" }
    return nil
  }

  /// An independent check, not the one the program uses.
  private static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "[::1]"
      || host.split(separator: ".", omittingEmptySubsequences: false).compactMap { UInt8($0) }.count == 4
        && host.hasPrefix("127.")
  }
}
