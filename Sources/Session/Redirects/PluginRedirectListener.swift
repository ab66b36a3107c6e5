import HTTP
import IFTTT
import PluginProtocol
import Text
import World

/// Listens on this machine for a single browser redirect to a plugin, and lets the page wait for the outcome.
final class PluginRedirectListener {
  enum Message: Sendable, Equatable {
    case returned(query: String)
    case otherIssuer
    case mismatch(RedirectRules.Mismatch)
  }

  /// The outcome that the waiting page shows.
  package enum Outcome: Sendable { case success, failure }

  let listener: RedirectListener<Message>
  /// The redirect URL with its port.
  package let address: String
  /// Send the rules to the server of each address.
  private let rulesMailboxes: [LoopbackAddress.Host: Mailbox<RedirectRules>]
  private let page: DeferredReply
  private let pages: RedirectPages
  private var service: String?

  /// - Parameter address: the address to listen on; port 0 selects any free port.
  /// - Throws: ``RedirectListenerError``.
  package init(at address: RedirectAddress, with loopback: any LoopbackListener, language: Language) throws {
    let (host, port) = address.loopback ?? ("127.0.0.1", 0)
    let pages = RedirectPages(language: language)
    let hosts = LoopbackAddress.Host.named(host)
    let rulesMailboxes = Dictionary(uniqueKeysWithValues: try hosts.map { ($0, try Mailbox<RedirectRules>()) })
    // The limit is long enough for a token exchange. After that, the page refers to the terminal.
    let page = DeferredReply(atMost: .seconds(15), else: pages.reply(.back))
    let path = address.path
    listener = try RedirectListener(on: hosts, port: port, with: loopback) { host, messages, result in
      let evaluator = PluginRedirectEvaluator(
        newRules: rulesMailboxes[host], messages: messages, page: page, pages: pages)
      return RedirectResponder(
        at: path[...], unexpected: pages.reply(nil, status: 404), result: result, evaluate: evaluator.evaluate)
    }
    (self.rulesMailboxes, self.page, self.pages) = (rulesMailboxes, page, pages)
    self.address = "http://\(host):\(listener.port)\(path)"
  }

  /// Starts accepting a redirect.
  /// - Parameter service: the service the user signs in to, for the page.
  func expect(_ rules: RedirectRules, of service: String?) {
    self.service = service.map { String($0.prefix(100)) }
    for mailbox in rulesMailboxes.values { mailbox.send(rules) }
  }

  /// Stops accepting connections; the waiting page continues to wait.
  func stopListening() { listener.stopAccepting() }

  /// Shows the outcome on the waiting page.
  package func finish(_ outcome: Outcome) {
    let redirect: ActivationRedirect =
      outcome == .success ? .complete(token: nil) : .authorizationFailed(.partnerSignIn)
    page.fulfill(pages.reply(redirect, of: service))
  }

  /// Completes all waiting responses and closes the server.
  package func close() {
    page.fulfill(pages.reply(.back))
    listener.close()
  }
}

/// The pages that a browser may show, created before the listener's thread needs them.
struct RedirectPages: Sendable {
  package let language: Language

  /// - Parameter redirect: the result to show; nil for an unexpected request.
  func reply(_ redirect: ActivationRedirect?, of service: String? = nil, status: Int = 200) -> Reply {
    var reply = Reply(LandingPage(redirect: redirect, serviceName: service, brandColor: nil, language: language))
    reply.status = status
    return reply
  }
}

/// Evaluates requests during a sign-in, on the listener's thread.
private final class PluginRedirectEvaluator {
  private let newRules: Mailbox<RedirectRules>?
  private let messages: Mailbox<PluginRedirectListener.Message>
  private let page: DeferredReply
  private let pages: RedirectPages
  private var rules: RedirectRules?

  init(
    newRules: Mailbox<RedirectRules>?, messages: Mailbox<PluginRedirectListener.Message>, page: DeferredReply,
    pages: RedirectPages
  ) {
    (self.newRules, self.messages, self.page, self.pages) = (newRules, messages, page, pages)
  }

  func evaluate(_ request: ReceivedRequest) -> RedirectResponder.Verdict {
    while let newest = newRules?.receive() { rules = newest }
    guard let rules else { return .rejected(pages.reply(nil, status: 404)) }
    // Reject other hosts and ports that resolve to this server (DNS rebinding): they are not the redirect URI.
    guard rules.address.isHost(request.field("Host")) else {
      return .rejected(.text(421, "This is not the host of the redirect URI."))
    }
    switch rules.evaluate(query: String(request.target.drop { $0 != "?" }.dropFirst())) {
    case .accepted(let query):
      return .accepted(Reply(deferred: page)) { [messages] in messages.send(.returned(query: query)) }
    case .otherIssuer:
      return .accepted(Reply(deferred: page)) { [messages] in messages.send(.otherIssuer) }
    case .refused(let mismatch):
      messages.send(.mismatch(mismatch))
      return .rejected(pages.reply(nil, status: 400))
    }
  }
}

/// Waits for the first of these events: the browser's redirect, a pasted URL, or the timeout.
struct PluginRedirectWait {
  package let rules: RedirectRules
  private let session: Session
  package var limit = Duration.seconds(300)
  private var redirects: RedirectWait<PluginRedirectListener.Message>
  private var hasNotedMismatch = false

  package init(_ rules: RedirectRules, _ listener: PluginRedirectListener?, in session: Session) {
    (self.rules, self.session) = (rules, session)
    let takesInput = session.console.mayPrompt || listener == nil && !session.options.disablesPrompts
    redirects = RedirectWait(on: listener?.listener, takesInput: takesInput, in: session)
  }

  package mutating func run() throws -> (query: String, way: RedirectResult.Way) {
    let clock = session.world.clock
    let end = clock.monotonic() + limit
    while true {
      guard clock.monotonic() < end, redirects.isOpen else {
        throw PluginError(
          "timeout", "timed out waiting for the browser",
          hint: "Try again with a longer timeout.")
      }
      switch try redirects.next(until: end) {
      case .message(.returned(let query)): return (query, .listener)
      case .message(.otherIssuer): throw PluginError.otherIssuer
      case .message(.mismatch(let mismatch)): report(of: mismatch)
      case .line(let text): if let query = try parse(text) { return (query, .paste) }
      case nil: break
      }
    }
  }

  /// Reports an unexpected redirect once, without its contents.
  private mutating func report(of mismatch: RedirectRules.Mismatch) {
    guard !hasNotedMismatch else { return }
    hasNotedMismatch = true
    session.console.note("Ignored an unexpected redirect: \(mismatch.description). Still waiting.")
  }

  private func parse(_ text: String) throws -> String? {
    switch rules.evaluate(pasted: text) {
    case .accepted(let query): return query
    case .otherIssuer: throw PluginError.otherIssuer
    case .refused(let mismatch):
      session.console.note("Not the expected redirect URL: \(mismatch.description).")
      return nil
    }
  }
}

extension PluginError {
  fileprivate static let otherIssuer = PluginError(
    "unknown_redirect", "the redirect came from a different issuer than expected",
    reason: "two sign-ins may have been mixed up, possibly by an attack", hint: "Start the sign-in again.")
}
