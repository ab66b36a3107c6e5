/// Opens HTTP/1.1 servers, on loopback unless the settings name another address: on sockets in the program, in memory
/// in tests.
package protocol LoopbackListener: AnyObject {
  /// Opens a server, which accepts connections as soon as this returns.
  ///
  /// - Parameter responder: creates the responder; called once, on the server's own thread, which also runs it.
  /// - Throws: ``ListenerError``.
  func open(_ settings: ListenerSettings, responder: @escaping @Sendable () -> any HTTPResponder) throws
    -> any HTTPServer
}

/// Responds to requests. It is called on a single thread, must not block, and responds to every request.
package protocol HTTPResponder: AnyObject {
  func respond(to request: ReceivedRequest) -> Reply
  /// Notes a request that the server rejected itself: it was malformed, too large or too slow.
  /// - Parameter request: Nil if no request line was received.
  func noteRejection(_ status: Int, _ message: String, of request: RequestLine?)
}

extension HTTPResponder {
  package func noteRejection(_ status: Int, _ message: String, of request: RequestLine?) {}
}

/// A server that accepts connections until it is closed.
package protocol HTTPServer: AnyObject {
  var address: LoopbackAddress { get }
  /// Stops accepting connections. Open connections continue.
  func stopAccepting()
  /// Stops accepting connections, lets requests in flight finish, and returns when all connections are closed.
  func close()
}

extension HTTPServer {
  package func stopAccepting() {}
}

/// The address to listen on, and the limits beyond which requests and connections are rejected.
package struct ListenerSettings: Sendable, Equatable {
  package var address: LoopbackAddress
  /// The IP address to listen on, with the port of ``address``; nil for the loopback address.
  package var interface: BindAddress?
  /// Whether requests may name any host. Without this, only names of this machine are accepted, which protects servers
  /// without credentials from web pages.
  package var acceptsAnyHost = false
  /// The hosts that requests may name, in addition to names of this machine.
  package var allowedHosts: Set<HostName> = []
  /// The targets of requests that may name any host. They must respond with nothing that a web page must not read.
  package var targetsForAnyHost: Set<String> = []
  /// Whether requests that the listener itself rejects get an error in the form of the Service API.
  package var rejectsInJSON = false
  /// The maximum size of a request line and its fields together, in bytes.
  package var headerLimit = 32 * 1024
  package var fieldLimit = 100
  /// The maximum size of a request's body, in bytes.
  package var bodyLimit = 1 << 20
  /// The maximum number of open connections. A further connection replaces the connection that has been idle longest,
  /// if any is idle.
  package var connectionLimit = 512
  /// The time from the first byte of the request line to the last byte of the body.
  package var requestTime: Duration = .seconds(20)
  /// The time a connection may stay open without a request.
  package var idleTime: Duration = .seconds(5)
  /// The time a reply may stay unread by the client.
  package var replyTime: Duration = .seconds(60)
  /// The time for requests in flight after the server is closed.
  package var grace: Duration = .seconds(5)

  package init(address: LoopbackAddress) { self.address = address }
}

/// An address that only this machine can reach.
package struct LoopbackAddress: Sendable, Equatable {
  package enum Host: String, Sendable, CaseIterable {
    case v4 = "127.0.0.1"
    case v6 = "::1"
  }
  package var host: Host
  /// 0 for any free port.
  package var port: Int

  package init(_ host: Host = .v4, port: Int) { (self.host, self.port) = (host, port) }

  /// The URL of the address, such as `http://127.0.0.1:8080`.
  package var url: String { "http://\(host == .v4 ? host.rawValue : "[\(host.rawValue)]"):\(port)" }
}

/// The reason a server could not be opened.
package struct ListenerError: Error, Equatable, CustomStringConvertible {
  /// Whether another program listens on the address.
  package let isAddressInUse: Bool
  package let description: String
  package init(isAddressInUse: Bool, description: String) {
    (self.isAddressInUse, self.description) = (isAddressInUse, description)
  }
}

/// A complete request as received, within the limits.
package struct ReceivedRequest: Sendable, Equatable {
  package var method: String
  /// The path and query as sent, beginning with `/`. The origin of an absolute URL is removed.
  package var target: String
  package var fields: [HeaderField]
  package var body: [UInt8]

  package init(method: String, target: String, fields: [HeaderField] = [], body: [UInt8] = []) {
    (self.method, self.target, self.fields, self.body) = (method, target, fields, body)
  }

  /// The first value of a field; the name is case-insensitive.
  package func field(_ name: String) -> String? { fields.first { $0.isNamed(name) }?.value }
}

/// The first line of a request as received, without the version.
package struct RequestLine: Sendable, Equatable {
  package var method: String
  package var target: String
  package init(method: String, target: String) { (self.method, self.target) = (method, target) }
}
