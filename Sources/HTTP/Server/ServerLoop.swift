import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Waits with poll(2) for whatever a server waits for, and passes it on. Runs until the server is closed.
final class ServerLoop {
  private let settings: ListenerSettings
  private let messages: Mailbox<ServerMessage>
  private let connections: ServerConnections
  private var socket: ListeningSocket?
  /// Set while there are no descriptors for new connections.
  private var acceptsAgainAt: Duration?
  /// The time at which connections that are still open after the server was closed are reset.
  private var graceEnd: Duration?
  private var input = [UInt8](repeating: 0, count: 64 * 1024)

  init(_ start: ServerStart, site: any HTTPResponder) {
    (settings, socket, messages) = (start.settings, start.socket, start.messages)
    connections = ServerConnections(settings: start.settings, site: site, messages: start.messages)
  }

  func run() {
    while graceEnd == nil || !connections.isEmpty {
      let polled = connections.all
      var entries = [pollfd(messages.descriptor, reads: true), pollfd(acceptingDescriptor, reads: true)]
      for connection in polled {
        entries.append(pollfd(connection.descriptor, reads: connection.wantsInput, writes: connection.hasUnsentBytes))
      }
      _ = poll(&entries, nfds_t(entries.count), timeout())
      let now = monotonicTime()
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
    return max(.zero, next - monotonicTime()).pollMilliseconds
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
    // A few at a time, so that a crowd of new clients does not delay the others.
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

/// The time since an arbitrary start.
private func monotonicTime() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
}
