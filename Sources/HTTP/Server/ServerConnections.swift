import World

/// The connections of one server, on its own thread: their number, their deadlines, and whether all are closed.
final class ServerConnections {
  let settings: ListenerSettings
  let site: any HTTPResponder
  let messages: Mailbox<ServerMessage>
  private(set) var isClosing = false
  private var open: [Int: ServerConnection] = [:]
  private var lastNumber = 0

  init(settings: ListenerSettings, site: any HTTPResponder, messages: Mailbox<ServerMessage>) {
    (self.settings, self.site, self.messages) = (settings, site, messages)
  }

  var isEmpty: Bool { open.isEmpty }
  var all: [ServerConnection] { Array(open.values) }
  var nextDeadline: Duration? { open.values.lazy.compactMap(\.nextDeadline).min() }
  subscript(number: Int) -> ServerConnection? { open[number] }

  func add(_ socket: ConnectionSocket, at now: Duration) {
    // Any local program can hold connections open, and these must not block a browser's redirect.
    let hasRoom = open.count < settings.connectionLimit || replaceIdle()
    lastNumber += 1
    let connection = ServerConnection(lastNumber, on: socket, of: self, at: now)
    open[lastNumber] = connection
    if !hasRoom { connection.refuse(RequestRejection(status: 503, words: "Too many connections"), at: now) }
  }

  /// - Returns: false if all connections are busy.
  private func replaceIdle() -> Bool {
    guard let idle = open.values.filter(\.isReplaceable).min(by: { $0.rank < $1.rank }) else { return false }
    idle.close()
    return true
  }

  func remove(_ connection: ServerConnection) { open[connection.number] = nil }

  /// Ends the connections whose deadline has passed.
  func expire(at now: Duration) {
    for connection in all { connection.expire(at: now) }
  }

  /// Lets each connection finish its request.
  func close(at now: Duration) {
    isClosing = true
    for connection in all { connection.finish(at: now) }
  }

  func abort() {
    for connection in all { connection.abort() }
  }
}
