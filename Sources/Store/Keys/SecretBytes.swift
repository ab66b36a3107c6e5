import CSystem

/// Bytes that are overwritten with zeros when the last reference to this object is released.
///
/// Copies of ``bytes`` that outlive the object are not overwritten, so they must be short-lived.
final class SecretBytes: @unchecked Sendable {
  // Unchecked: there is no guard, because the bytes change only in `deinit`.
  private(set) var bytes: [UInt8]

  init(_ bytes: consuming [UInt8]) { self.bytes = bytes }

  deinit { bytes.overwrite() }
}

extension [UInt8] {
  /// Overwrites the bytes with zeros. They must have no other copy: that copy would stay as it is.
  mutating func overwrite() {
    withUnsafeMutableBytes { if let start = $0.baseAddress { secret_memory_clear(start, $0.count) } }
  }
}
