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

  /// Listens on the address of the settings. - Throws: ``ListenerError``.
  init(_ settings: ListenerSettings) throws(ListenerError) {
    let name = settings.interface ?? settings.address.host.rawValue
    var request = addrinfo()
    request.ai_family = AF_UNSPEC
    request.ai_socktype = Descriptor.streamSocket
    request.ai_flags = AI_PASSIVE
    var found: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(name, String(settings.address.port), &request, &found)
    guard status == 0, let found else {
      throw ListenerError(isAddressInUse: false, description: String(cString: gai_strerror(status)))
    }
    defer { freeaddrinfo(found) }
    descriptor = socket(found.pointee.ai_family, Descriptor.streamSocket, 0)
    guard descriptor >= 0 else { throw .last() }
    prepare(descriptor)
    var on: Int32 = 1
    // A server that was just closed leaves connections behind, and they must not block its port.
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    guard bind(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0, listen(descriptor, 1024) == 0 else {
      let error = ListenerError.last()
      close()
      throw error
    }
  }

  deinit { close() }

  /// The port, also if the settings left the choice to the system.
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
    /// The process has no descriptors left, so a connection waits that cannot be accepted.
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

  /// Tells the client that no more bytes follow.
  func endOutput() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Closes the connection with a reset, so that the client does not take the response for complete.
  func reset() {
    var at0 = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &at0, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  func close() {
    if isOpen { Descriptor.close(descriptor) }
    isOpen = false
  }
}

/// Calls send(2), which the method named `send` would otherwise shadow. The program ignores SIGPIPE, so a broken connection
/// is an error.
private func sendBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  send(descriptor, bytes.baseAddress, bytes.count, 0)
}
