import NIOCore
import NIOHTTP1

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// One client's connection: requests in the order in which they come, each answered before the next is looked at.
final class ServerConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = ByteBuffer

  private enum Phase {
    case receiving
    /// A reply is on its way, which takes a while.
    case answering
    /// The last reply went out, and what still comes is thrown away: closing at once could take the reply along.
    case draining
  }

  private let connections: ServerConnections
  private var settings: ListenerSettings { connections.settings }
  private var assembly: RequestAssembly
  /// What came before the request ahead of it was answered (pipelining).
  private var waiting = CircularBuffer<Result<AcceptedRequest, RequestAssembly.Refusal>>()
  /// Whether what still comes is thrown away, since the last answer is known.
  private var isDeaf = false
  private var phase = Phase.receiving
  private var inputIsClosed = false
  private var deadline: NIODeadline
  /// When the connection was opened, or its last reply was sent.
  private var quietSince = NIODeadline.now()
  /// Whether a part of a request head came.
  private var hasPartialHead = false
  private var context: ChannelHandlerContext?
  private var hasUnflushed = false

  init(of connections: ServerConnections) {
    self.connections = connections
    assembly = RequestAssembly(bodyLimit: connections.settings.bodyLimit)
    deadline = .now() + TimeAmount(connections.settings.idleTime)
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }
  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelActive(context: ChannelHandlerContext) {
    if !connections.add(self) { refuse(503, "There are too many connections") }
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
        // Of a pipelined request, whose first bytes came with the request ahead of it.
        if !hasPartialHead { deadline = .now() + TimeAmount(settings.requestTime) }
        hasPartialHead = false
        if try assembly.begin(head), waiting.isEmpty, phase == .receiving {
          context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: ReplyBytes.goOn)), promise: nil)
        }
      case .body(let bytes): try assembly.take(bytes)
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
    if hasUnflushed {
      hasUnflushed = false
      context.flush()
    }
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
      refuse(431, "The fields are longer than \(settings.headerLimit) bytes, or more than \(settings.fieldLimit)")
    } else {
      refuse(400, "This is not HTTP/1.1: \(fault)")
    }
  }

  // MARK: Answering

  private func answerWaiting() {
    while phase == .receiving, !waiting.isEmpty {
      let next: AcceptedRequest
      switch waiting.removeFirst() {
      case .failure(let refusal): return send(.text(refusal.status, refusal.words), isHead: false, closes: true)
      case .success(let answerable): next = answerable
      }
      let reply = connections.site.answer(next.request)
      let closes = !next.keepsAlive || inputIsClosed || connections.isClosing
      if let held = reply.held {
        wait(for: held, isHead: next.isHead)
      } else if reply.delivery == Delivery() {
        send(reply, isHead: next.isHead, closes: closes)
      } else {
        misbehave(reply, isHead: next.isHead, closes: closes)
      }
    }
  }

  /// In one piece, which goes out with whatever else was read together.
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

  /// The connection ends with the reply.
  private func wait(for held: DeferredReply, isHead: Bool) {
    guard let context else { return }
    phase = .answering
    deadline = .distantFuture
    if hasUnflushed { context.flush() }
    let (loop, this) = (context.eventLoop, NIOLoopBound(self, eventLoop: context.eventLoop))
    held.whenKnown { reply in
      loop.execute { this.value.resume(reply, isHead: isHead) }
    }
    loop.scheduleTask(in: TimeAmount(held.limit)) { held.expire() }
  }

  private func resume(_ reply: Reply, isHead: Bool) {
    guard phase == .answering, let context, context.channel.isActive else { return }
    send(reply, isHead: isHead, closes: true)
  }

  private func misbehave(_ reply: Reply, isHead: Bool, closes: Bool) {
    guard let context else { return }
    phase = .answering
    // Its own time is the reply's to take.
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
      if hasUnflushed {
        hasUnflushed = false
        context.flush()
      }
    }
  }

  // MARK: Waiting

  /// For the next request, or the rest of it.
  private func beginWaiting() {
    quietSince = .now()
    let isRequested = hasPartialHead || assembly.isUnderWay
    deadline = quietSince + TimeAmount(isRequested ? settings.requestTime : settings.idleTime)
  }

  /// Whether a new connection may take this one's place: no whole request head has come that is not answered.
  var isReplaceable: Bool { phase == .receiving && !assembly.isUnderWay && waiting.isEmpty }

  /// Those that are replaced first rank lowest: without a byte of a request, and for long.
  var rank: (Int, NIODeadline) { (hasPartialHead ? 1 : 0, quietSince) }

  /// Whether replies are still in this program because the client does not read them.
  private func holdsUnsentBytes(_ context: ChannelHandlerContext) -> Bool {
    var isSent = false
    // Completed at once if all bytes before it are gone.
    context.writeAndFlush(wrapOutboundOut(ByteBuffer())).assumeIsolated().whenComplete { _ in isSent = true }
    return !isSent
  }

  // MARK: Ending

  /// In its turn: what came before is answered first.
  private func refuse(_ status: Int, _ words: String) {
    isDeaf = true
    waiting.append(.failure(RequestAssembly.Refusal(status: status, words: words)))
    answerWaiting()
  }

  /// Says that nothing more comes, and gives the client a moment to say the same.
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

  /// Closes without a word, as a client expects of an idle connection.
  func end() {
    phase = .draining
    context?.close(promise: nil)
  }

  /// Closes once nothing is under way.
  func finish() {
    guard phase == .receiving, !assembly.isUnderWay else { return }
    context?.close(promise: nil)
  }

  /// Ends it with a reset.
  func abort() {
    guard let context, context.channel.isActive else { return }
    phase = .draining
    (context.channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
      .assumeIsolated().whenComplete { _ in context.close(promise: nil) }
  }
}
