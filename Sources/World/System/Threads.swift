#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A thread that runs one closure.
package final class WorkerThread {
  private var thread: pthread_t?

  private init(_ thread: pthread_t?) { self.thread = thread }

  /// - Throws: ``SystemError`` if no thread can be created.
  package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) -> WorkerThread {
    let context = Unmanaged.passRetained(ThreadBody(run: body)).toOpaque()
    var thread: pthread_t?
    let number = makeThread(&thread, context)
    guard number == 0 else {
      Unmanaged<ThreadBody>.fromOpaque(context).release()
      throw SystemError(number: number, call: "pthread_create")
    }
    return WorkerThread(thread)
  }

  /// Waits until the closure has returned.
  package func join() {
    guard let thread else { return }
    self.thread = nil
    pthread_join(thread, nil)
  }
}

private final class ThreadBody {
  let run: @Sendable () -> Void
  init(run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Calls pthread_create(3), whose declarations differ between the systems.
private func makeThread(_ thread: inout pthread_t?, _ context: UnsafeMutableRawPointer) -> Int32 {
  #if canImport(Glibc)
    var made = pthread_t()
    let number = pthread_create(&made, nil, { runBody($0) }, context)
    thread = made
    return number
  #else
    return pthread_create(&thread, nil, { runBody($0) }, context)
  #endif
}

private func runBody(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context { Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run() }
  return nil
}

/// A queue of messages between threads. The receiver can wait for a message and for other descriptors at the same
/// time.
///
/// All mutable state is guarded by `lock`.
package final class Mailbox<Message: Sendable>: @unchecked Sendable {
  private var messages: [Message] = []
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private var pipe: Pipe

  /// - Throws: ``SystemError`` if no more descriptors are available.
  package init() throws(SystemError) {
    guard let pipe = Pipe.make() else { throw .last("pipe") }
    Pipe.unblock(pipe.readEnd)
    Pipe.unblock(pipe.writeEnd)
    self.pipe = pipe
    lock = .allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pipe.close()
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// The descriptor that is readable while the mailbox is not empty.
  package var descriptor: Int32 { pipe.readEnd }

  package func send(_ message: Message) {
    locked { messages.append(message) }
    var byte: UInt8 = 0
    // A full pipe already wakes the receiver.
    _ = write(pipe.writeEnd, &byte, 1)
  }

  /// Removes and returns the oldest message; nil if the mailbox is empty.
  package func receive() -> Message? {
    var byte: UInt8 = 0
    _ = read(pipe.readEnd, &byte, 1)
    return locked { messages.isEmpty ? nil : messages.removeFirst() }
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body()
  }
}

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
