/// Opens HTTP/1.1 servers on loopback: SwiftNIO in the program, something that a test holds in tests.
package protocol LoopbackListener: AnyObject {
  /// Takes connections from when this returns.
  ///
  /// - Parameter site: makes what answers; called once, on the server's own thread, where everything then happens.
  /// - Throws: ``ListenerError``.
  func open(_ settings: ListenerSettings, site: @escaping @Sendable () -> any HTTPResponder) throws -> any HTTPServer
}

/// Answers requests. It is asked on one thread alone, must not block, and answers everything.
package protocol HTTPResponder: AnyObject {
  func answer(_ request: ReceivedRequest) -> Reply
}

/// A server that takes connections until it is closed.
package protocol HTTPServer: AnyObject {
  var address: LoopbackAddress { get }
  /// Takes no more connections; those that are open go on.
  func stopAccepting()
  /// Takes no more connections, lets what is under way finish, and returns when all connections are closed.
  func close()
}

extension HTTPServer {
  package func stopAccepting() {}
}

/// Where to listen, and what is taken before a connection is refused.
package struct ListenerSettings: Sendable, Equatable {
  package var address: LoopbackAddress
  /// Of a request's line and fields together, in bytes.
  package var headerLimit = 32 * 1024
  package var fieldLimit = 100
  /// Of a request's body, in bytes.
  package var bodyLimit = 1 << 20
  /// Of open connections. One more takes the place of the connection that has been idle for longest, if there is one.
  package var connectionLimit = 512
  /// From the first byte of the request line to the last byte of the body.
  package var requestTime: Duration = .seconds(20)
  /// Of a connection without a request.
  package var idleTime: Duration = .seconds(5)
  /// Of a reply that the client does not read.
  package var replyTime: Duration = .seconds(60)
  /// For what is under way when the server is closed.
  package var grace: Duration = .seconds(5)

  package init(address: LoopbackAddress) { self.address = address }
}

/// An address that nobody but this machine can reach.
package struct LoopbackAddress: Sendable, Equatable {
  package enum Host: String, Sendable, CaseIterable {
    case v4 = "127.0.0.1"
    case v6 = "::1"
  }
  package var host: Host
  /// 0 for any that is free.
  package var port: Int

  package init(_ host: Host = .v4, port: Int) { (self.host, self.port) = (host, port) }

  /// `http://127.0.0.1:8080`.
  package var url: String { "http://\(host == .v4 ? host.rawValue : "[\(host.rawValue)]"):\(port)" }
}

/// Why no server could be opened.
package struct ListenerError: Error, Equatable, CustomStringConvertible {
  /// Whether another program listens there.
  package let isTaken: Bool
  package let description: String
  package init(isTaken: Bool, description: String) { (self.isTaken, self.description) = (isTaken, description) }
}
