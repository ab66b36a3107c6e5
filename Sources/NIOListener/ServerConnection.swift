import Listener
import NIOCore
import NIOHTTP1

/// A client's connection. Requests are handled in order, each answered before the next is processed.
final class ServerConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = ByteBuffer

  enum Phase {
    case receiving
    /// A reply that takes a while is being sent.
    case answering
    /// The last reply was sent, and further input is discarded. Closing at once could discard the reply.
    case draining
  }

  let connections: ServerConnections
  var settings: ListenerSettings { connections.settings }
  var assembly: RequestAssembly
  /// Requests received before the previous one was answered (pipelining).
  var waiting = CircularBuffer<Result<AcceptedRequest, RequestAssembly.Refusal>>()
  /// Whether further input is discarded because the last response is already determined.
  var isDeaf = false
  var phase = Phase.receiving
  var inputIsClosed = false
  var deadline: NIODeadline
  /// The time at which the connection was opened or its last reply was sent.
  var quietSince = NIODeadline.now()
  /// Whether part of a request head was received.
  private var hasPartialHead = false
  var context: ChannelHandlerContext?
  var hasUnflushed = false

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

  // MARK: Waiting

  /// Waits for the next request, or the rest of it.
  func beginWaiting() {
    quietSince = .now()
    let isRequested = hasPartialHead || assembly.isUnderWay
    deadline = quietSince + TimeAmount(isRequested ? settings.requestTime : settings.idleTime)
  }

  /// Whether a new connection may replace this one: there is no unanswered request with a complete head.
  var isReplaceable: Bool { phase == .receiving && !assembly.isUnderWay && waiting.isEmpty }

  /// The order of replacement. Connections without any byte of a request come first, then by idle time.
  var rank: (Int, NIODeadline) { (hasPartialHead ? 1 : 0, quietSince) }

  /// Whether replies are still buffered here because the client does not read them.
  func holdsUnsentBytes(_ context: ChannelHandlerContext) -> Bool {
    var isSent = false
    // Completes at once if all bytes before it were sent.
    context.writeAndFlush(wrapOutboundOut(ByteBuffer())).assumeIsolated().whenComplete { _ in isSent = true }
    return !isSent
  }
}
