import Listener
import NIOCore

/// The connections of one server, on its own thread: their number, their timeouts, and whether all are closed.
final class ServerConnections {
  let settings: ListenerSettings
  let site: any HTTPResponder
  private var open: [ObjectIdentifier: ServerConnection] = [:]
  private(set) var isClosing = false
  private var gone: EventLoopPromise<Void>?

  init(settings: ListenerSettings, site: any HTTPResponder) { (self.settings, self.site) = (settings, site) }

  /// - Returns: false if there are too many connections and all are busy.
  func add(_ connection: ServerConnection) -> Bool {
    defer { open[ObjectIdentifier(connection)] = connection }
    guard open.count >= settings.connectionLimit else { return true }
    // Any local program can hold connections open, and these must not block a browser's redirect.
    guard let idle = open.values.filter(\.isReplaceable).min(by: { $0.rank < $1.rank }) else { return false }
    open[ObjectIdentifier(idle)] = nil
    idle.end()
    return true
  }

  func remove(_ connection: ServerConnection) {
    open[ObjectIdentifier(connection)] = nil
    if open.isEmpty { succeed() }
  }

  /// Ends the connections whose deadline has passed.
  func expire(at now: NIODeadline) {
    for connection in Array(open.values) { connection.expire(at: now) }
  }

  /// Lets each connection finish its request; `gone` succeeds when none is left.
  func close(_ gone: EventLoopPromise<Void>) {
    isClosing = true
    self.gone = gone
    for connection in Array(open.values) { connection.finish() }
    if open.isEmpty { succeed() }
  }

  func abort() {
    for connection in Array(open.values) { connection.abort() }
  }

  private func succeed() {
    gone?.succeed(())
    gone = nil
  }
}
