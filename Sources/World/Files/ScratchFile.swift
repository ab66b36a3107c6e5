#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A private temporary file without a name. It is gone once it is closed, even if the program is killed.
package protocol ScratchFile: AnyObject {
  /// Returns the bytes from an offset; fewer than `count` at the end of the file.
  func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8]
  /// Writes bytes at an offset. Bytes between the previous end and the offset are zero.
  func write(_ bytes: [UInt8], at offset: Int) throws(SystemError)
}

/// A temporary file of the real file system.
final class LiveScratchFile: ScratchFile {
  private let descriptor: Int32

  init(in folder: String) throws(SystemError) {
    let path = "\(folder)/.ifttt-\(String(UInt64.random(in: .min ... .max), radix: 36))"
    descriptor = open(cPath(path), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .last("create a temporary file in \(folder)") }
    unlink(cPath(path))
  }

  deinit { close(descriptor) }

  func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
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

  func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
    var total = 0
    while total < bytes.count {
      let size = bytes[total...].withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset + total)) }
      if size < 0, errno == EINTR { continue }
      guard size > 0 else { throw .last("write a temporary file") }
      total += size
    }
  }
}
