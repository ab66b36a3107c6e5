#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A reply that is known only later: the client waits until some thread gives it, or the time is up.
///
/// Unchecked: what changes is changed under the lock alone.
package final class DeferredReply: @unchecked Sendable, Equatable {
  let limit: Duration
  private let standIn: Reply
  private var reply: Reply?
  private var waiters: [@Sendable (Reply) -> Void] = []
  private let lock: UnsafeMutablePointer<pthread_mutex_t>

  /// - Parameter standIn: what is sent once the time is up.
  package init(atMost limit: Duration, else standIn: Reply) {
    (self.limit, self.standIn) = (limit, standIn)
    lock = .allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// What it is by now.
  package var current: Reply? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return reply
  }

  /// The first one counts.
  package func fulfil(_ reply: Reply) {
    for waiter in settle(reply) { waiter(reply) }
  }

  /// Calls it at once where the reply is known.
  func whenKnown(_ waiter: @escaping @Sendable (Reply) -> Void) {
    if let reply = known(or: waiter) { waiter(reply) }
  }

  /// For whom the time is up.
  func expire() { fulfil(standIn) }

  private func settle(_ reply: Reply) -> [@Sendable (Reply) -> Void] {
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
