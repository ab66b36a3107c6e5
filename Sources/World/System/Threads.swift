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

/// A mutual-exclusion lock. `Synchronization.Mutex` would need macOS 15.
///
/// Unchecked: pthread_mutex_t is made for many threads, and the pointer never changes.
package final class Mutex: @unchecked Sendable {
  /// For pthread_cond_wait(3), which unlocks the mutex while it waits.
  fileprivate let pointer = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  package init() { pthread_mutex_init(pointer, nil) }

  deinit {
    pthread_mutex_destroy(pointer)
    pointer.deallocate()
  }

  /// Calls the closure while no other thread is in a closure of this mutex.
  package func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    pthread_mutex_lock(pointer)
    defer { pthread_mutex_unlock(pointer) }
    return try body()
  }
}

/// A queue of messages between threads. The receiver can wait for a message and for other descriptors at the same
/// time.
///
/// All mutable state is guarded by `lock`.
package final class Mailbox<Message: Sendable>: @unchecked Sendable {
  private var messages: [Message] = []
  private let lock = Mutex()
  private var pipe: Pipe

  /// - Throws: ``SystemError`` if no more descriptors are available.
  package init() throws(SystemError) {
    guard let pipe = Pipe.make() else { throw .last("pipe") }
    Descriptor.unblock(pipe.readEnd)
    Descriptor.unblock(pipe.writeEnd)
    self.pipe = pipe
  }

  deinit {
    pipe.close()
  }

  /// The descriptor that is readable while the mailbox is not empty.
  package var descriptor: Int32 { pipe.readEnd }

  package func send(_ message: Message) {
    lock.withLock { messages.append(message) }
    var byte: UInt8 = 0
    // A full pipe already wakes the receiver.
    _ = write(pipe.writeEnd, &byte, 1)
  }

  /// Removes and returns the oldest message; nil if the mailbox is empty.
  package func receive() -> Message? {
    var byte: UInt8 = 0
    _ = read(pipe.readEnd, &byte, 1)
    return lock.withLock { messages.isEmpty ? nil : messages.removeFirst() }
  }
}

/// A queue between threads from which the receiver removes many elements at once, so that they share the cost of a slow
/// step.
///
/// All mutable state is guarded by `lock`.
package final class BatchQueue<Element: Sendable>: @unchecked Sendable {
  private var elements: [Element] = []
  private var isClosed = false
  private let lock = Mutex()
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  package init() {
    condition = .allocate(capacity: 1)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    condition.deallocate()
  }

  /// Returns false, and adds nothing, if the queue is closed.
  package func add(_ element: Element) -> Bool {
    lock.withLock {
      guard !isClosed else { return false }
      elements.append(element)
      pthread_cond_signal(condition)
      return true
    }
  }

  /// Closes the queue to new elements. The elements in it are still received.
  package func close() {
    lock.withLock {
      isClosed = true
      _ = pthread_cond_broadcast(condition)
    }
  }

  /// Waits for elements, and removes and returns up to `limit` of them, oldest first; empty once the queue is closed
  /// and empty.
  package func next(atMost limit: Int) -> [Element] {
    lock.withLock {
      while elements.isEmpty, !isClosed { pthread_cond_wait(condition, lock.pointer) }
      let batch = Array(elements.prefix(limit))
      elements.removeFirst(batch.count)
      return batch
    }
  }
}
