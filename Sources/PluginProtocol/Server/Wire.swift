#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A plugin's two pipes to the program, moved away from stdin and stdout. Otherwise a stray `print` or a
/// child process could write between the messages, or a child could read them.
final class Wire {
  private let input: Int32
  private let output: Int32
  private var framing = MessageFraming()
  private(set) var hasEnded = false

  /// Takes over stdin and stdout. From then on stdin is empty, and stdout goes to stderr.
  static func standard() -> Wire {
    let wire = Wire(input: fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), output: fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3))
    let null = open("/dev/null", O_RDONLY)
    if null >= 0 {
      dup2(null, STDIN_FILENO)
      if null > STDERR_FILENO { close(null) }
    }
    dup2(STDERR_FILENO, STDOUT_FILENO)
    return wire
  }

  init(input: Int32, output: Int32) { (self.input, self.output) = (input, output) }

  /// The next line; nil once the program has closed its end, or if `waits` is false and no line is available yet.
  func line(waits: Bool) throws(MessageError) -> [UInt8]? {
    while true {
      if let line = try framing.next() { return line }
      guard !hasEnded, waits || isReadable else { return nil }
      receive()
    }
  }

  /// - Throws: ``HostDisconnectedError`` if the program has closed its end.
  func write(_ bytes: [UInt8]) throws(HostDisconnectedError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { writeOnce(output, $0.baseAddress, $0.count) }
      if written >= 0 {
        rest = rest.dropFirst(written)
      } else if errno != EINTR {
        hasEnded = true
        throw HostDisconnectedError()
      }
    }
  }

  /// The monotonic time since an arbitrary moment in the past.
  static func now() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// A descriptor that is readable while data is available.
  var arrivals: Int32 { input }

  /// Whether the program no longer reads.
  var isAbandoned: Bool {
    var entry = pollfd(fd: output, events: 0, revents: 0)
    return poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLERR | POLLNVAL) != 0
  }

  private var isReadable: Bool {
    var entry = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) > 0
  }

  private func receive() {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, filled in
      repeat { count = readOnce(input, buffer.baseAddress, 1 << 16) } while count < 0 && errno == EINTR
      filled = max(0, count)
    }
    if count > 0 { framing.append(bytes) } else { hasEnded = true }
  }
}

/// The program has closed its end: messages can no longer be delivered.
public struct HostDisconnectedError: Error, Sendable, Equatable {
  /// Creates the error.
  public init() {}
}

/// read(2) and write(2), outside the scope of the methods of the same names.
private func readOnce(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ size: Int) -> Int {
  read(descriptor, buffer, size)
}
private func writeOnce(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ size: Int) -> Int {
  write(descriptor, buffer, size)
}
