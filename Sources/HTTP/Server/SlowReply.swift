/// A reply that is sent in pieces or cut short.
struct SlowReply {
  enum Step {
    /// Send this, then wait before the next step.
    case send([UInt8], then: Duration)
    case reset
    case cut
    case finished(closes: Bool)
  }

  private let reply: Reply
  private let closes: Bool
  private let headBytes: Int
  private var rest: ArraySlice<UInt8>
  private var padding: Int
  private var isStarted = false

  init(_ reply: Reply, isHead: Bool, closes: Bool) {
    (self.reply, self.closes) = (reply, closes)
    var bytes: [UInt8] = []
    ReplyBytes.appendHead(of: reply, closes: closes, to: &bytes)
    headBytes = bytes.count
    let delivery = reply.delivery
    var body =
      isHead
      ? [] : delivery.isChunked ? ReplyBytes.chunked(reply.body, hasTrailer: delivery.hasTrailer) : reply.body
    padding = isHead || delivery.isChunked ? 0 : delivery.padding
    switch reply.delivery.ending {
    case .whole: break
    case .reset(let count):
      if let count { body = Array(body.prefix(count)) }
      padding = 0
    case .cut(let count):
      body = Array(body.prefix(count))
      padding = 0
    }
    rest = (bytes + body)[...]
  }

  mutating func next() -> Step {
    if case .reset(nil) = reply.delivery.ending { return .reset }
    if let drip = reply.delivery.drip, isStarted, !rest.isEmpty {
      let piece = rest.prefix(max(1, drip.bytes))
      rest = rest.dropFirst(piece.count)
      return .send(Array(piece), then: drip.pause)
    }
    if !rest.isEmpty {
      // The head is sent in one piece even if the body drips.
      let piece = reply.delivery.drip == nil ? rest : rest.prefix(headBytes)
      rest = rest.dropFirst(piece.count)
      isStarted = true
      return .send(Array(piece), then: .zero)
    }
    if padding > 0 {
      let count = min(padding, 256 * 1024)
      padding -= count
      return .send([UInt8](repeating: UInt8(ascii: " "), count: count), then: .zero)
    }
    switch reply.delivery.ending {
    case .whole: return .finished(closes: closes)
    case .reset: return .reset
    case .cut: return .cut
    }
  }
}
