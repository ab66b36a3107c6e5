import World

/// A client's connection. Requests are handled in order, each answered before the next is processed.
final class ServerConnection {
  enum Phase {
    case receiving
    /// A reply that takes a while is being sent.
    case answering
    /// The last reply is being sent or was sent, and further input is discarded. Closing at once could discard the
    /// reply.
    case draining
  }

  /// While more bytes than this are unsent, no further request is answered.
  private static let unsentLimit = 1 << 20

  let number: Int
  let connections: ServerConnections
  var settings: ListenerSettings { connections.settings }
  let socket: ConnectionSocket
  private(set) var isOpen = true

  private var parser: RequestParser
  var assembly: RequestAssembly
  /// Requests received before the previous one was answered (pipelining).
  var waiting: [Result<AcceptedRequest, RequestRejection>] = []
  /// Whether further input is discarded because the last response is already determined.
  var isDeaf = false
  var inputIsClosed = false

  var phase = Phase.receiving
  private var unsent: [UInt8] = []
  private var sentCount = 0
  /// The rest of a reply that is sent in pieces, and the time of the next piece; nil while a piece is being sent.
  var sending: SlowReply?
  var continuesAt: Duration?
  /// The deferred reply that the client waits for.
  var held: PendingReply?

  /// The end of the time for a request, a reply or its absence; nil while only this program takes its time.
  var deadline: Duration?
  /// The time at which the connection was opened or its last reply was sent.
  private var quietSince: Duration

  init(_ number: Int, on socket: ConnectionSocket, of connections: ServerConnections, at now: Duration) {
    (self.number, self.socket, self.connections) = (number, socket, connections)
    parser = RequestParser(connections.settings)
    assembly = RequestAssembly(connections.settings)
    quietSince = now
    deadline = now + connections.settings.idleTime
  }

  var descriptor: Int32 { socket.descriptor }

  // MARK: Input

  /// Without room for its reply, or with requests that wait, the client has to wait before it sends another.
  var wantsInput: Bool { !inputIsClosed && waiting.isEmpty && unsentCount < Self.unsentLimit }

  /// Whether a request has begun but not ended.
  private var hasPartialRequest: Bool { assembly.isUnderWay || parser.hasPartialHead }

  /// Reads what has arrived and answers complete requests.
  func receive(into buffer: inout [UInt8], at now: Duration) {
    // A connection that is ready again after its end is broken.
    guard !inputIsClosed else { return close() }
    switch socket.receive(into: &buffer) {
    case .nothing: return
    case .broken: return close()
    case .end:
      inputIsClosed = true
      if phase != .answering, waiting.isEmpty { end(at: now) }
    case .bytes(let count):
      guard !isDeaf else { return }
      let wasIdle = !hasPartialRequest
      parser.add(buffer[..<count])
      if wasIdle, phase == .receiving { deadline = now + settings.requestTime }
      do throws(RequestRejection) {
        try parse(at: now)
      } catch {
        refuse(error, at: now)
      }
      flush(at: now)
    }
  }

  private func parse(at now: Duration) throws(RequestRejection) {
    while !isDeaf, isOpen, let part = try parser.next() {
      switch part {
      case .head(let head):
        if try assembly.begin(head), waiting.isEmpty, phase == .receiving { send(ReplyBytes.goOn.utf8) }
      case .body(let bytes): try assembly.receive(bytes)
      case .end:
        guard let next = assembly.end() else { return }
        isDeaf = !next.keepsAlive
        waiting.append(.success(next))
        answerWaiting(at: now)
      }
    }
  }

  // MARK: Output

  private var unsentCount: Int { unsent.count - sentCount }
  var hasUnsentBytes: Bool { unsentCount > 0 }
  var hasRoom: Bool { unsentCount < Self.unsentLimit }

  /// Adds to what is sent with the next flush.
  func send(_ bytes: some Sequence<UInt8>) { unsent += bytes }

  /// Sends as much as the client accepts, and then what depends on it.
  func flush(at now: Duration) {
    while isOpen, hasUnsentBytes {
      guard let count = socket.send(unsent[sentCount...]) else { return close() }
      guard count > 0 else { return }
      sentCount += count
      if !hasUnsentBytes {
        unsent.removeAll(keepingCapacity: sentCount < 1 << 16)
        sentCount = 0
        didSendAll(at: now)
      }
    }
  }

  private func didSendAll(at now: Duration) {
    switch phase {
    case .receiving:
      beginWaiting(at: now)
      answerWaiting(at: now)
    case .answering: if sending != nil, continuesAt == nil { step(at: now) }
    case .draining: drain(at: now)
    }
  }

  // MARK: Waiting

  /// Waits for the next request, or the rest of it.
  func beginWaiting(at now: Duration) {
    quietSince = now
    deadline = now + (hasPartialRequest ? settings.requestTime : settings.idleTime)
  }

  /// Whether a new connection may replace this one: every request with a complete head is answered.
  var isReplaceable: Bool { phase == .receiving && !assembly.isUnderWay && waiting.isEmpty }

  /// The order of replacement. Connections without any byte of a request come first, then by idle time.
  var rank: (Int, Duration) { (parser.hasPartialHead ? 1 : 0, quietSince) }

  var nextDeadline: Duration? {
    var next = deadline
    for time in [continuesAt, held?.end] {
      if let time { next = next.map { min($0, time) } ?? time }
    }
    return next
  }

  func close() {
    guard isOpen else { return }
    isOpen = false
    socket.close()
    connections.remove(self)
  }

  /// Closes the connection with a reset.
  func abort() {
    guard isOpen else { return }
    isOpen = false
    socket.reset()
    connections.remove(self)
  }
}

/// A deferred reply, and how it is sent.
struct PendingReply {
  let reply: DeferredReply
  /// The time at which the stand-in is sent.
  let end: Duration
  let isHead: Bool
  let closes: Bool
}
