import Connect
import ConnectButton
import Listener
import Phrases
import World

/// Listens on this machine for a single browser redirect to a plugin, and lets the page wait for the outcome.
final class PluginRedirectListener {
  enum Message: Sendable, Equatable {
    case returned(query: String)
    case otherIssuer
    case stray(RedirectRules.Stray)
  }

  /// The outcome that the waiting page shows.
  package enum Outcome: Sendable { case success, failure }

  let messages: Mailbox<Message>
  /// The redirect URL with its port.
  package let address: String
  private let server: any HTTPServer
  private let orders: Mailbox<RedirectRules>
  private let page: DeferredReply
  private let pages: RedirectPages
  private var service: String?

  /// - Parameter address: the address to listen on; port 0 selects any free port.
  /// - Throws: ``ListenerError``.
  package init(at address: RedirectAddress, with listener: any LoopbackListener, language: Language) throws {
    let (host, port) = address.loopback ?? ("127.0.0.1", 0)
    let settings: ListenerSettings = {
      var settings = ListenerSettings(address: LoopbackAddress(host == "[::1]" ? .v6 : .v4, port: port))
      settings.headerLimit = 16 * 1024
      settings.bodyLimit = 0
      settings.requestTime = .seconds(10)
      settings.connectionLimit = 16
      return settings
    }()
    let pages = RedirectPages(language: language)
    let messages = try Mailbox<Message>()
    let orders = try Mailbox<RedirectRules>()
    // The limit is long enough for a token exchange. After that, the page refers to the terminal.
    let page = DeferredReply(atMost: .seconds(15), else: pages.reply(.back))
    let path = address.path
    server = try listener.open(settings) {
      PluginRedirectResponder(path: path, orders: orders, messages: messages, page: page, pages: pages)
    }
    (self.messages, self.orders, self.page, self.pages) = (messages, orders, page, pages)
    self.address = "\(server.address.url)\(path)"
  }

  /// Starts to accept a redirect.
  /// - Parameter service: the service the user signs in to, for the page.
  func await(_ rules: RedirectRules, of service: String?) {
    self.service = service.map { String($0.prefix(100)) }
    orders.send(rules)
  }

  /// Stops accepting connections; the waiting page continues to wait.
  func stopListening() { server.stopAccepting() }

  /// Shows the outcome on the waiting page.
  package func finish(_ outcome: Outcome) {
    page.fulfill(pages.reply(outcome == .success ? .connected : .failed(.partnerSignIn), of: service))
  }

  /// Completes all waiting responses and closes the server.
  package func close() {
    page.fulfill(pages.reply(.back))
    server.close()
  }
}

/// The pages that a browser may show, created before the listener's thread needs them.
struct RedirectPages: Sendable {
  package let language: Language

  func reply(_ outcome: LandingPage.Outcome, of service: String? = nil, status: Int = 200) -> Reply {
    var reply = Reply(LandingPage(outcome: outcome, serviceName: service, brandColor: nil, language: language))
    reply.status = status
    return reply
  }
}

/// Responds to requests during a sign-in. Only the first redirect that the rules accept counts.
private final class PluginRedirectResponder: HTTPResponder {
  private let path: String
  private let orders: Mailbox<RedirectRules>
  private let messages: Mailbox<PluginRedirectListener.Message>
  private let page: DeferredReply
  private let pages: RedirectPages
  private var rules: RedirectRules?
  private var isOver = false

  init(
    path: String, orders: Mailbox<RedirectRules>, messages: Mailbox<PluginRedirectListener.Message>,
    page: DeferredReply,
    pages: RedirectPages
  ) {
    (self.path, self.orders, self.messages, self.page, self.pages) = (path, orders, messages, page, pages)
  }

  func answer(_ request: ReceivedRequest) -> Reply {
    if let newest = orders.receive() { rules = newest }
    let path = request.target.prefix { $0 != "?" }
    guard path == self.path[...] else { return pages.reply(.unexpected, status: 404) }
    guard request.method == "GET" else {
      var reply = Reply.text(405, "Only GET is allowed.")
      reply.fields += [HeaderField("Allow", "GET"), HeaderField("Cache-Control", "no-store")]
      return reply
    }
    guard let rules, !isOver else { return pages.reply(.unexpected, status: 404) }
    // Reject other hosts and ports that resolve to this server (DNS rebinding): the browser was not sent to them.
    guard rules.address.isHost(request.field("Host")) else {
      return .text(421, "This is not the host of the redirect URI.")
    }
    switch rules.judge(query: String(request.target.dropFirst(path.count + 1))) {
    case .accepted(let query):
      isOver = true
      messages.send(.returned(query: query))
      return Reply(held: page)
    case .otherIssuer:
      isOver = true
      messages.send(.otherIssuer)
      return Reply(held: page)
    case .refused(let stray):
      messages.send(.stray(stray))
      return pages.reply(.unexpected, status: 400)
    }
  }
}
