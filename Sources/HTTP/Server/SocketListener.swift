import World

/// Serves with the system's sockets, on one thread for each server.
package final class SocketListener: LoopbackListener {
  package init() {}

  package func open(
    _ settings: ListenerSettings, site: @escaping @Sendable () -> any HTTPResponder
  ) throws -> any HTTPServer {
    let socket = try ListeningSocket(settings)
    do throws(SystemError) {
      return try SocketServer(settings, on: socket, site: site)
    } catch {
      throw ListenerError(isTaken: false, description: error.description)
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
    _ settings: ListenerSettings, on socket: ListeningSocket, site: @escaping @Sendable () -> any HTTPResponder
  ) throws(SystemError) {
    address = LoopbackAddress(settings.address.host, port: socket.port)
    let messages = try Mailbox<ServerMessage>()
    self.messages = messages
    let start = ServerStart(settings: settings, socket: socket, messages: messages)
    thread = try WorkerThread.start { ServerLoop(start, site: site()).run() }
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

/// What the thread of a server begins with. `socket` is used only by that thread.
struct ServerStart: @unchecked Sendable {
  let settings: ListenerSettings
  let socket: ListeningSocket
  let messages: Mailbox<ServerMessage>
}

/// What other threads tell a server.
enum ServerMessage: Sendable {
  case stopAccepting
  case close
  /// A deferred reply of a connection is known.
  case reply(Reply, connection: Int)
}
