#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// TCP connections to other hosts, for protocols other than HTTP.
package protocol TCPConnections: AnyObject {
  /// Resolves the host and connects to the first address that accepts.
  /// - Parameter limit: The timeout for all addresses together, not including name resolution.
  func connect(host: String, port: UInt16, limit: Duration) throws(ConnectionError) -> any ByteStream
}

/// A bidirectional byte stream. It is closed when its last reference is released, if not before.
package protocol ByteStream: AnyObject {
  /// Returns bytes as soon as any arrive; empty once the peer has closed its side, nil after a timeout.
  /// - Parameter limit: The timeout; nil for none.
  func readSome(atMost limit: Duration?) throws(ConnectionError) -> [UInt8]?
  /// Writes all bytes.
  func write(_ bytes: [UInt8]) throws(ConnectionError)
  /// Closes the stream. Later reads return the end of the stream, and later writes fail.
  func close()
}

/// The reason a connection failed or was lost.
package enum ConnectionError: Error, Equatable {
  case interrupted
  case timedOut
  /// The host has no address. `reason` is the system's message.
  case unknownHost(reason: String)
  case system(SystemError)
}

/// An implementation without network access.
package final class NoTCPConnections: TCPConnections {
  package init() {}
  package func connect(host: String, port: UInt16, limit: Duration) throws(ConnectionError) -> any ByteStream {
    throw .unknownHost(reason: "network connections are not available")
  }
}

/// TCP connections over the system's sockets. Ctrl-C ends every wait except name resolution.
package final class LiveConnections: TCPConnections {
  private let interruption: any Interruption

  package init(interruption: any Interruption) { self.interruption = interruption }

  package func connect(host: String, port: UInt16, limit: Duration) throws(ConnectionError) -> any ByteStream {
    let clock = LiveClock(interruption: interruption)
    let end = clock.monotonic() + limit
    let addresses = try Self.addresses(of: host, port: port)
    defer { freeaddrinfo(addresses) }
    var failure = ConnectionError.unknownHost(reason: "it has no address")
    var next: UnsafeMutablePointer<addrinfo>? = addresses
    while let address = next {
      do throws(ConnectionError) {
        return try connect(to: address.pointee, until: end, clock)
      } catch {
        guard error != .interrupted, error != .timedOut else { throw error }
        failure = error
      }
      next = address.pointee.ai_next
    }
    throw failure
  }

  /// Resolves the host. The caller frees the result.
  private static func addresses(
    of host: String, port: UInt16
  ) throws(ConnectionError) -> UnsafeMutablePointer<addrinfo>? {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Descriptor.streamSocket
    var addresses: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(host, String(port), &hints, &addresses)
    guard status == 0 else {
      if status == EAI_SYSTEM { throw .system(.last("getaddrinfo")) }
      throw .unknownHost(reason: String(cString: gai_strerror(status)))
    }
    return addresses
  }

  private func connect(
    to address: addrinfo, until end: Duration, _ clock: LiveClock
  ) throws(ConnectionError) -> SocketStream {
    let descriptor = socket(address.ai_family, Descriptor.streamSocket, 0)
    guard descriptor >= 0 else { throw .system(.last("socket")) }
    Descriptor.closeOnExec(descriptor)
    Descriptor.unblock(descriptor)
    // From here on, the stream closes the descriptor, even on failure.
    let stream = SocketStream(descriptor, interruption: interruption)
    guard connectSocket(descriptor, address.ai_addr, address.ai_addrlen) != 0 else { return stream }
    guard errno == EINPROGRESS || errno == EINTR else { throw .system(.last("connect")) }
    while true {
      let ready = Readiness.wait(
        for: [.init(descriptor, .writing), .init(interruption.descriptor, .reading)],
        atMost: max(.zero, end - clock.monotonic()))
      if ready[1] || interruption.isInterrupted { throw .interrupted }
      if ready[0] { break }
      guard clock.monotonic() < end else { throw .timedOut }
    }
    var number: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &size)
    guard number == 0 else { throw .system(SystemError(number: number, call: "connect")) }
    return stream
  }
}

/// One end of a TCP connection.
private final class SocketStream: ByteStream {
  private var descriptor: Int32
  private let interruption: any Interruption

  init(_ descriptor: Int32, interruption: any Interruption) {
    (self.descriptor, self.interruption) = (descriptor, interruption)
  }

  deinit { close() }

  func readSome(atMost limit: Duration?) throws(ConnectionError) -> [UInt8]? {
    guard descriptor >= 0 else { return [] }
    let clock = LiveClock(interruption: interruption)
    let end = limit.map { clock.monotonic() + $0 }
    while true {
      let left = end.map { max(.zero, $0 - clock.monotonic()) }
      let ready = Readiness.wait(
        for: [.init(descriptor, .reading), .init(interruption.descriptor, .reading)], atMost: left)
      if ready[1] || interruption.isInterrupted { throw .interrupted }
      if ready[0] {
        switch Chunk.read(from: descriptor, call: "read") {
        case .bytes(let bytes): return bytes
        case .end: return []
        case .nothing: continue
        case .failed(let error): throw .system(error)
        }
      }
      if left == .zero { return nil }
    }
  }

  func write(_ bytes: [UInt8]) throws(ConnectionError) {
    guard descriptor >= 0 else { throw .system(SystemError(number: EPIPE, call: "write")) }
    do throws(SystemError) { try writeFully(bytes, to: descriptor, call: "write") } catch { throw .system(error) }
  }

  func close() { Pipe.close(&descriptor) }
}

/// Calls connect(2), which the methods named `connect` would otherwise shadow.
private func connectSocket(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>?, _ size: socklen_t) -> Int32 {
  connect(descriptor, address, size)
}
