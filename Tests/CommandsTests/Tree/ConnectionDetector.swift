#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A server on the loopback interface that only detects connections.
final class ConnectionDetector {
  struct Failure: Error { let number: Int32 }

  let port: UInt16
  private let descriptor: Int32

  init() throws {
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    descriptor = socket(AF_INET, kind, 0)
    guard descriptor >= 0 else { throw Failure(number: errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let opened = descriptor
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(opened, address, length) == 0 && listen(opened, 16) == 0 && getsockname(opened, address, &length) == 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    if !result {
      let number = errno
      close(descriptor)
      throw Failure(number: number)
    }
  }

  deinit { close(descriptor) }

  var address: String { "http://127.0.0.1:\(port)" }

  /// Whether a client has connected since the last check.
  var hasConnection: Bool {
    let visitor = accept(descriptor, nil, nil)
    guard visitor >= 0 else { return false }
    close(visitor)
    return true
  }
}
