#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A pipe whose ends are not inherited by child processes by default. A closed end is -1.
struct Pipe {
  var readEnd: Int32
  var writeEnd: Int32

  /// Returns nil, with `errno` set, if no more descriptors are available.
  static func make() -> Pipe? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return Pipe(readEnd: ends[0], writeEnd: ends[1])
  }

  mutating func close() {
    Pipe.close(&readEnd)
    Pipe.close(&writeEnd)
  }

  /// Closes the end. Has no effect if it is already closed.
  static func close(_ end: inout Int32) {
    if end >= 0 { closeDescriptor(end) }
    end = -1
  }

  /// Makes the end nonblocking: it fails with EAGAIN instead of blocking.
  static func unblock(_ end: Int32) {
    _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
  }
}

/// Calls close(2), which the methods named `close` would otherwise shadow.
private func closeDescriptor(_ descriptor: Int32) { close(descriptor) }
