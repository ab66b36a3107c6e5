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
  /// The number of bytes to write at a time when there is much to write.
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

  /// For a pipe, half of its capacity, so that its reader works while the other half is filled. A pipe holds a number of
  /// pages, and each write begins a new one: one byte more, and the writer waits for the reader.
  ///
  /// Linux creates pipes of 64 KiB. One of 256 KiB needs fewer switches between the two processes, and a long list takes a
  /// sixth less time.
  package func sizeOfLongWrites() -> Int {
    #if os(Linux)
      // fcntl(2); the names are in no module.
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
