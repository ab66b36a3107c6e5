import HTTP
import Text

/// A redirect URI without user, query or fragment.
package struct RedirectAddress: Sendable, Equatable {
  package let scheme: String
  /// The host and port, in lower case; empty for a scheme without an authority.
  let authority: String
  /// The path; an empty path equals `/`.
  package let path: String

  package init?(parsing text: String) {
    guard text.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) else { return nil }
    let parts = URLParts(text)
    guard parts.query == nil, parts.fragment == nil else { return nil }
    self.init(parts)
  }

  /// The address in a URL of printable ASCII characters. Its query and fragment do not count.
  init?(_ parts: URLParts) {
    let address = [parts.authority, parts.path].compactMap(\.self)
    guard let scheme = parts.scheme, !address.contains(where: { $0.utf8.contains(UInt8(ascii: "\\")) }),
      parts.authority?.utf8.contains(UInt8(ascii: "@")) != true
    else { return nil }
    self.scheme = scheme
    authority = parts.authority?.lowercased() ?? ""
    path = parts.authority != nil && parts.path.isEmpty ? "/" : String(parts.path)
  }

  /// The host and port of a loopback URL that supports listening, with port 0 for any; nil for every other URL.
  package var loopback: (host: String, port: Int)? {
    guard scheme == "http" else { return nil }
    let parts = URLParts.Authority(authority[...])
    guard !LoopbackAddress.Host.named(parts.host).isEmpty else { return nil }
    let port = parts.port ?? "0"
    guard port.utf8.allSatisfy(\.isDigit), let number = Int(port), number < 65536 else { return nil }
    return (String(parts.host), number)
  }

  /// The origins of URLs that support listening, in words.
  static let loopbackOrigins = "http://127.0.0.1, http://[::1] or http://localhost"

  /// Whether the Host header of a request names this address. The header omits the port if it is HTTP's default port.
  func isHost(_ field: String?) -> Bool {
    guard let host = field?.lowercased() else { return false }
    return host == authority || "\(host):80" == authority || host == "\(authority):80"
  }

  /// Whether no server on this machine can receive the redirect, so that it must be pasted: a claimed https page, or
  /// an app's own scheme.
  package var isElsewhere: Bool { scheme != "http" }
}
