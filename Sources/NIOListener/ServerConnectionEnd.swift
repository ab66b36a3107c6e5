import Listener
import NIOCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// Rejected requests, timeouts, and the end of a connection.
extension ServerConnection {
  /// Rejects the request after responding to the requests before it.
  func refuse(_ status: Int, _ words: String) {
    isDeaf = true
    connections.site.noteRejection(status, words, of: assembly.line)
    waiting.append(.failure(RequestAssembly.Refusal(status: status, words: words)))
    answerWaiting()
  }

  /// Closes the output, and gives the client a moment to close its side.
  func drain() {
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
