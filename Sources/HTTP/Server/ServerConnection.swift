import World

/// A client's connection. Requests are handled in order: each gets its reply before the next is processed.
final class ServerConnection {
  enum Phase {
    case receiving
    /// A reply that takes a while is being sent.
    case responding
    /// The last reply is being sent or was sent, and further input is discarded. Closing at once could discard the
    /// reply.
    case draining
  }

  /// While more bytes than this are unsent, further requests wait.
  private static let unsentLimit = 1 << 20

  let number: Int
  let connections: ServerConnections
  var settings: ListenerSettings { connections.settings }
  let socket: ConnectionSocket
  private(set) var isOpen = true

  private var parser: RequestParser
  var assembly: RequestAssembly
  /// Requests received before the reply to the previous request (pipelining).
  var waiting: [Result<AcceptedRequest, RequestRejection>] = []
  /// Whether further input is discarded because the last response is already determined.
  var discardsInput = false
  var inputIsClosed = false

  var phase = Phase.receiving
  private var unsent: [UInt8] = []
  private var sentCount = 0
  /// The rest of a reply that is sent in pieces, and the time of the next piece; nil while a piece is being sent.
  var sending: SlowReply?
  var continuesAt: Duration?
  /// The deferred reply that the client waits for.
  var pendingReply: PendingReply?

  /// The time by which the client must send a request or the rest of it, or read a reply; nil while the client waits
  /// for this program.
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

  /// Whether to read input. While requests wait or too many bytes are unsent, the client must wait.
  var readsInput: Bool { !inputIsClosed && waiting.isEmpty && unsentCount < Self.unsentLimit }

  /// Whether a request has begun but not ended.
  private var hasPartialRequest: Bool { assembly.hasBegun || parser.hasPartialHead }

  /// Reads the bytes that have arrived, and replies to complete requests.
  func receive(into buffer: inout [UInt8], at now: Duration) {
    // A connection that is ready again after its end is broken.
    guard !inputIsClosed else { return close() }
    switch socket.receive(into: &buffer) {
    case .nothing: return
    case .broken: return close()
    case .end:
      inputIsClosed = true
      if sending?.isStream == true { return close() }
      if phase != .responding, waiting.isEmpty { end(at: now) }
    case .bytes(let count):
      guard !discardsInput else { return }
      let wasIdle = !hasPartialRequest
      parser.add(buffer[..<count])
      if wasIdle, phase == .receiving { deadline = now + settings.requestTime }
      do throws(RequestRejection) {
        try parse(at: now)
      } catch {
        reject(error, at: now)
      }
      flush(at: now)
    }
  }

  private func parse(at now: Duration) throws(RequestRejection) {
    while !discardsInput, isOpen, let part = try parser.next() {
      switch part {
      case .head(let head):
        if try assembly.begin(head), waiting.isEmpty, phase == .receiving { send(ReplyBytes.continueLine.utf8) }
      case .body(let bytes): try assembly.receive(bytes)
      case .end:
        guard let next = assembly.end() else { return }
        discardsInput = !next.keepsAlive
        waiting.append(.success(next))
        respondToWaiting(at: now)
      }
    }
  }

  // MARK: Output

  private var unsentCount: Int { unsent.count - sentCount }
  var hasUnsentBytes: Bool { unsentCount > 0 }
  var hasRoom: Bool { unsentCount < Self.unsentLimit }

  /// Adds bytes to send with the next flush.
  func send(_ bytes: some Sequence<UInt8>) { unsent += bytes }

  /// Sends as many bytes as the client accepts. Continues with the next step once all are sent.
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
      respondToWaiting(at: now)
    case .responding: if sending != nil, continuesAt == nil { step(at: now) }
    case .draining: drain(at: now)
    }
  }

  // MARK: Waiting

  /// Waits for the next request, or the rest of it.
  func beginWaiting(at now: Duration) {
    quietSince = now
    deadline = now + (hasPartialRequest ? settings.requestTime : settings.idleTime)
  }

  /// Whether a new connection may replace this one: every request with a complete head has its reply.
  var isReplaceable: Bool { phase == .receiving && !assembly.hasBegun && waiting.isEmpty }

  /// The order of replacement. Connections without any byte of a request come first, then by idle time.
  var rank: (Int, Duration) { (parser.hasPartialHead ? 1 : 0, quietSince) }

  var nextDeadline: Duration? {
    var next = deadline
    for time in [continuesAt, pendingReply?.end] {
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

// Replies to requests, in their order.
extension ServerConnection {
  func respondToWaiting(at now: Duration) {
    while phase == .receiving, hasRoom, !waiting.isEmpty {
      switch waiting.removeFirst() {
      case .failure(let rejection):
        let reply: Reply =
          settings.rejectsInJSON
          ? .error(rejection.status, rejection.message) : .text(rejection.status, rejection.message)
        send(reply, isHead: false, closes: true, at: now)
      case .success(let next): respond(to: next, at: now)
      }
    }
  }

  private func respond(to next: AcceptedRequest, at now: Duration) {
    let reply = connections.responder.respond(to: next.request)
    let closes = !next.keepsAlive || inputIsClosed || connections.isClosing
    if let deferred = reply.deferred {
      wait(for: deferred, isHead: next.isHead, closes: closes || !deferred.keepsAlive, at: now)
    } else if reply.delivery == Delivery(), reply.stream == nil {
      send(reply, isHead: next.isHead, closes: closes, at: now)
    } else {
      phase = .responding
      // The delay of the reply itself has no deadline.
      deadline = nil
      sending = SlowReply(reply, isHead: next.isHead, closes: closes)
      continuesAt = now + reply.delivery.delay
    }
  }

  /// Sends a reply in one piece, together with the replies to other requests from the same read.
  private func send(_ reply: Reply, isHead: Bool, closes: Bool, at now: Duration) {
    var head: [UInt8] = []
    head.reserveCapacity(512)
    ReplyBytes.appendHead(of: reply, closes: closes, to: &head)
    send(head)
    if !isHead { send(reply.body) }
    if closes { (phase, discardsInput) = (.draining, true) }
    // As soon as the client has read the reply, the time of the next request begins.
    deadline = now + settings.replyTime
  }

  /// Waits for a deferred reply.
  private func wait(for deferred: DeferredReply, isHead: Bool, closes: Bool, at now: Duration) {
    phase = .responding
    deadline = nil
    pendingReply = PendingReply(reply: deferred, end: now + deferred.limit, isHead: isHead, closes: closes)
    let (messages, number) = (connections.messages, number)
    deferred.whenKnown { messages.send(.reply($0, connection: number)) }
  }

  /// Sends the deferred reply that the client has waited for.
  func resume(_ reply: Reply, at now: Duration) {
    guard phase == .responding, let pendingReply else { return }
    self.pendingReply = nil
    phase = .receiving
    send(
      reply, isHead: pendingReply.isHead, closes: pendingReply.closes || inputIsClosed || connections.isClosing, at: now
    )
    respondToWaiting(at: now)
    flush(at: now)
  }

  /// Sends the next piece of a reply, which continues once the piece is sent.
  func step(at now: Duration) {
    guard phase == .responding, var reply = sending else { return }
    let next = reply.next()
    sending = reply
    switch next {
    case .send(let bytes, let pause):
      deadline = now + settings.replyTime + pause
      send(bytes)
      if pause > .zero { continuesAt = now + pause }
    case .reset:
      abort()
    case .cut:
      sending = nil
      end(at: now)
    case .finished(let closes):
      sending = nil
      if closes || inputIsClosed || connections.isClosing { return end(at: now) }
      phase = .receiving
      beginWaiting(at: now)
      respondToWaiting(at: now)
    }
  }
}

// Rejected requests, timeouts, and the end of a connection.
extension ServerConnection {
  /// Rejects the request after responding to the requests before it.
  func reject(_ rejection: RequestRejection, at now: Duration) {
    discardsInput = true
    connections.responder.noteRejection(rejection.status, rejection.message, of: assembly.line)
    waiting.append(.failure(rejection))
    respondToWaiting(at: now)
    flush(at: now)
  }

  /// Ends the connection after the bytes that are still unsent.
  func end(at now: Duration) {
    (phase, discardsInput) = (.draining, true)
    if hasUnsentBytes { deadline = now + settings.replyTime } else { drain(at: now) }
  }

  /// Closes the output, and gives the client a moment to close its side.
  func drain(at now: Duration) {
    guard !inputIsClosed else { return close() }
    socket.endOutput()
    deadline = now + .seconds(1)
  }

  func expire(at now: Duration) {
    if isOpen, let time = continuesAt, time <= now {
      continuesAt = nil
      // If the client has not read the last piece yet, the next one follows when it has.
      if !hasUnsentBytes { step(at: now) }
      flush(at: now)
    }
    if isOpen, let pendingReply, pendingReply.end <= now { pendingReply.reply.expire() }
    guard isOpen, let deadline, deadline <= now else { return }
    switch phase {
    case .receiving where assembly.hasBegun:
      reject(RequestRejection(status: 408, message: "The request took too long"), at: now)
    // Close without a response, as clients expect for an idle connection.
    case .receiving, .draining: close()
    case .responding: abort()
    }
  }

  /// Closes the connection unless a request is in flight. A stream would never end by itself.
  func finish(at now: Duration) {
    if sending?.isStream == true {
      sending?.endStream()
      continuesAt = nil
      if !hasUnsentBytes { step(at: now) }
      return flush(at: now)
    }
    guard phase == .receiving, !assembly.hasBegun else { return }
    if hasUnsentBytes { end(at: now) } else { close() }
  }
}
