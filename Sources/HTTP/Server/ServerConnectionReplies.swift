import World

// Replies to requests, in their order.
extension ServerConnection {
  func answerWaiting(at now: Duration) {
    while phase == .receiving, hasRoom, !waiting.isEmpty {
      switch waiting.removeFirst() {
      case .failure(let rejection):
        let reply: Reply =
          settings.rejectsInJSON
          ? .error(rejection.status, rejection.words) : .text(rejection.status, rejection.words)
        send(reply, isHead: false, closes: true, at: now)
      case .success(let next): answer(next, at: now)
      }
    }
  }

  private func answer(_ next: AcceptedRequest, at now: Duration) {
    let reply = connections.site.answer(next.request)
    let closes = !next.keepsAlive || inputIsClosed || connections.isClosing
    if let held = reply.held {
      wait(for: held, isHead: next.isHead, closes: closes || !held.keepsAlive, at: now)
    } else if reply.delivery == Delivery() {
      send(reply, isHead: next.isHead, closes: closes, at: now)
    } else {
      phase = .answering
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
    if closes { (phase, isDeaf) = (.draining, true) }
    // As soon as the client has read the reply, the time of the next request begins.
    deadline = now + settings.replyTime
  }

  /// Waits for a deferred reply.
  private func wait(for held: DeferredReply, isHead: Bool, closes: Bool, at now: Duration) {
    phase = .answering
    deadline = nil
    self.held = PendingReply(reply: held, end: now + held.limit, isHead: isHead, closes: closes)
    let (messages, number) = (connections.messages, number)
    held.whenKnown { messages.send(.reply($0, connection: number)) }
  }

  /// Sends the deferred reply that the client has waited for.
  func resume(_ reply: Reply, at now: Duration) {
    guard phase == .answering, let held else { return }
    self.held = nil
    phase = .receiving
    send(reply, isHead: held.isHead, closes: held.closes || inputIsClosed || connections.isClosing, at: now)
    answerWaiting(at: now)
    flush(at: now)
  }

  /// Sends the next piece of a reply, which continues when the piece was sent.
  func step(at now: Duration) {
    guard phase == .answering, var reply = sending else { return }
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
      answerWaiting(at: now)
    }
  }
}
