package protocol RandomBytes: Sendable {
  /// Returns cryptographically secure random bytes, suitable for keys and nonces.
  func bytes(_ count: Int) -> [UInt8]
}
