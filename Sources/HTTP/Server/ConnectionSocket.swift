#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A connection to a client. Its calls never block.
final class ConnectionSocket {
  enum Received {
    case bytes(Int)
    case end
    /// Nothing has arrived.
    case nothing
    /// The connection is broken.
    case broken
  }

  let descriptor: Int32
  private var isOpen = true

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var on: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit { close() }

  func receive(into buffer: inout [UInt8]) -> Received {
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count > 0 { return .bytes(count) }
      if count == 0 { return .end }
      if errno == EINTR { continue }
      return errno == EAGAIN || errno == EWOULDBLOCK ? .nothing : .broken
    }
  }

  /// Sends as much as the system accepts now.
  /// - Returns: the number of bytes; nil if the connection is broken.
  func send(_ bytes: ArraySlice<UInt8>) -> Int? {
    while true {
      let count = bytes.withUnsafeBytes { sendBytes(descriptor, $0) }
      if count >= 0 { return count }
      if errno == EINTR { continue }
      return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : nil
    }
  }

  /// Tells the client that no more bytes follow.
  func endOutput() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Closes the connection with a reset, so that the client does not take the response for complete.
  func reset() {
    var at0 = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &at0, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  func close() {
    if isOpen { closeDescriptor(descriptor) }
    isOpen = false
  }
}

/// Calls send(2), which the method named `send` would otherwise shadow. The program ignores SIGPIPE, so a broken connection
/// is an error.
private func sendBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  send(descriptor, bytes.baseAddress, bytes.count, 0)
}

/// Calls close(2), which the methods named `close` would otherwise shadow.
func closeDescriptor(_ descriptor: Int32) { close(descriptor) }
