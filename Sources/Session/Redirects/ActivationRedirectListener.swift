import HTTP
package import IFTTT
import Text
import World

/// A redirect that the listener of an activation received.
package enum ActivationMessage: Sendable, Equatable {
  case returned(ActivationRedirect)
  /// A request for the right page without the random part.
  case foreign
}

/// The pages that the browser shows after an activation.
struct ActivationPages: Sendable {
  /// Creates the page for a redirect; nil for an unexpected request. Called on the listener's thread.
  let page: @Sendable (ActivationRedirect?) -> Reply
  /// Responds to requests for other paths; nil to respond with 404.
  let beside: (@Sendable () -> any HTTPResponder)?

  var unexpected: Reply {
    var reply = page(nil)
    reply.status = 404
    return reply
  }
}

extension RedirectListener<ActivationMessage> {
  /// Starts to listen for the redirect of an activation.
  /// - Parameters:
  ///   - fixed: a loopback URL; nil for any free port of 127.0.0.1 and a random path.
  ///   - nonce: the random part that is added to a fixed URL; nil to use the URL unchanged.
  /// - Returns: the listener, and the redirect URI with the random part.
  /// - Throws: ``Problem``.
  static func listen(
    _ fixed: RedirectURI?, nonce: String?, of kind: ActivationPage, with listener: any LoopbackListener,
    _ pages: ActivationPages
  ) throws -> (listener: RedirectListener, address: RedirectURI) {
    let (host, port) = fixed?.loopback ?? (LoopbackAddress.Host.v4.rawValue, 0)
    let expected: RedirectURI =
      if let fixed { nonce.map { fixed.expecting("nonce", $0) } ?? fixed } else { try .random(nonce ?? "") }
    do {
      let own = try RedirectListener(on: LoopbackAddress.Host.named(host), port: port, with: listener) {
        _, messages, result in
        RedirectResponder(
          at: expected.target.prefix { $0 != "?" }, unexpected: pages.unexpected, result: result,
          beside: pages.beside?()
        ) { request in
          // The listener has already checked the Host header.
          guard case .accepted(let redirect) = RedirectParser(expected.origin + request.target, at: expected, of: kind)
          else {
            messages.send(.foreign)
            return .rejected(pages.unexpected)
          }
          return .accepted(pages.page(redirect)) { messages.send(.returned(redirect)) }
        }
      }
      return (own, fixed == nil ? try expected.moved(to: own.origin) : expected)
    } catch let error as RedirectListenerError { throw Problem(error.cause, at: error.address) }
  }
}

extension RedirectURI {
  /// The host and port (or 0) of a URL that supports listening.
  fileprivate var loopback: (String, Int)? {
    guard case .loopback(let host, let port) = kind else { return nil }
    return (host, port ?? 80)
  }

  /// An unguessable URL whose port is not yet known.
  fileprivate static func random(_ part: String) throws(WebURLError) -> RedirectURI {
    try RedirectURI(parsing: "http://127.0.0.1/ifttt/return/\(part)")
  }

  /// The path and query.
  fileprivate var target: Substring {
    let rest = text.dropFirst(origin.utf8.count)
    return rest.utf8.first == UInt8(ascii: "/") ? rest : "/" + rest
  }

  fileprivate var origin: String {
    let slashes = text.prefix { $0 != ":" }.count + "://".count
    return String(text.prefix(slashes) + text.dropFirst(slashes).prefix { $0 != "/" && $0 != "?" })
  }

  fileprivate func moved(to origin: String) throws(WebURLError) -> RedirectURI {
    try RedirectURI(parsing: origin + target)
  }
}

extension Problem {
  fileprivate init(_ error: ListenerError, at address: LoopbackAddress) {
    self.init(
      .refused, "cannot listen on \(address.url)", reason: error.description,
      hint: error.isTaken
        ? "Another program is listening there; pass another port in --redirect-uri, or omit it to use a free port."
        : "Pass another port in --redirect-uri, or omit it to use a free port.")
  }
}
