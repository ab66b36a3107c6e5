// Rejected requests, timeouts, and the end of a connection.
extension ServerConnection {
  /// Rejects the request after responding to the requests before it.
  func refuse(_ rejection: RequestRejection, at now: Duration) {
    isDeaf = true
    connections.site.noteRejection(rejection.status, rejection.words, of: assembly.line)
    waiting.append(.failure(rejection))
    answerWaiting(at: now)
    flush(at: now)
  }

  /// Ends the connection after the bytes that are still unsent.
  func end(at now: Duration) {
    (phase, isDeaf) = (.draining, true)
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
    if isOpen, let held, held.end <= now { held.reply.expire() }
    guard isOpen, let deadline, deadline <= now else { return }
    switch phase {
    case .receiving where assembly.isUnderWay:
      refuse(RequestRejection(status: 408, words: "The request took too long"), at: now)
    // Without a response, as clients expect of an idle connection.
    case .receiving, .draining: close()
    case .answering: abort()
    }
  }

  /// Closes the connection unless a request is in flight.
  func finish(at now: Duration) {
    guard phase == .receiving, !assembly.isUnderWay else { return }
    if hasUnsentBytes { end(at: now) } else { close() }
  }
}
