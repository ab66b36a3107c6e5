/// What a site answers, and how it is to be sent.
package struct Reply: Sendable, Equatable {
  package var status: Int
  /// Without those that frame the message: `Content-Length`, `Transfer-Encoding` and `Connection` are the listener's.
  package var fields: [HeaderField]
  package var body: [UInt8]
  package var delivery = Delivery()
  /// What is sent instead, once it is known.
  package private(set) var held: DeferredReply?

  package init(status: Int, fields: [HeaderField] = [], body: [UInt8] = []) {
    (self.status, self.fields, self.body) = (status, fields, body)
  }

  /// The client waits for it.
  package init(held: DeferredReply) {
    self.init(status: 500)
    self.held = held
  }

  /// A line of plain text.
  package static func text(_ status: Int, _ line: String) -> Reply {
    Reply(
      status: status, fields: [HeaderField("Content-Type", "text/plain; charset=utf-8")],
      body: Array((line + "\n").utf8))
  }
}

/// How a reply goes over the wire. All but the standard are ways to misbehave.
package struct Delivery: Sendable, Equatable {
  /// What becomes of the connection.
  package enum Ending: Sendable, Equatable {
    case whole
    /// A TCP reset once this many bytes of the body went out; nil before anything did.
    case reset(afterBody: Int?)
    /// An orderly close in the middle of the body.
    case cut(afterBody: Int)
  }

  /// Bytes sent at a time, and the pause between.
  package struct Drip: Sendable, Equatable {
    package var bytes: Int
    package var pause: Duration
    package init(bytes: Int, pause: Duration) { (self.bytes, self.pause) = (bytes, pause) }
  }

  /// Before the first byte.
  package var delay: Duration = .zero
  /// The body comes in chunks (RFC 9112, section 7.1) of no even size.
  package var isChunked = false
  /// Whether a trailer field follows the last chunk (RFC 9112, section 7.1.2).
  package var hasTrailer = false
  /// Spaces that follow the body and count as part of it; never in memory at once.
  package var padding = 0
  package var drip: Drip?
  package var ending = Ending.whole

  package init() {}
}
