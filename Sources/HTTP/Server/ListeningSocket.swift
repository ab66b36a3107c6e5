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
    request.ai_socktype = streamSocket
    request.ai_flags = AI_PASSIVE
    var found: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(name, String(settings.address.port), &request, &found)
    guard status == 0, let found else {
      throw ListenerError(isTaken: false, description: String(cString: gai_strerror(status)))
    }
    defer { freeaddrinfo(found) }
    descriptor = socket(found.pointee.ai_family, streamSocket, 0)
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
    if isOpen { closeDescriptor(descriptor) }
    isOpen = false
  }
}

extension ListenerError {
  /// The error of this thread's last failed system call.
  fileprivate static func last() -> ListenerError {
    ListenerError(isTaken: errno == EADDRINUSE, description: SystemError.message(for: errno))
  }
}

#if canImport(Glibc)
  private let streamSocket = Int32(SOCK_STREAM.rawValue)
#else
  private let streamSocket = SOCK_STREAM
#endif

/// Makes a descriptor nonblocking, and keeps it from child processes.
private func prepare(_ descriptor: Int32) {
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
}

/// Calls accept(2), which the methods named `accept` would otherwise shadow.
private func acceptConnection(_ descriptor: Int32) -> Int32 { accept(descriptor, nil, nil) }
