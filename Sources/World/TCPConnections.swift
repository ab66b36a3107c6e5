/// Other machines that are talked with over TCP, apart from HTTP.
package protocol TCPConnections: AnyObject {
  /// Finds the host's addresses and takes the first that answers.
  /// - Parameter limit: for all of them together, finding them apart.
  func connect(host: String, port: UInt16, limit: Duration) throws(ConnectionError) -> any ByteStream
}

/// A connection over which bytes go both ways. It is closed with its last reference at the latest.
package protocol ByteStream: AnyObject {
  /// What comes next, as soon as anything does: empty once the other side has ended, nil when time is up first.
  /// - Parameter limit: nil to wait for ever.
  func readSome(atMost limit: Duration?) throws(ConnectionError) -> [UInt8]?
  /// Writes all of it.
  func write(_ bytes: [UInt8]) throws(ConnectionError)
  /// Further reading finds the end, and further writing fails.
  func close()
}

/// Why there is no connection, or no more.
package enum ConnectionError: Error, Equatable {
  case interrupted
  case timedOut
  /// The host has no address; `reason` is the system's own word for it.
  case unknownHost(reason: String)
  case system(SystemError)
}

/// For a world that ends at this machine.
package final class NoTCPConnections: TCPConnections {
  package init() {}
  package func connect(host: String, port: UInt16, limit: Duration) throws(ConnectionError) -> any ByteStream {
    throw .unknownHost(reason: "this world has no other machines")
  }
}
