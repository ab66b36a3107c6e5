import JSON
import World

/// A response and its delivery.
package struct Reply: Sendable, Equatable {
  package var status: Int
  /// Without the fields that frame the message: the listener adds `Content-Length`, `Transfer-Encoding` and
  /// `Connection`.
  package var fields: [HeaderField]
  package var body: [UInt8]
  package var delivery = Delivery()
  /// The reply that is sent instead of this one, once it is known.
  package private(set) var deferred: DeferredReply?
  /// The rest of the body, which has no end; nil for a complete body.
  package var stream: ReplyStream?

  package init(status: Int, fields: [HeaderField] = [], body: [UInt8] = []) {
    (self.status, self.fields, self.body) = (status, fields, body)
  }

  /// Creates a reply that makes the client wait for a deferred reply.
  package init(deferred: DeferredReply) {
    self.init(status: 500)
    self.deferred = deferred
  }

  /// An error in the form of IFTTT's Service API.
  package static func error(_ status: Int, _ message: String) -> Reply {
    var text = String.UnicodeScalarView()
    for scalar in message.unicodeScalars { text.append(scalar.properties.generalCategory == .control ? " " : scalar) }
    let body: JSONValue = ["errors": [["message": .string(String(text))]]]
    return Reply(
      status: status, fields: [HeaderField("Content-Type", "application/json; charset=utf-8")], body: body.bytes)
  }

  /// A line of plain text.
  package static func text(_ status: Int, _ line: String) -> Reply {
    Reply(
      status: status, fields: [HeaderField("Content-Type", "text/plain; charset=utf-8")],
      body: Array((line + "\n").utf8))
  }
}

/// The way a reply is sent. The default is that of a normal server; other values are slow, unusual or faulty.
package struct Delivery: Sendable, Equatable {
  /// The end of the reply and its connection.
  package enum Completion: Sendable, Equatable {
    case whole
    /// A TCP reset after this many bytes of the body; nil for a reset before the first byte.
    case reset(afterBody: Int?)
    /// An orderly close in the middle of the body.
    case cut(afterBody: Int)
  }

  /// The number of bytes sent at a time, and the pause between them.
  package struct Drip: Sendable, Equatable {
    package var bytes: Int
    package var pause: Duration
    package init(bytes: Int, pause: Duration) { (self.bytes, self.pause) = (bytes, pause) }
  }

  /// The delay before the first byte.
  package var delay: Duration = .zero
  /// Whether the body is sent in chunks of varying sizes (RFC 9112, section 7.1).
  package var isChunked = false
  /// Whether a trailer field follows the last chunk (RFC 9112, section 7.1.2).
  package var hasTrailer = false
  /// The number of spaces after the body, which count as part of it. They are never all in memory at once.
  package var padding = 0
  package var drip: Drip?
  package var completion = Completion.whole

  package init() {}
}

/// A body that continues until the client or the server ends the connection.
///
/// The server asks for more only when the client has received everything before, so a slow client needs no memory.
///
/// `@unchecked Sendable`: only the server's thread calls `next`.
package final class ReplyStream: @unchecked Sendable, Equatable {
  /// The time between two pieces.
  package let pause: Duration
  private let next: () -> [UInt8]

  /// - Parameter next: Returns the bytes since the last call, or none. It is called on the server's thread.
  package init(every pause: Duration, next: @escaping () -> [UInt8]) { (self.pause, self.next) = (pause, next) }

  func takeNext() -> [UInt8] { next() }

  package static func == (one: ReplyStream, other: ReplyStream) -> Bool { one === other }
}

/// A reply that becomes known later. The client waits until a thread provides it or the time limit expires.
///
/// All mutable state is guarded by `lock`.
package final class DeferredReply: @unchecked Sendable, Equatable {
  package let limit: Duration
  /// Whether the connection stays open after the reply, as after any other reply.
  package let keepsAlive: Bool
  private let standIn: Reply
  private var reply: Reply?
  private var waiters: [@Sendable (Reply) -> Void] = []
  private let lock = Mutex()

  /// - Parameters:
  ///   - standIn: the reply that is sent when the time limit expires.
  ///   - keepsAlive: whether the connection stays open after the reply.
  package init(atMost limit: Duration, else standIn: Reply, keepsAlive: Bool = false) {
    (self.limit, self.standIn, self.keepsAlive) = (limit, standIn, keepsAlive)
  }

  /// The reply, if it is known.
  package var current: Reply? {
    lock.withLock { reply }
  }

  /// Sets the reply. Only the first call has an effect.
  package func fulfill(_ reply: Reply) {
    for waiter in resolve(reply) { waiter(reply) }
  }

  /// Calls the closure once the reply is known, immediately if it is already known.
  package func whenKnown(_ waiter: @escaping @Sendable (Reply) -> Void) {
    if let reply = currentReply(orAdd: waiter) { waiter(reply) }
  }

  /// Sends the stand-in, because the time limit has expired.
  package func expire() { fulfill(standIn) }

  private func resolve(_ reply: Reply) -> [@Sendable (Reply) -> Void] {
    lock.withLock {
      guard self.reply == nil else { return [] }
      self.reply = reply
      defer { waiters = [] }
      return waiters
    }
  }

  private func currentReply(orAdd waiter: @escaping @Sendable (Reply) -> Void) -> Reply? {
    lock.withLock {
      if reply == nil { waiters.append(waiter) }
      return reply
    }
  }

  package static func == (one: DeferredReply, other: DeferredReply) -> Bool { one === other }
}
