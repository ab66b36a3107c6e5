import Listener
import NIOCore

// Replies to requests, in their order.
extension ServerConnection {
  func answerWaiting() {
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

  func flush(_ context: ChannelHandlerContext) {
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
}
