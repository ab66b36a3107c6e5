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
