import Support

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A port that accepts no connections and that no other program can use, until the object is released.
final class ClosedPort {
  let number: UInt16
  private let descriptor: Int32

  var base: String { "http://127.0.0.1:\(number)" }

  init() throws {
    descriptor = socket(AF_INET, streamSocket, 0)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let (socket, length) = (descriptor, size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, length) == 0 && getsockname(socket, $0, &size) == 0
      }
    }
    number = UInt16(bigEndian: address.sin_port)
    guard isBound else { throw SystemFailure(call: "bind", number: errno) }
  }

  deinit { close(descriptor) }
}

#if canImport(Glibc)
  private let streamSocket = Int32(SOCK_STREAM.rawValue)
#else
  private let streamSocket = SOCK_STREAM
#endif
