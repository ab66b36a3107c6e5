#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

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
