#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file lock that is held until it is released or its holder exits.
package protocol FileLock: AnyObject {
  /// Releases the lock. Repeated calls have no effect.
  func release()
}

/// A lock from flock(2). It is released when the descriptor is closed, and therefore whenever the process exits.
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
  /// The default implementation, which fails as on a file system without locks.
  package func lock(_ path: String) throws(SystemError) -> (any FileLock)? {
    throw SystemError(number: ENOSYS, call: "flock \(path)")
  }

  /// The default implementation, which fails as on a file system without locks.
  package func sharedLock(_ path: String) throws(SystemError) -> (any FileLock)? {
    throw SystemError(number: ENOSYS, call: "flock \(path)")
  }
}
