#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A destination for bytes: stdout or stderr.
package protocol ByteSink: AnyObject {
  /// Writes all bytes.
  /// - Throws: ``SystemError``: `EPIPE` if the reader has closed the stream.
  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError)
  /// Whether the reader is known to have closed the stream, so that a write would fail.
  var isAbandoned: Bool { get }
  /// The size of each write of a long output, in bytes.
  func sizeOfLongWrites() -> Int
}

extension ByteSink {
  package var isAbandoned: Bool { false }
  package func sizeOfLongWrites() -> Int { 32 * 1024 }
}

/// An unbuffered writer for a file descriptor.
package final class DescriptorSink: ByteSink {
  private let descriptor: Int32

  /// Creates a sink that does not own the descriptor and never closes it.
  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    try writeFully(bytes, to: descriptor, call: "write")
  }

  /// For a pipe or a socket, poll(2) reports a closed reader without a write.
  package var isAbandoned: Bool {
    var watched = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&watched, 1, 0) == 1 && Int32(watched.revents) & Int32(POLLERR) != 0
  }

  /// For a pipe, half of its capacity: the reader empties one half while this program fills the other. Each write
  /// begins a new page of the pipe, so with one more byte, two writes would not fit.
  ///
  /// The pipe is enlarged first, because a larger pipe needs fewer switches between the two processes.
  package func sizeOfLongWrites() -> Int {
    #if os(Linux)
      // F_SETPIPE_SZ and F_GETPIPE_SZ of fcntl(2), which the module does not declare.
      let (setCapacity, getCapacity): (Int32, Int32) = (1031, 1032)
      guard fcntl(descriptor, getCapacity) > 0 else { return 32 * 1024 }
      // This fails if the user has many large pipes.
      _ = fcntl(descriptor, setCapacity, 256 * 1024)
      return min(max(Int(fcntl(descriptor, getCapacity)) / 2, 32 * 1024), 128 * 1024)
    #else
      return 32 * 1024
    #endif
  }
}

extension ByteSink {
  /// Writes the text as UTF-8.
  package func write(_ text: String) throws(SystemError) {
    var text = text
    let result = text.withUTF8 { bytes in
      Result { () throws(SystemError) in try write(UnsafeRawBufferPointer(bytes)) }
    }
    try result.get()
  }

  package func write(_ bytes: [UInt8]) throws(SystemError) {
    let result = bytes.withUnsafeBytes { bytes in Result { () throws(SystemError) in try write(bytes) } }
    try result.get()
  }
}
