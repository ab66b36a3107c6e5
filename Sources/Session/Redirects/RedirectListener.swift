import HTTP
import World

/// Listens on this machine for a single browser redirect.
package final class RedirectListener<Message: Sendable> {
  /// Messages from the responder to the waiting thread.
  let messages: Mailbox<Message>
  /// The origin of the served URLs, such as `http://127.0.0.1:47823`.
  package let origin: String
  private let result: ResultPage
  private let servers: [any HTTPServer]
  private var isClosed = false

  /// The port of the served URLs.
  var port: Int { servers.first?.address.port ?? 0 }

  /// The number of free ports to try if a port is free on only one of the addresses.
  private static var attempts: Int { 5 }

  /// - Parameters:
  ///   - hosts: the addresses to listen on. All but the first may be unavailable.
  ///   - port: 0 for any free port.
  ///   - site: creates the responder of an address; called on the thread of that address's server.
  /// - Throws: ``RedirectListenerError``.
  init(
    on hosts: [LoopbackAddress.Host], port: Int, with listener: any LoopbackListener,
    site: @escaping @Sendable (LoopbackAddress.Host, Mailbox<Message>, ResultPage) -> any HTTPResponder
  ) throws {
    let messages = try Mailbox<Message>()
    let result = try ResultPage()
    var (servers, tried) = ([any HTTPServer](), 0)
    repeat {
      tried += 1
      do {
        servers = try Self.servers(on: hosts, port: port, with: listener) { site($0, messages, result) }
      } catch let error as RedirectListenerError
        where port == 0 && hosts.count > 1 && error.cause.isTaken && tried < Self.attempts
      {}
    } while servers.isEmpty
    (self.messages, self.result, self.servers) = (messages, result, servers)
    origin = servers.first?.address.url ?? ""
  }

  /// Opens a server on each address, all with the same port.
  private static func servers(
    on hosts: [LoopbackAddress.Host], port: Int, with listener: any LoopbackListener,
    site: @escaping @Sendable (LoopbackAddress.Host) -> any HTTPResponder
  ) throws -> [any HTTPServer] {
    var servers: [any HTTPServer] = []
    for host in hosts {
      var settings = ListenerSettings(address: LoopbackAddress(host, port: servers.first?.address.port ?? port))
      settings.headerLimit = RedirectRules.limit
      settings.requestTime = .seconds(5)
      settings.connectionLimit = 16
      do { servers.append(try listener.open(settings) { site(host) }) } catch let error as ListenerError {
        // On a machine without IPv6, no browser can connect over IPv6.
        if !servers.isEmpty, !error.isTaken { continue }
        for server in servers { server.close() }
        throw RedirectListenerError(address: settings.address, cause: error)
      }
    }
    return servers
  }

  /// Accepts no more connections; pages that wait for an outcome continue to wait.
  func stopAccepting() {
    result.waitUntilRequested()
    for server in servers { server.stopAccepting() }
  }

  /// Completes requests in flight and accepts no more.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    result.waitUntilRequested()
    for server in servers { server.close() }
  }
}

extension LoopbackAddress.Host {
  /// The addresses to listen on for redirects to a host of a URL; empty for a host that this program does not support.
  static func named(_ host: some StringProtocol) -> [Self] {
    switch host {
    case "127.0.0.1": [.v4]
    case "[::1]", "::1": [.v6]
    // A browser may use either address family.
    case "localhost": [.v4, .v6]
    default: []
    }
  }
}

/// The reason why an address cannot be listened on.
struct RedirectListenerError: Error {
  let address: LoopbackAddress
  let cause: ListenerError
}

/// Responds to requests while a redirect is awaited. Only the first redirect that is accepted counts.
final class RedirectResponder: HTTPResponder {
  enum Verdict {
    /// The expected redirect: the page that the browser shows, and what tells the waiting thread about it. That thread
    /// closes the server as soon as the browser has the page, so it is told once the page is owed.
    case accepted(Reply, tell: () -> Void)
    case rejected(Reply)
  }

  private let path: Substring
  private let evaluate: (ReceivedRequest) -> Verdict
  private let unexpected: Reply
  private let beside: (any HTTPResponder)?
  private let result: ResultPage

  /// - Parameters:
  ///   - path: the path of the redirect URI.
  ///   - unexpected: the page for a request after the redirect.
  ///   - result: the page that the browser is redirected to.
  ///   - beside: responds to requests for other paths; nil to show `unexpected`.
  ///   - evaluate: evaluates a GET request for the path.
  init(
    at path: Substring, unexpected: Reply, result: ResultPage, beside: (any HTTPResponder)? = nil,
    evaluate: @escaping (ReceivedRequest) -> Verdict
  ) {
    (self.path, self.unexpected, self.beside, self.evaluate) = (path, unexpected, beside, evaluate)
    self.result = result
  }

  func answer(_ request: ReceivedRequest) -> Reply {
    guard request.target.prefix(while: { $0 != "?" }) == path else { return beside?.answer(request) ?? unexpected }
    guard request.method == "GET" else {
      var reply = Reply.text(405, "Only GET is allowed.")
      reply.fields += [HeaderField("Allow", "GET"), HeaderField("Cache-Control", "no-store")]
      return reply
    }
    guard !result.isKnown else { return result.page(for: request) ?? unexpected }
    switch evaluate(request) {
    case .accepted(let reply, let tell):
      defer { tell() }
      return result.accept(reply, of: request, at: path)
    case .rejected(let reply): return reply
    }
  }
}
