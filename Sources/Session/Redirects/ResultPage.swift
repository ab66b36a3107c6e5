import HTTP
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The page that the browser shows after the redirect of a listener, at a URL without the redirect's query.
///
/// The query contains a token or a code, which must not stay in the address bar and the history. Its response is
/// therefore a redirect to the same path, which responds with the page.
///
/// All mutable state is guarded by `lock`.
final class ResultPage: @unchecked Sendable {
  /// The time in which a browser on a busy machine follows the redirect before its server closes. Only a client that
  /// does not follow redirects takes it all.
  private static let patience = Duration.seconds(5)

  private var page: Reply?
  /// Whether the browser was redirected and has not requested the page yet.
  private var isOwed = false
  private let shown: Mailbox<Void>
  private let lock: UnsafeMutablePointer<pthread_mutex_t>

  init() throws(SystemError) {
    shown = try Mailbox<Void>()
    lock = .allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// Whether a redirect was accepted.
  var isKnown: Bool { locked { page != nil } }

  /// Returns the response to the accepted redirect.
  func accept(_ page: Reply, of request: ReceivedRequest, at path: Substring) -> Reply {
    let hasQuery = request.target.contains("?")
    locked { (self.page, isOwed) = (page, hasQuery) }
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
    return locked {
      if isOwed, page != nil {
        isOwed = false
        shown.send(())
      }
      return page
    }
  }

  /// Waits until the browser has requested the page, if it was redirected to it.
  func waitUntilRequested() {
    guard locked({ isOwed }) else { return }
    var ready = pollfd(fd: shown.descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&ready, 1, Int32(Self.patience.components.seconds) * 1000)
    locked { isOwed = false }
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body()
  }
}
