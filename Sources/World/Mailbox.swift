#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Where one thread leaves something for another, which can wait for it beside other things.
///
/// Unchecked: what changes is changed under the lock alone.
package final class Mailbox<Letter: Sendable>: @unchecked Sendable {
  private var letters: [Letter] = []
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private var pipe: Pipe

  /// - Throws: ``SystemError`` where the system gives no more descriptors.
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

  /// Readable while something lies in it.
  package var descriptor: Int32 { pipe.readEnd }

  package func post(_ letter: Letter) {
    locked { letters.append(letter) }
    var byte: UInt8 = 0
    // A pipe that is full says all it can say.
    _ = write(pipe.writeEnd, &byte, 1)
  }

  /// What has lain there longest; nil where nothing does.
  package func take() -> Letter? {
    var byte: UInt8 = 0
    _ = read(pipe.readEnd, &byte, 1)
    return locked { letters.isEmpty ? nil : letters.removeFirst() }
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body()
  }
}
