import CommandContext
package import Connect
import HTTP
import Hints
package import Listener
import World

/// Takes the one return of a browser on this machine, and answers it with a page that says what happened.
package final class ActivationRedirectListener {
  enum Letter: Sendable, Equatable {
    case returned(ActivationRedirect)
    /// A request for the right page that lacks the random part.
    case foreign
  }

  /// Where the browser is to return to, the random part included.
  package let address: RedirectURI
  let letters: Mailbox<Letter>
  /// Of the pages served beside it, `http://127.0.0.1:47823`.
  package let origin: String
  private let servers: [any HTTPServer]
  private var isClosed = false

  /// - Parameters:
  ///   - fixed: a loopback address; nil for any free port of 127.0.0.1 and a random path.
  ///   - nonce: what a fixed address is made unguessable with; nil to take it as it is.
  ///   - page: what the browser is shown; called on the listener's thread.
  ///   - beside: answers what is asked for at other paths, which else is not there.
  /// - Throws: ``Problem``.
  package init(
    _ fixed: RedirectURI?, nonce: String?, of kind: ActivationPage, with listener: any LoopbackListener,
    page: @escaping @Sendable (ActivationRedirect?) -> Reply, beside: (@Sendable () -> any HTTPResponder)? = nil
  ) throws {
    let (host, port) = fixed?.loopback ?? (LoopbackAddress.Host.v4.rawValue, 0)
    let letters = try Mailbox<Letter>()
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
            ActivationRedirectResponder(at: expected, of: kind, letters, page: page, beside: beside?())
          }
          servers.append(try listener.open(settings, site: site))
        } catch let error as ListenerError {
          // A machine without IPv6 has nobody who could come that way.
          if place > 0, !error.isTaken { continue }
          throw Problem(error, at: settings.address)
        }
      }
    } catch {
      for server in servers { server.close() }
      throw error
    }
    (self.letters, self.servers) = (letters, servers)
    origin = servers.first?.address.url ?? ""
    address = fixed == nil ? try expected.moved(to: origin) : expected
  }

  /// Answers what is under way and takes nothing more.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    for server in servers { server.close() }
  }

  /// Where to listen for a return to a loopback address; nowhere for those that are no address of this program's.
  static func hosts(of host: String) -> [LoopbackAddress.Host] {
    switch host {
    case "127.0.0.1": [.v4]
    case "[::1]", "::1": [.v6]
    // A browser may take either.
    case "localhost": [.v4, .v6]
    default: []
    }
  }
}

/// What is asked of this machine while a return is awaited. The first return at exactly the right address counts; what
/// comes after it, or elsewhere, changes nothing.
private final class ActivationRedirectResponder: HTTPResponder {
  private let address: RedirectURI
  private let path: Substring
  private let kind: ActivationPage
  private let letters: Mailbox<ActivationRedirectListener.Letter>
  private let page: @Sendable (ActivationRedirect?) -> Reply
  private let beside: (any HTTPResponder)?
  private var isOver = false

  init(
    at address: RedirectURI, of kind: ActivationPage, _ letters: Mailbox<ActivationRedirectListener.Letter>,
    page: @escaping @Sendable (ActivationRedirect?) -> Reply, beside: (any HTTPResponder)?
  ) {
    (self.address, self.kind, self.letters, self.page, self.beside) = (address, kind, letters, page, beside)
    path = address.target.prefix { $0 != "?" }
  }

  func answer(_ request: ReceivedRequest) -> Reply {
    guard request.target.prefix(while: { $0 != "?" }) == path else { return beside?.answer(request) ?? .notThere }
    guard request.method == "GET" else {
      var reply = Reply.text(405, "A browser comes back with GET.")
      reply.fields += [HeaderField("Allow", "GET"), HeaderField("Cache-Control", "no-store")]
      return reply
    }
    guard !isOver else { return notExpected }
    // Whose host it was sent to, the listener has looked at.
    guard case .accepted(let what) = RedirectParser(address.origin + request.target, at: address, of: kind) else {
      letters.post(.foreign)
      return notExpected
    }
    isOver = true
    letters.post(.returned(what))
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
  /// Host, and port or 0, of an address that can be listened at.
  fileprivate var loopback: (String, Int)? {
    guard case .loopback(let host, let port) = kind else { return nil }
    return (host, port ?? 80)
  }

  /// What can be guessed by nobody, at a port that is not known yet.
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
        ? "Another program does; give another port in --redirect-uri, or leave it out for one that is free."
        : "Give another port in --redirect-uri, or leave it out for one that is free.")
  }
}
