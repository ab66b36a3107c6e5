#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A pipe whose ends no child process inherits unasked. An end that was closed is -1.
struct Pipe {
  var readEnd: Int32
  var writeEnd: Int32

  /// Nil, with `errno` set, where the system gives no more descriptors.
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

  /// Does nothing to an end that is already closed.
  static func close(_ end: inout Int32) {
    if end >= 0 { closeDescriptor(end) }
    end = -1
  }

  /// Makes the end answer EAGAIN where it would block.
  static func unblock(_ end: Int32) {
    _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
  }
}

/// close(2), out of reach of the methods of the same name.
private func closeDescriptor(_ descriptor: Int32) { close(descriptor) }
