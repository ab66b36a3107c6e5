#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A failed system call.
package struct SystemError: Error, Equatable, CustomStringConvertible {
  package let number: Int32
  package let call: String
  /// The exit status of a program that started and failed; nil for a failed system call.
  package private(set) var exitStatus: Int32?
  package init(number: Int32, call: String) { (self.number, self.call) = (number, call) }
  /// - Parameter exitStatus: A nonzero exit status; 128 + the signal number for a program ended by a signal.
  package init(exitStatus: Int32, of program: String) {
    (number, call, self.exitStatus) = (0, program, exitStatus)
  }
  /// The number for a file that is neither regular nor a link to a regular file. No system call uses it.
  package static let notRegular: Int32 = -1
  package var isNotRegular: Bool { number == Self.notRegular }
  /// Whether a file or the output of a program is larger than the limit.
  package var isTooLarge: Bool { number == EFBIG }
  /// Whether a program did not end within its time.
  package var isTimeout: Bool { number == ETIMEDOUT }
  /// The system call or program, with the system's message for the number or the exit status.
  package var description: String {
    exitStatus.map { "\(call): exit status \($0)" } ?? "\(call): \(SystemError.message(for: number))"
  }
}

extension SystemError {
  /// The error of this thread's last failed system call, from `errno`.
  static func last(_ call: String) -> SystemError { SystemError(number: errno, call: call) }

  /// The system's message for an `errno` value.
  package static func message(for number: Int32) -> String {
    number == notRegular ? "not a regular file" : String(cString: strerror(number))
  }
}

/// Waits with poll(2) until descriptors are ready.
enum Readiness {
  struct Watch {
    enum Purpose { case reading, writing }
    var descriptor: Int32
    var purpose: Purpose
    init(_ descriptor: Int32, _ purpose: Purpose) { (self.descriptor, self.purpose) = (descriptor, purpose) }
  }

  /// Returns, for each watch in order, whether a read or write would not block. This includes the end of input and
  /// broken descriptors, for which the read or write itself reports the condition. All are false after `limit` or a
  /// signal. A descriptor of -1 is never ready.
  @discardableResult
  static func wait(for watches: [Watch], atMost limit: Duration?) -> [Bool] {
    var entries = watches.map { watch in
      pollfd(descriptor: watch.descriptor, events: watch.purpose == .reading ? POLLIN : POLLOUT)
    }
    let count = poll(&entries, nfds_t(entries.count), limit?.pollMilliseconds ?? -1)
    guard count > 0 else { return watches.map { _ in false } }
    return entries.map { $0.revents != 0 }
  }
}

extension pollfd {
  fileprivate init(descriptor: Int32, events: some BinaryInteger) {
    self.init(fd: descriptor, events: Int16(events), revents: 0)
  }
}

/// A pipe whose ends are not inherited by child processes by default. A closed end is -1.
struct Pipe {
  var readEnd: Int32
  var writeEnd: Int32

  /// Returns nil, with `errno` set, if no more descriptors are available.
  static func make() -> Pipe? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { Descriptor.closeOnExec(end) }
    return Pipe(readEnd: ends[0], writeEnd: ends[1])
  }

  mutating func close() {
    Pipe.close(&readEnd)
    Pipe.close(&writeEnd)
  }

  /// Closes the end. Has no effect if it is already closed.
  static func close(_ end: inout Int32) {
    if end >= 0 { Descriptor.close(end) }
    end = -1
  }
}

/// System calls for descriptors, for types whose own methods have the same names.
package enum Descriptor {
  /// The type of a TCP socket, whose declaration differs between the systems.
  #if canImport(Glibc)
    package static let streamSocket = Int32(SOCK_STREAM.rawValue)
  #else
    package static let streamSocket = SOCK_STREAM
  #endif

  package static func close(_ descriptor: Int32) { closeDescriptor(descriptor) }

  /// Makes the descriptor nonblocking: its calls fail with EAGAIN instead of blocking.
  package static func unblock(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
  }

  /// Closes the descriptor in programs that this process starts.
  package static func closeOnExec(_ descriptor: Int32) { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
}

/// Calls close(2), which the methods named `close` would otherwise shadow.
private func closeDescriptor(_ descriptor: Int32) { close(descriptor) }

/// Writes all bytes, through interrupts and on blocking and nonblocking descriptors alike.
///
/// An interrupt does not stop the write: the results so far must still be printed after Ctrl-C. A second Ctrl-C ends
/// the program anyway.
func writeFully(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, call: String) throws(SystemError) {
  var rest = bytes
  while !rest.isEmpty {
    let written = write(descriptor, rest.baseAddress, rest.count)
    if written >= 0 {
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    } else if errno == EAGAIN {
      Readiness.wait(for: [.init(descriptor, .writing)], atMost: nil)
    } else if errno != EINTR {
      throw .last(call)
    }
  }
}

func writeFully(_ bytes: [UInt8], to descriptor: Int32, call: String) throws(SystemError) {
  let result = bytes.withUnsafeBytes { bytes in
    Result { () throws(SystemError) in try writeFully(bytes, to: descriptor, call: call) }
  }
  try result.get()
}

/// The result of one read(2).
enum Chunk {
  case bytes([UInt8])
  case end
  /// The read was interrupted, or no data is available yet.
  case nothing
  case failed(SystemError)

  static func read(from descriptor: Int32, call: @autoclosure () -> String) -> Chunk {
    let size = 1 << 16
    var (count, number): (Int, Int32) = (0, 0)
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
      count = readOnce(descriptor, buffer.baseAddress, size)
      number = errno
      filled = max(0, count)
    }
    if count > 0 { return .bytes(bytes) }
    if count == 0 { return .end }
    return number == EINTR || number == EAGAIN ? .nothing : .failed(SystemError(number: number, call: call()))
  }
}

/// Calls read(2), which methods named `read` would otherwise shadow.
private func readOnce(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ size: Int) -> Int {
  read(descriptor, buffer, size)
}
