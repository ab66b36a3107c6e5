#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An open file that is read piece by piece.
package final class FileReader {
  /// The file's descriptor, which is readable while bytes are available.
  package let descriptor: Int32
  private let path: String
  private let interruption: any Interruption

  init(_ descriptor: Int32, _ path: String, _ interruption: any Interruption) {
    (self.descriptor, self.path, self.interruption) = (descriptor, path, interruption)
  }

  deinit { close(descriptor) }

  /// Returns the next bytes, and nil at the end. They are empty if none are available yet, or if a signal that does not
  /// interrupt the program ended the wait.
  /// - Parameter waits: Whether to wait for bytes if none are available.
  /// - Throws: ``SystemError``, with `EINTR` if a wait is interrupted.
  package func read(waits: Bool) throws(SystemError) -> [UInt8]? {
    let ready = Readiness.wait(
      for: [.init(descriptor, .reading), .init(waits ? interruption.descriptor : -1, .reading)],
      atMost: waits ? nil : .zero)
    if ready[1] { throw SystemError(number: EINTR, call: "read \(path)") }
    guard ready[0] else { return [] }
    switch Chunk.read(from: descriptor, call: "read \(path)") {
    case .bytes(let bytes): return bytes
    case .end: return nil
    case .nothing: return []
    case .failed(let error): throw error
    }
  }
}

/// A private temporary file without a name. The system removes it when it is closed, even if the program is killed.
package final class ScratchFile {
  private let descriptor: Int32

  init(in folder: String) throws(SystemError) {
    let path = "\(folder)/.ifttt-\(String(UInt64.random(in: .min ... .max), radix: 36))"
    descriptor = open(cPath(path), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .last("create a temporary file in \(folder)") }
    unlink(cPath(path))
  }

  deinit { close(descriptor) }

  /// Returns the bytes from an offset; fewer than `count` at the end of the file.
  package func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    var (total, failed) = (0, false)
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while total < count {
        let rest = UnsafeMutableBufferPointer(rebasing: buffer[total...])
        let size = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + total))
        if size < 0, errno == EINTR { continue }
        failed = size < 0
        guard size > 0 else { break }
        total += size
      }
      filled = total
    }
    if failed { throw .last("read a temporary file") }
    return bytes
  }

  /// Writes bytes at an offset. Bytes between the previous end and the offset are zero.
  package func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
    var total = 0
    while total < bytes.count {
      let size = bytes[total...].withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset + total)) }
      if size < 0, errno == EINTR { continue }
      guard size > 0 else { throw .last("write a temporary file") }
      total += size
    }
  }
}

/// A file lock from flock(2) that is held until it is released or its holder exits: the system releases it when the
/// descriptor is closed.
package final class FileLock {
  private var descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { release() }

  /// Releases the lock. Repeated calls have no effect.
  package func release() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
  }
}
