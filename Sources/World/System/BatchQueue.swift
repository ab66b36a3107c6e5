#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A queue between threads whose receiver takes everything that has accumulated, so that the cost of a slow step is
/// shared by all of it.
///
/// All mutable state is guarded by `lock`.
package final class BatchQueue<Element: Sendable>: @unchecked Sendable {
  private var elements: [Element] = []
  private var isClosed = false
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let hasNews: UnsafeMutablePointer<pthread_cond_t>

  package init() {
    lock = .allocate(capacity: 1)
    hasNews = .allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
    pthread_cond_init(hasNews, nil)
  }

  deinit {
    pthread_cond_destroy(hasNews)
    pthread_mutex_destroy(lock)
    hasNews.deallocate()
    lock.deallocate()
  }

  /// Returns false, and adds nothing, if the queue is closed.
  package func add(_ element: Element) -> Bool {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    guard !isClosed else { return false }
    elements.append(element)
    pthread_cond_signal(hasNews)
    return true
  }

  /// Accepts no more elements. Those in the queue are still received.
  package func close() {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    isClosed = true
    pthread_cond_broadcast(hasNews)
  }

  /// Waits for elements, and removes and returns up to `limit` of them, oldest first; empty once the queue is closed
  /// and empty.
  package func next(atMost limit: Int) -> [Element] {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while elements.isEmpty, !isClosed { pthread_cond_wait(hasNews, lock) }
    let batch = Array(elements.prefix(limit))
    elements.removeFirst(batch.count)
    return batch
  }
}
