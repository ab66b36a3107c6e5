import CommandContext
package import Connect
import HTTP
import Hints
package import Listener
import World

/// Receives a single browser redirect on this machine, and responds with a page that shows the outcome.
package final class ActivationRedirectListener {
  enum Message: Sendable, Equatable {
    case returned(ActivationRedirect)
    /// A request for the right page without the random part.
    case foreign
  }

  /// The redirect URI, including the random part.
  package let address: RedirectURI
  let messages: Mailbox<Message>
  /// The origin of the pages that are served in addition, `http://127.0.0.1:47823`.
  package let origin: String
  private let servers: [any HTTPServer]
  private var isClosed = false

  /// - Parameters:
  ///   - fixed: a loopback URL; nil for any free port of 127.0.0.1 and a random path.
  ///   - nonce: the random part that is added to a fixed URL; nil to use the URL unchanged.
  ///   - page: creates the page that the browser shows; called on the listener's thread.
  ///   - beside: responds to requests for other paths; if nil, they get a 404 response.
  /// - Throws: ``Problem``.
  package init(
    _ fixed: RedirectURI?, nonce: String?, of kind: ActivationPage, with listener: any LoopbackListener,
    page: @escaping @Sendable (ActivationRedirect?) -> Reply, beside: (@Sendable () -> any HTTPResponder)? = nil
  ) throws {
    let (host, port) = fixed?.loopback ?? (LoopbackAddress.Host.v4.rawValue, 0)
    let messages = try Mailbox<Message>()
    let expected: RedirectURI =
      if let fixed { nonce.map { fixed.expecting("nonce", $0) } ?? fixed } else { try .random(nonce ?? "") }
    var servers: [any HTTPServer] = []
    do {
      for (place, host) in Self.hosts(of: host).enumerated() {
        var settings = ListenerSettings(address: LoopbackAddress(host, port: servers.first?.address.port ?? port))
        settings.headerLimit = 16 * 1024
        settings.requestTime = .seconds(5)
        settings.connectionLimit = 32
        do {
          let site = { @Sendable () -> any HTTPResponder in
            ActivationRedirectResponder(at: expected, of: kind, messages, page: page, beside: beside?())
          }
          servers.append(try listener.open(settings, site: site))
        } catch let error as ListenerError {
          // On a machine without IPv6, no browser can connect over IPv6.
          if place > 0, !error.isTaken { continue }
          throw Problem(error, at: settings.address)
        }
      }
    } catch {
      for server in servers { server.close() }
      throw error
    }
    (self.messages, self.servers) = (messages, servers)
    origin = servers.first?.address.url ?? ""
    address = fixed == nil ? try expected.moved(to: origin) : expected
  }

  /// Completes requests in flight and accepts no more.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    for server in servers { server.close() }
  }

  /// The addresses to listen on for a loopback redirect; empty for an address that this program does not support.
  static func hosts(of host: String) -> [LoopbackAddress.Host] {
    switch host {
    case "127.0.0.1": [.v4]
    case "[::1]", "::1": [.v6]
    // A browser may use either address family.
    case "localhost": [.v4, .v6]
    default: []
    }
  }
}

/// Responds to requests while a redirect is awaited. Only the first redirect to exactly the expected URL counts;
/// later requests and other URLs have no effect.
private final class ActivationRedirectResponder: HTTPResponder {
  private let address: RedirectURI
  private let path: Substring
  private let kind: ActivationPage
  private let messages: Mailbox<ActivationRedirectListener.Message>
  private let page: @Sendable (ActivationRedirect?) -> Reply
  private let beside: (any HTTPResponder)?
  private var isOver = false

  init(
    at address: RedirectURI, of kind: ActivationPage, _ messages: Mailbox<ActivationRedirectListener.Message>,
    page: @escaping @Sendable (ActivationRedirect?) -> Reply, beside: (any HTTPResponder)?
  ) {
    (self.address, self.kind, self.messages, self.page, self.beside) = (address, kind, messages, page, beside)
    path = address.target.prefix { $0 != "?" }
  }

  func answer(_ request: ReceivedRequest) -> Reply {
    guard request.target.prefix(while: { $0 != "?" }) == path else { return beside?.answer(request) ?? .notThere }
    guard request.method == "GET" else {
      var reply = Reply.text(405, "Only GET is allowed.")
      reply.fields += [HeaderField("Allow", "GET"), HeaderField("Cache-Control", "no-store")]
      return reply
    }
    guard !isOver else { return notExpected }
    // The listener has already checked the Host header.
    guard case .accepted(let what) = RedirectParser(address.origin + request.target, at: address, of: kind) else {
      messages.send(.foreign)
      return notExpected
    }
    isOver = true
    messages.send(.returned(what))
    return page(what)
  }

  private var notExpected: Reply {
    var reply = page(nil)
    reply.status = 404
    return reply
  }
}

extension Reply {
  fileprivate static var notThere: Reply {
    var reply = Reply.text(404, "There is nothing here.")
    reply.fields += [HeaderField("Cache-Control", "no-store"), HeaderField("Referrer-Policy", "no-referrer")]
    return reply
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
