import Encoding
import Hints

/// A redirect URI: a loopback address, a claimed https address, or an app's own scheme (RFC 8252).
package struct GrabRedirectURI: Sendable, Hashable {
  package enum Kind: Sendable { case loopback, https, custom }

  package let text: String
  package let kind: Kind
  let parts: GrabURI

  /// The default path of the listener.
  package static let path = "/callback"

  /// Parses a redirect URI.
  /// - Throws: ``GrabError`` with one of the events for redirect URIs.
  package init(parsing text: String) throws(GrabError) {
    guard !text.isEmpty else {
      throw GrabError(
        .badRedirectURI, "the redirect URI is empty", hint: "Leave --redirect-uri out to listen on this machine.")
    }
    guard let parts = GrabURI(parsing: text) else {
      throw GrabError(
        .unparsableRedirectURI, "the redirect URI is no absolute address",
        hint: "Give --redirect-uri the address that is registered for the client, as http://127.0.0.1/callback.")
    }
    func bad(_ why: String) -> GrabError {
      GrabError(
        .badRedirectURI, "the redirect URI \(why)", hint: "Give --redirect-uri another one that is registered.")
    }
    guard parts.fragment == nil else { throw bad("has a fragment (RFC 6749 §3.1.2)") }
    guard !parts.path.utf8.contains(UInt8(ascii: "*")) else {
      throw bad("is a pattern; the address itself is needed")
    }
    switch parts.scheme {
    case "http":
      guard parts.host == "127.0.0.1" || parts.host == "[::1]", parts.user == nil else {
        throw bad("is http to something else than 127.0.0.1 or [::1]")
      }
      kind = .loopback
    case "https":
      guard !parts.host.isEmpty, parts.user == nil else { throw bad("has no host, or a user's name in it") }
      kind = .https
    case "javascript", "data", "file", "about", "blob", "ftp", "mailto", "vbscript", "ws", "wss":
      throw bad("has the scheme \(parts.scheme), which no sign-in returns to")
    default: kind = .custom
    }
    (self.text, self.parts) = (text, parts)
  }

  /// Whether an address is this one with another query. Scheme and host are compared ignoring case, port and path
  /// exactly.
  func isReturned(in address: GrabURI) -> Bool {
    address.user == nil && address.scheme == parts.scheme && address.host == parts.host
      && address.port == parts.port && ExactText.same(address.path, parts.path)
  }
}
