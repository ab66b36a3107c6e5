import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Serves with the system's sockets, on one thread for each server.
package final class SocketListener: LoopbackListener {
  package init() {}

  package func open(
    _ settings: ListenerSettings, responder: @escaping @Sendable () -> any HTTPResponder
  ) throws -> any HTTPServer {
    let socket = try ListeningSocket(settings)
    do throws(SystemError) {
      return try SocketServer(settings, on: socket, responder: responder)
    } catch {
      throw ListenerError(isAddressInUse: false, description: error.description)
    }
  }
}

/// A server on a thread of its own, controlled by messages.
private final class SocketServer: HTTPServer {
  let address: LoopbackAddress
  private let messages: Mailbox<ServerMessage>
  private let thread: WorkerThread
  private var isClosed = false

  init(
    _ settings: ListenerSettings, on socket: ListeningSocket, responder: @escaping @Sendable () -> any HTTPResponder
  ) throws(SystemError) {
    address = LoopbackAddress(settings.address.host, port: socket.port)
    let messages = try Mailbox<ServerMessage>()
    self.messages = messages
    let start = ServerStart(settings: settings, socket: socket, messages: messages)
    thread = try WorkerThread.start { ServerLoop(start, responder: responder()).run() }
  }

  func stopAccepting() { messages.send(.stopAccepting) }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    messages.send(.close)
    thread.join()
  }

  deinit { close() }
}

/// The values with which a server's thread starts. Unchecked: only that thread uses `socket`.
struct ServerStart: @unchecked Sendable {
  let settings: ListenerSettings
  let socket: ListeningSocket
  let messages: Mailbox<ServerMessage>
}

/// A message to a server from another thread.
enum ServerMessage: Sendable {
  case stopAccepting
  case close
  /// A deferred reply of a connection is known.
  case reply(Reply, connection: Int)
}

/// The loop of a server: it waits with poll(2) for messages, connections and bytes, and handles them. It runs until the
/// server is closed.
final class ServerLoop {
  private let settings: ListenerSettings
  private let messages: Mailbox<ServerMessage>
  private let connections: ServerConnections
  private var socket: ListeningSocket?
  /// The time at which connections are accepted again, after descriptors ran out; nil while they are accepted.
  private var acceptsAgainAt: Duration?
  /// The time at which connections that are still open after the server was closed are reset.
  private var graceEnd: Duration?
  private var input = [UInt8](repeating: 0, count: 64 * 1024)

  init(_ start: ServerStart, responder: any HTTPResponder) {
    (settings, socket, messages) = (start.settings, start.socket, start.messages)
    connections = ServerConnections(settings: start.settings, responder: responder, messages: start.messages)
  }

  func run() {
    while graceEnd == nil || !connections.isEmpty {
      let polled = connections.all
      var entries = [pollfd(messages.descriptor, reads: true), pollfd(acceptingDescriptor, reads: true)]
      for connection in polled {
        entries.append(pollfd(connection.descriptor, reads: connection.readsInput, writes: connection.hasUnsentBytes))
      }
      _ = poll(&entries, nfds_t(entries.count), timeout())
      let now = LiveClock.monotonic()
      if let time = acceptsAgainAt, time <= now { acceptsAgainAt = nil }
      if entries[0].revents != 0 { receiveMessages(at: now) }
      for (connection, entry) in zip(polled, entries.dropFirst(2)) where entry.revents != 0 {
        serve(connection, entry.revents, at: now)
      }
      connections.expire(at: now)
      if let end = graceEnd, end <= now { connections.abort() }
      if entries[1].revents != 0 { accept(at: now) }
    }
  }

  /// The descriptor that reports new connections; -1, which poll(2) ignores, if none are accepted.
  private var acceptingDescriptor: Int32 { acceptsAgainAt == nil ? socket?.descriptor ?? -1 : -1 }

  /// The time until the next deadline, in milliseconds; -1 without a deadline.
  private func timeout() -> Int32 {
    let ends = [connections.nextDeadline, graceEnd, acceptsAgainAt].compactMap { $0 }
    guard let next = ends.min() else { return -1 }
    return max(.zero, next - LiveClock.monotonic()).pollMilliseconds
  }

  private func receiveMessages(at now: Duration) {
    while let message = messages.receive() {
      switch message {
      case .stopAccepting: stopAccepting()
      case .close:
        stopAccepting()
        graceEnd = now + settings.grace
        connections.close(at: now)
      case .reply(let reply, let number): connections[number]?.resume(reply, at: now)
      }
    }
  }

  private func stopAccepting() {
    socket?.close()
    socket = nil
  }

  private func serve(_ connection: ServerConnection, _ events: Int16, at now: Duration) {
    guard connection.isOpen else { return }
    if events & Int16(POLLOUT) != 0 { connection.flush(at: now) }
    if connection.isOpen, events & ~Int16(POLLOUT) != 0 { connection.receive(into: &input, at: now) }
  }

  private func accept(at now: Duration) {
    // Accept a limited number at a time, so that many new clients do not delay the others.
    for _ in 0..<64 {
      guard let socket else { return }
      switch socket.accept() {
      case .connection(let client): connections.add(client, at: now)
      case .nothing: return
      case .exhausted:
        acceptsAgainAt = now + .milliseconds(50)
        return
      }
    }
  }
}

extension pollfd {
  fileprivate init(_ descriptor: Int32, reads: Bool, writes: Bool = false) {
    self.init(fd: descriptor, events: (reads ? Int16(POLLIN) : 0) | (writes ? Int16(POLLOUT) : 0), revents: 0)
  }
}

/// The connections of one server, on its own thread: their number, their deadlines, and whether all are closed.
final class ServerConnections {
  let settings: ListenerSettings
  let responder: any HTTPResponder
  let messages: Mailbox<ServerMessage>
  private(set) var isClosing = false
  private var open: [Int: ServerConnection] = [:]
  private var lastNumber = 0

  init(settings: ListenerSettings, responder: any HTTPResponder, messages: Mailbox<ServerMessage>) {
    (self.settings, self.responder, self.messages) = (settings, responder, messages)
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
    if !hasRoom { connection.reject(RequestRejection(status: 503, message: "Too many connections"), at: now) }
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
