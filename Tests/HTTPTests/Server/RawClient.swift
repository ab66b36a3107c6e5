#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A TCP connection on which the test reads and writes every byte itself.
final class RawClient {
  enum End: Equatable { case closed, reset }

  private let descriptor: Int32
  /// Kept alive as long as the connection.
  var server: AnyObject?

  init(port: Int) throws {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let (socket, size) = (descriptor, socklen_t(MemoryLayout<sockaddr_in>.size))
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) }
    }
    guard status == 0 else { throw Failure(number: errno) }
  }

  struct Failure: Error { let number: Int32 }

  deinit { close(descriptor) }

  func send(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }

  /// Closes the output, so that the server receives the end of input.
  func endOutput() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// All text up to the end of the connection, and how it ended.
  func readToEnd() -> (text: String, end: End) {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &chunk, chunk.count, 0)
      if count > 0 {
        bytes += chunk.prefix(count)
      } else if count == 0 {
        return (String(decoding: bytes, as: UTF8.self), .closed)
      } else if errno != EINTR {
        return (String(decoding: bytes, as: UTF8.self), .reset)
      }
    }
  }

  /// Reads until the text ends with `end`, or the connection ends.
  func read(until end: String) -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while !bytes.suffix(end.utf8.count).elementsEqual(end.utf8), recv(descriptor, &byte, 1, 0) == 1 {
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
