import Foundation
import Support
import Testing
import World

/// Connections to an independent server: Python's sockets on loopback.
@Suite struct TCPConnectionsTests {
  /// Greets each connection with a line, echoes what it receives in uppercase, and closes the connection after `bye`.
  private static let server = #"""
    import socket, sys
    server = socket.create_server(("127.0.0.1", 0))
    print(server.getsockname()[1], flush=True)
    while True:
        connection, _ = server.accept()
        connection.sendall(b"welcome\n")
        heard = b""
        while not heard.endswith(b"bye\n"):
            more = connection.recv(65536)
            if not more: break
            connection.sendall(more.upper())
            heard += more
        connection.close()
    """#

  private let interruption = TestInterruption()
  private var connections: LiveConnections { LiveConnections(interruption: interruption) }

  private func withServer(_ body: (UInt16) throws -> Void) throws {
    // The process ends with its last reference, even if a test fails.
    let program = try ChildProgram(["python3", "-c", Self.server], output: .pipe)
    defer {
      program.kill()
      program.wait()
    }
    var line = ""
    while !line.hasSuffix("\n") {
      let more = try #require(program.output).availableData
      try #require(!more.isEmpty, "the server ended early")
      line += String(decoding: more, as: UTF8.self)
    }
    try body(try #require(UInt16(line.dropLast())))
  }

  private func text(_ count: Int, from stream: any ByteStream) throws -> String {
    var bytes: [UInt8] = []
    while bytes.count < count, let more = try stream.readSome(atMost: nil), !more.isEmpty { bytes += more }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(.enabled(if: Tool.isInstalled("python3"), "skipped: needs python3"), arguments: ["127.0.0.1", "localhost"])
  func transfersBytesInBothDirections(host: String) throws {
    try withServer { port in
      let stream = try connections.connect(host: host, port: port, limit: .seconds(60))
      #expect(try text(8, from: stream) == "welcome\n")
      #expect(try stream.readSome(atMost: .zero) == nil)
      try stream.write(Array("hello\n".utf8))
      #expect(try text(6, from: stream) == "HELLO\n")
      try stream.write(Array("bye\n".utf8))
      #expect(try text(4, from: stream) == "BYE\n")
      #expect(try stream.readSome(atMost: nil) == [])
      stream.close()
      #expect(try stream.readSome(atMost: nil) == [])
      #expect(throws: ConnectionError.self) { try stream.write([1]) }
    }
  }

  @Test(.enabled(if: Tool.isInstalled("python3"), "skipped: needs python3"))
  func transfersAMegabyte() throws {
    try withServer { port in
      let stream = try connections.connect(host: "127.0.0.1", port: port, limit: .seconds(60))
      #expect(try text(8, from: stream) == "welcome\n")
      var received = 0
      for number in 0..<64 {
        try stream.write([UInt8](repeating: UInt8(ascii: "a") + UInt8(number % 26), count: 16_384))
        let echo = try text(16_384, from: stream)
        #expect(echo.utf8.allSatisfy { $0 == UInt8(ascii: "A") + UInt8(number % 26) })
        received += echo.utf8.count
      }
      #expect(received == 1 << 20)
    }
  }

  @Test(.enabled(if: Tool.isInstalled("python3"), "skipped: needs python3"))
  func interruptEndsTheWait() throws {
    try withServer { port in
      let stream = try connections.connect(host: "127.0.0.1", port: port, limit: .seconds(60))
      #expect(try text(8, from: stream) == "welcome\n")
      interruption.interrupt()
      #expect(throws: ConnectionError.interrupted) { try stream.readSome(atMost: nil) }
      #expect(throws: ConnectionError.interrupted) {
        try connections.connect(host: "127.0.0.1", port: port, limit: .seconds(60))
      }
    }
  }

  @Test func closedPortRefusesTheConnection() throws {
    // Use the port of a server that has just ended, so that nothing listens on it.
    let closed = Tool.isInstalled("python3") ? try freePort() : 1
    #expect(throws: ConnectionError.system(SystemError(number: ECONNREFUSED, call: "connect"))) {
      try connections.connect(host: "127.0.0.1", port: closed, limit: .seconds(60))
    }
  }

  @Test func unknownHostIsReported() {
    #expect {
      try connections.connect(host: "no host has a space", port: 2947, limit: .seconds(60))
    } throws: { error in
      guard case .unknownHost(let reason) = error as? ConnectionError else { return false }
      return !reason.isEmpty
    }
  }

  private func freePort() throws -> UInt16 {
    var port: UInt16 = 0
    try withServer { port = $0 }
    return port
  }
}
