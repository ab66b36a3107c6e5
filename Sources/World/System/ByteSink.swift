/// A destination for bytes: stdout or stderr.
package protocol ByteSink: AnyObject {
  /// Writes all bytes.
  /// - Throws: ``SystemError``: `EPIPE` if the reader has closed the stream.
  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError)
  /// Whether the reader is known to have closed the stream, so that a write would fail.
  var isAbandoned: Bool { get }
}

extension ByteSink {
  package var isAbandoned: Bool { false }
}
