#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A reply that becomes known later. The client waits until a thread provides it or the time limit expires.
///
/// All mutable state is guarded by `lock`.
package final class DeferredReply: @unchecked Sendable, Equatable {
  package let limit: Duration
  /// Whether the connection stays open after the reply, as it does after any other.
  package let keepsAlive: Bool
  private let standIn: Reply
  private var reply: Reply?
  private var waiters: [@Sendable (Reply) -> Void] = []
  private let lock: UnsafeMutablePointer<pthread_mutex_t>

  /// - Parameters:
  ///   - standIn: the reply that is sent when the time limit expires.
  ///   - keepsAlive: whether the connection stays open after the reply.
  package init(atMost limit: Duration, else standIn: Reply, keepsAlive: Bool = false) {
    (self.limit, self.standIn, self.keepsAlive) = (limit, standIn, keepsAlive)
    lock = .allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// The reply, if it is known.
  package var current: Reply? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return reply
  }

  /// Sets the reply. Only the first call has an effect.
  package func fulfill(_ reply: Reply) {
    for waiter in resolve(reply) { waiter(reply) }
  }

  /// Calls the closure once the reply is known, immediately if it is already known.
  package func whenKnown(_ waiter: @escaping @Sendable (Reply) -> Void) {
    if let reply = known(or: waiter) { waiter(reply) }
  }

  /// Sends the stand-in, because the time limit has expired.
  package func expire() { fulfill(standIn) }

  private func resolve(_ reply: Reply) -> [@Sendable (Reply) -> Void] {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    guard self.reply == nil else { return [] }
    self.reply = reply
    defer { waiters = [] }
    return waiters
  }

  private func known(or waiter: @escaping @Sendable (Reply) -> Void) -> Reply? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    if reply == nil { waiters.append(waiter) }
    return reply
  }

  package static func == (one: DeferredReply, other: DeferredReply) -> Bool { one === other }
}
