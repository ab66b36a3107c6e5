#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A lock on a file that is held until it is released, or its holder is gone.
package protocol FileLock: AnyObject {
  /// Does nothing the second time.
  func release()
}

/// flock(2)'s lock, which ends with the descriptor and so with the process, however that ends.
final class AdvisoryFileLock: FileLock {
  private var descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { release() }

  func release() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
  }
}

extension Files {
  /// Where nothing can be locked.
  package func lock(_ path: String) throws(SystemError) -> (any FileLock)? {
    throw SystemError(number: ENOSYS, call: "flock \(path)")
  }
}
