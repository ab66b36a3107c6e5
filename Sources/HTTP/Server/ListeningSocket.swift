import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The socket on which a server accepts connections. It never blocks.
final class ListeningSocket {
  let descriptor: Int32
  private var isOpen = true

  /// Listens on the address of the settings.
  /// - Throws: ``ListenerError``.
  init(_ settings: ListenerSettings) throws(ListenerError) {
    let name = settings.interface?.description ?? settings.address.host.rawValue
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Descriptor.streamSocket
    hints.ai_flags = AI_PASSIVE
    var addresses: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(name, String(settings.address.port), &hints, &addresses)
    guard status == 0, let addresses else {
      throw ListenerError(isAddressInUse: false, description: String(cString: gai_strerror(status)))
    }
    defer { freeaddrinfo(addresses) }
    descriptor = socket(addresses.pointee.ai_family, Descriptor.streamSocket, 0)
    guard descriptor >= 0 else { throw .last() }
    prepare(descriptor)
    var on: Int32 = 1
    // A server that was just closed leaves connections behind, and they must not block its port.
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    guard bind(descriptor, addresses.pointee.ai_addr, addresses.pointee.ai_addrlen) == 0, listen(descriptor, 1024) == 0
    else {
      let error = ListenerError.last()
      close()
      throw error
    }
  }

  deinit { close() }

  /// The port, even if the system selected it.
  var port: Int {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &address) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor, $0, &size) }
      if storage.pointee.ss_family == sa_family_t(AF_INET6) {
        return storage.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
          Int(UInt16(bigEndian: $0.pointee.sin6_port))
        }
      }
      return storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        Int(UInt16(bigEndian: $0.pointee.sin_port))
      }
    }
  }

  enum Accepted {
    case connection(ConnectionSocket)
    /// No connection is waiting.
    case nothing
    /// A connection is waiting, but the system has no descriptors or no memory for it.
    case exhausted
  }

  func accept() -> Accepted {
    while true {
      let accepted = acceptConnection(descriptor)
      if accepted >= 0 {
        prepare(accepted)
        return .connection(ConnectionSocket(accepted))
      }
      switch errno {
      case EINTR, ECONNABORTED: continue
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
      default: return .nothing
      }
    }
  }

  func close() {
    if isOpen { Descriptor.close(descriptor) }
    isOpen = false
  }
}

extension ListenerError {
  /// The error of this thread's last failed system call.
  fileprivate static func last() -> ListenerError {
    ListenerError(isAddressInUse: errno == EADDRINUSE, description: SystemError.message(for: errno))
  }
}

private func prepare(_ descriptor: Int32) {
  Descriptor.closeOnExec(descriptor)
  Descriptor.unblock(descriptor)
}

/// Calls accept(2), which the methods named `accept` would otherwise shadow.
private func acceptConnection(_ descriptor: Int32) -> Int32 { accept(descriptor, nil, nil) }

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

  /// Closes the output, so that the client receives the end of the stream.
  func endOutput() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Closes the connection with a reset, so that the client does not accept the response as complete.
  func reset() {
    var immediateReset = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &immediateReset, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  func close() {
    if isOpen { Descriptor.close(descriptor) }
    isOpen = false
  }
}

/// Calls send(2), which the method named `send` would otherwise shadow. The program ignores SIGPIPE, so a broken
/// connection is an error.
private func sendBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  send(descriptor, bytes.baseAddress, bytes.count, 0)
}
