import HTTP

/// What is taken for a URL is written as it was read, and no reader can see another host in it.
enum URLProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let url = try? WebURL(parsing: text) else { return nil }
    let wire = url.wire
    guard let again = try? WebURL(parsing: wire), again == url, again.wire == wire else {
      return "'\(wire)' reads otherwise than it was written"
    }
    guard wire.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "#") })
    else { return "'\(wire)' holds what a URL must not" }
    let authority = wire.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)[2]
      .prefix { $0 != "/" && $0 != "?" }
    guard !authority.utf8.contains(UInt8(ascii: "@")), url.origin == "\(url.scheme)://\(authority)" else {
      return "the origin is not '\(authority)'"
    }
    guard url.scheme == "https" || isLoopback(url.host) else { return "plain http to \(url.host)" }
    guard url.appending("..", "a/b").wire.utf8.contains(UInt8(ascii: "%")) else { return "a step is not encoded" }
    let marked = url.with([QueryItem("token", text, isSecret: true)])
    guard marked.redacted.hasSuffix("token=…") else { return "a secret item is shown" }
    return nil
  }

  /// Not how the program decides it.
  private static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "[::1]"
      || host.split(separator: ".", omittingEmptySubsequences: false).compactMap { UInt8($0) }.count == 4
        && host.hasPrefix("127.")
  }
}
