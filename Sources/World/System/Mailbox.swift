#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

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
