import Listener
import NIOCore
import NIOHTTP1

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A client's connection. Requests are handled in order, each answered before the next is processed.
final class ServerConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = ByteBuffer

  private enum Phase {
    case receiving
    /// A reply that takes a while is being sent.
    case answering
    /// The last reply was sent, and further input is discarded. Closing at once could discard the reply.
    case draining
  }

  private let connections: ServerConnections
  private var settings: ListenerSettings { connections.settings }
  private var assembly: RequestAssembly
  /// Requests received before the previous one was answered (pipelining).
  private var waiting = CircularBuffer<Result<AcceptedRequest, RequestAssembly.Refusal>>()
  /// Whether further input is discarded because the last response is already determined.
  private var isDeaf = false
  private var phase = Phase.receiving
  private var inputIsClosed = false
  private var deadline: NIODeadline
  /// The time at which the connection was opened or its last reply was sent.
  private var quietSince = NIODeadline.now()
  /// Whether part of a request head was received.
  private var hasPartialHead = false
  private var context: ChannelHandlerContext?
  private var hasUnflushed = false

  init(of connections: ServerConnections) {
    self.connections = connections
    assembly = RequestAssembly(connections.settings)
    deadline = .now() + TimeAmount(connections.settings.idleTime)
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }
  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelActive(context: ChannelHandlerContext) {
    if !connections.add(self) { refuse(503, "Too many connections") }
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    connections.remove(self)
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isDeaf else { return }
    do throws(RequestAssembly.Refusal) {
      switch unwrapInboundIn(data) {
      case .head(let head):
        // The request time of a pipelined request starts here, because its first bytes arrived with the previous
        // request.
        if !hasPartialHead { deadline = .now() + TimeAmount(settings.requestTime) }
        hasPartialHead = false
        if try assembly.begin(head), waiting.isEmpty, phase == .receiving {
          context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: ReplyBytes.goOn)), promise: nil)
        }
      case .body(let bytes): try assembly.receive(bytes)
      case .end:
        guard let next = assembly.end() else { return }
        isDeaf = !next.keepsAlive
        waiting.append(.success(next))
        answerWaiting()
      }
    } catch {
      refuse(error.status, error.words)
    }
  }

  /// Called with every read, before the bytes are parsed.
  func noteBytes() {
    guard !isDeaf, !assembly.isUnderWay, !hasPartialHead else { return }
    hasPartialHead = true
    if phase == .receiving { deadline = .now() + TimeAmount(settings.requestTime) }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    flush(context)
    context.fireChannelReadComplete()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .inputClosed? = event as? ChannelEvent {
      inputIsClosed = true
      switch phase {
      case .receiving, .draining: context.close(promise: nil)
      case .answering: break
      }
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let fault = error as? HTTPParserError else { return context.close(promise: nil) }
    guard !isDeaf else { return }
    if fault == .headerOverflow {
      refuse(431, "The header has more than \(settings.headerLimit) bytes or more than \(settings.fieldLimit) fields")
    } else {
      refuse(400, "This is not HTTP/1.1: \(fault)")
    }
  }

  // MARK: Responding

  private func answerWaiting() {
    while phase == .receiving, !waiting.isEmpty {
      let next: AcceptedRequest
      switch waiting.removeFirst() {
      case .failure(let refusal):
        let reply: Reply =
          settings.rejectsInJSON
          ? .error(refusal.status, refusal.words) : .text(refusal.status, refusal.words)
        return send(reply, isHead: false, closes: true)
      case .success(let answerable): next = answerable
      }
      let reply = connections.site.answer(next.request)
      let closes = !next.keepsAlive || inputIsClosed || connections.isClosing
      if let held = reply.held {
        wait(for: held, isHead: next.isHead, closes: closes || !held.keepsAlive)
      } else if reply.delivery == Delivery() {
        send(reply, isHead: next.isHead, closes: closes)
      } else {
        misbehave(reply, isHead: next.isHead, closes: closes)
      }
    }
  }

  /// Sends a reply in one piece, together with the replies to other requests from the same read.
  private func send(_ reply: Reply, isHead: Bool, closes: Bool) {
    guard let context else { return }
    var buffer = context.channel.allocator.buffer(capacity: reply.body.count + 512)
    ReplyBytes.writeHead(of: reply, isHead: isHead, closes: closes, to: &buffer)
    if !isHead { buffer.writeBytes(reply.body) }
    beginWaiting()
    if closes {
      phase = .draining
      context.writeAndFlush(wrapOutboundOut(buffer)).assumeIsolated().whenComplete { _ in self.drain() }
    } else {
      context.write(wrapOutboundOut(buffer), promise: nil)
      hasUnflushed = true
    }
  }

  /// Waits for a deferred reply.
  private func wait(for held: DeferredReply, isHead: Bool, closes: Bool) {
    guard let context else { return }
    phase = .answering
    deadline = .distantFuture
    if hasUnflushed { context.flush() }
    let (loop, this) = (context.eventLoop, NIOLoopBound(self, eventLoop: context.eventLoop))
    let timeout = loop.scheduleTask(in: TimeAmount(held.limit)) { held.expire() }
    held.whenKnown { reply in
      timeout.cancel()
      loop.execute { this.value.resume(reply, isHead: isHead, closes: closes) }
    }
  }

  private func resume(_ reply: Reply, isHead: Bool, closes: Bool) {
    guard phase == .answering, let context, context.channel.isActive else { return }
    phase = .receiving
    send(reply, isHead: isHead, closes: closes || inputIsClosed || connections.isClosing)
    answerWaiting()
    flush(context)
  }

  private func flush(_ context: ChannelHandlerContext) {
    guard hasUnflushed else { return }
    hasUnflushed = false
    context.flush()
  }

  private func misbehave(_ reply: Reply, isHead: Bool, closes: Bool) {
    guard let context else { return }
    phase = .answering
    // The delay of the reply itself has no deadline.
    deadline = .distantFuture
    if hasUnflushed { context.flush() }
    let sending = SlowReply(reply, isHead: isHead, closes: closes)
    let delay = TimeAmount(reply.delivery.delay)
    context.eventLoop.assumeIsolated().scheduleTask(in: delay) { self.step(sending) }
  }

  private func step(_ sending: SlowReply) {
    guard phase == .answering, let context, context.channel.isActive else { return }
    switch sending.next(context.channel.allocator) {
    case .send(let buffer, let pause):
      deadline = .now() + TimeAmount(settings.replyTime) + pause
      context.writeAndFlush(wrapOutboundOut(buffer)).assumeIsolated().whenSuccess {
        if pause == .nanoseconds(0) {
          self.step(sending)
        } else {
          context.eventLoop.assumeIsolated().scheduleTask(in: pause) { self.step(sending) }
        }
      }
    case .reset: abort()
    case .cut:
      phase = .draining
      drain()
    case .finished(let closes):
      if closes || inputIsClosed || connections.isClosing {
        phase = .draining
        return drain()
      }
      phase = .receiving
      beginWaiting()
      answerWaiting()
      flush(context)
    }
  }

  // MARK: Waiting

  /// Waits for the next request, or the rest of it.
  private func beginWaiting() {
    quietSince = .now()
    let isRequested = hasPartialHead || assembly.isUnderWay
    deadline = quietSince + TimeAmount(isRequested ? settings.requestTime : settings.idleTime)
  }

  /// Whether a new connection may replace this one: there is no unanswered request with a complete head.
  var isReplaceable: Bool { phase == .receiving && !assembly.isUnderWay && waiting.isEmpty }

  /// The order of replacement. Connections without any byte of a request come first, then by idle time.
  var rank: (Int, NIODeadline) { (hasPartialHead ? 1 : 0, quietSince) }

  /// Whether replies are still buffered here because the client does not read them.
  private func holdsUnsentBytes(_ context: ChannelHandlerContext) -> Bool {
    var isSent = false
    // Completes at once if all bytes before it were sent.
    context.writeAndFlush(wrapOutboundOut(ByteBuffer())).assumeIsolated().whenComplete { _ in isSent = true }
    return !isSent
  }

  // MARK: Ending

  /// Rejects the request after responding to the requests before it.
  private func refuse(_ status: Int, _ words: String) {
    isDeaf = true
    connections.site.noteRejection(status, words, of: assembly.line)
    waiting.append(.failure(RequestAssembly.Refusal(status: status, words: words)))
    answerWaiting()
  }

  /// Closes the output, and gives the client a moment to close its side.
  private func drain() {
    guard let context, context.channel.isActive else { return }
    deadline = .now() + .seconds(1)
    guard !inputIsClosed else { return context.close(promise: nil) }
    context.close(mode: .output, promise: nil)
  }

  func expire(at now: NIODeadline) {
    guard deadline < now else { return }
    switch phase {
    case .receiving where assembly.isUnderWay: refuse(408, "The request took too long")
    case .receiving, .draining:
      if let context, now < quietSince + TimeAmount(settings.replyTime), holdsUnsentBytes(context) { return }
      end()
    case .answering: abort()
    }
  }

  /// Closes without a response, as clients expect of an idle connection.
  func end() {
    phase = .draining
    context?.close(promise: nil)
  }

  /// Closes the connection unless a request is in flight.
  func finish() {
    guard phase == .receiving, !assembly.isUnderWay else { return }
    context?.close(promise: nil)
  }

  /// Closes the connection with a reset.
  func abort() {
    guard let context, context.channel.isActive else { return }
    phase = .draining
    (context.channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
      .assumeIsolated().whenComplete { _ in context.close(promise: nil) }
  }
}
