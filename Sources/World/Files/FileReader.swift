#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An open file that is read piece by piece, without waiting for a slow writer.
package protocol FileReader: AnyObject {
  /// Readable while a piece is available.
  var descriptor: Int32 { get }
  /// Returns the next bytes; empty if none are available yet, and nil at the end.
  /// - Parameter waits: Whether to wait for bytes if none are available.
  /// - Throws: ``SystemError``, with `EINTR` if a wait is interrupted.
  func read(waits: Bool) throws(SystemError) -> [UInt8]?
}

/// A file of the real file system.
final class LiveFileReader: FileReader {
  let descriptor: Int32
  private let path: String
  private let interruption: any Interruption

  init(_ descriptor: Int32, _ path: String, _ interruption: any Interruption) {
    (self.descriptor, self.path, self.interruption) = (descriptor, path, interruption)
  }

  deinit { close(descriptor) }

  func read(waits: Bool) throws(SystemError) -> [UInt8]? {
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
