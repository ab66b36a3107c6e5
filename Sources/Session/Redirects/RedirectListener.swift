import HTTP
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

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
  ///   - makeResponder: creates the responder of an address; called on the thread of that address's server.
  /// - Throws: ``RedirectListenerError``.
  init(
    on hosts: [LoopbackAddress.Host], port: Int, with listener: any LoopbackListener,
    makeResponder: @escaping @Sendable (LoopbackAddress.Host, Mailbox<Message>, ResultPage) -> any HTTPResponder
  ) throws {
    let messages = try Mailbox<Message>()
    let result = try ResultPage()
    var (servers, attempt) = ([any HTTPServer](), 0)
    repeat {
      attempt += 1
      do {
        servers = try Self.servers(on: hosts, port: port, with: listener) {
          makeResponder($0, messages, result)
        }
      } catch let error as RedirectListenerError
        where port == 0 && hosts.count > 1 && error.cause.isAddressInUse && attempt < Self.attempts
      {}
    } while servers.isEmpty
    (self.messages, self.result, self.servers) = (messages, result, servers)
    origin = servers.first?.address.url ?? ""
  }

  /// Opens a server on each address, all with the same port.
  private static func servers(
    on hosts: [LoopbackAddress.Host], port: Int, with listener: any LoopbackListener,
    makeResponder: @escaping @Sendable (LoopbackAddress.Host) -> any HTTPResponder
  ) throws -> [any HTTPServer] {
    var servers: [any HTTPServer] = []
    for host in hosts {
      var settings = ListenerSettings(address: LoopbackAddress(host, port: servers.first?.address.port ?? port))
      settings.headerLimit = RedirectRules.limit
      settings.requestTime = .seconds(5)
      settings.connectionLimit = 16
      do { servers.append(try listener.open(settings) { makeResponder(host) }) } catch let error as ListenerError {
        // On a machine without IPv6, no browser can connect over IPv6.
        if !servers.isEmpty, !error.isAddressInUse { continue }
        for server in servers { server.close() }
        throw RedirectListenerError(address: settings.address, cause: error)
      }
    }
    return servers
  }

  /// Stops accepting connections; pages that wait for an outcome continue to wait.
  func stopAccepting() {
    result.waitUntilRequested()
    for server in servers { server.stopAccepting() }
  }

  /// Completes the requests in flight and stops accepting more.
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

/// The error of a server that cannot listen on its address.
struct RedirectListenerError: Error {
  let address: LoopbackAddress
  let cause: ListenerError
}

/// Responds to requests while a redirect is awaited. Only the first redirect that is accepted counts.
final class RedirectResponder: HTTPResponder {
  enum Verdict {
    /// The expected redirect: the page that the browser shows, and the notification of the waiting thread. That thread
    /// closes the server as soon as the browser has the page, so notify it only after ``ResultPage/accept(_:of:at:)``.
    case accepted(Reply, notify: () -> Void)
    case rejected(Reply)
  }

  private let path: Substring
  private let evaluate: (ReceivedRequest) -> Verdict
  private let unexpected: Reply
  private let otherPaths: (any HTTPResponder)?
  private let result: ResultPage

  /// - Parameters:
  ///   - path: the path of the redirect URI.
  ///   - unexpected: the page for a request after the redirect.
  ///   - result: the page that the browser is redirected to.
  ///   - otherPaths: responds to requests for other paths; nil to show `unexpected`.
  ///   - evaluate: evaluates a GET request for the path.
  init(
    at path: Substring, unexpected: Reply, result: ResultPage, otherPaths: (any HTTPResponder)? = nil,
    evaluate: @escaping (ReceivedRequest) -> Verdict
  ) {
    (self.path, self.unexpected, self.otherPaths, self.evaluate) = (path, unexpected, otherPaths, evaluate)
    self.result = result
  }

  func respond(to request: ReceivedRequest) -> Reply {
    guard request.target.prefix(while: { $0 != "?" }) == path else {
      return otherPaths?.respond(to: request) ?? unexpected
    }
    guard request.method == "GET" else {
      var reply = Reply.text(405, "Only GET is allowed.")
      reply.fields += [HeaderField("Allow", "GET"), HeaderField("Cache-Control", "no-store")]
      return reply
    }
    guard !result.isKnown else { return result.page(for: request) ?? unexpected }
    switch evaluate(request) {
    case .accepted(let reply, let notify):
      defer { notify() }
      return result.accept(reply, of: request, at: path)
    case .rejected(let reply): return reply
    }
  }
}

/// The page that the browser shows after the redirect of a listener, at a URL without the redirect's query.
///
/// The query contains a token or a code, which must not stay in the address bar and the history. The response is
/// therefore a redirect to the same path without the query, which shows the page.
///
/// All mutable state is guarded by `lock`.
final class ResultPage: @unchecked Sendable {
  /// The time for a browser on a busy machine to follow the redirect before the server closes. Only a client that does
  /// not follow redirects uses all of it.
  private static let pageTimeout = Duration.seconds(5)

  private var page: Reply?
  /// Whether the browser was redirected and has not requested the page yet.
  private var isAwaitingRequest = false
  private let requested: Mailbox<Void>
  private let lock = Mutex()

  init() throws(SystemError) { requested = try Mailbox<Void>() }

  /// Whether a redirect was accepted.
  var isKnown: Bool { lock.withLock { page != nil } }

  /// Accepts a redirect and returns its response.
  func accept(_ page: Reply, of request: ReceivedRequest, at path: Substring) -> Reply {
    let hasQuery = request.target.contains("?")
    lock.withLock { (self.page, isAwaitingRequest) = (page, hasQuery) }
    guard hasQuery else { return page }
    return Reply(
      status: 303,
      fields: [
        HeaderField("Location", String(path)), HeaderField("Cache-Control", "no-store"),
        HeaderField("Referrer-Policy", "no-referrer"),
      ])
  }

  /// Returns the page after an accepted redirect; nil for a request with a query, such as a second redirect.
  func page(for request: ReceivedRequest) -> Reply? {
    guard !request.target.contains("?") else { return nil }
    return lock.withLock {
      if isAwaitingRequest, page != nil {
        isAwaitingRequest = false
        requested.send(())
      }
      return page
    }
  }

  /// Waits until the browser has requested the page, if it was redirected to it.
  func waitUntilRequested() {
    guard lock.withLock({ isAwaitingRequest }) else { return }
    var ready = pollfd(fd: requested.descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&ready, 1, Int32(Self.pageTimeout.components.seconds) * 1000)
    lock.withLock { isAwaitingRequest = false }
  }
}

/// Waits for messages of a redirect listener and for pasted lines, whichever comes first.
package struct RedirectWait<Message: Sendable> {
  /// The event that ended a wait.
  enum Event {
    case message(Message)
    /// A line of typed or piped input that is not blank.
    case line(String)
  }

  /// The maximum length of a line, in bytes. No redirect URL is longer; longer input comes from something else.
  private static var maxLineLength: Int { 64 * 1024 }

  private let session: Session
  private let listener: RedirectListener<Message>?
  private var takesInput: Bool
  private var input: [UInt8] = []

  init(on listener: RedirectListener<Message>?, takesInput: Bool, in session: Session) {
    (self.listener, self.takesInput, self.session) = (listener, takesInput, session)
  }

  /// Whether an event can still occur.
  var isOpen: Bool { listener != nil || takesInput }

  /// Waits for the next event.
  /// - Parameter deadline: the end of the wait, in monotonic time.
  /// - Returns: nil at the deadline, and possibly earlier.
  mutating func next(until deadline: Duration) throws -> Event? {
    if let line = nextLine() { return .line(line) }
    let reason = try session.world.input.wait(
      for: listener?.messages.descriptor ?? -1, expectsInput: takesInput,
      atMost: deadline - session.world.clock.monotonic())
    switch reason {
    case .message: return nextMessage().map { .message($0) }
    case .input:
      let bytes = try session.world.input.readSome()
      input += bytes
      if bytes.isEmpty { takesInput = false }
      return nextLine().map { .line($0) }
    case .timeUp: return nil
    }
  }

  /// A message that has already arrived.
  func nextMessage() -> Message? { listener?.messages.receive() }

  /// The next complete line that is not blank. The last line may lack its line break.
  private mutating func nextLine() -> String? {
    while let end = input.firstIndex(of: UInt8(ascii: "\n")) ?? (takesInput || input.isEmpty ? nil : input.endIndex) {
      let line = String(decoding: input[..<end], as: UTF8.self)
      input.removeFirst(min(end + 1, input.count))
      if !line.allSatisfy(\.isWhitespace) { return line }
    }
    if input.count > Self.maxLineLength { (input, takesInput) = ([], false) }
    return nil
  }
}
