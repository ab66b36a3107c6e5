package import World

/// Connections to simulated servers.
package final class TestConnections: TCPConnections {
  /// The function that makes connections; nil if none are expected.
  package var answer: ((_ host: String, _ port: UInt16) throws(ConnectionError) -> TestStream)?
  /// The requested addresses so far, as `host:port`.
  package private(set) var asked: [String] = []
  private let effects: Effects

  init(_ effects: Effects) { self.effects = effects }

  package func connect(host: String, port: UInt16, limit: Duration) throws(ConnectionError) -> any ByteStream {
    asked.append("\(host):\(port)")
    guard let answer else {
      effects.unexpected("a connection to \(host):\(port) was made, but the test provides none")
      throw .timedOut
    }
    return try answer(host, port)
  }
}

/// The simulated other end of a connection. It sends its pieces whatever it receives.
package final class TestStream: ByteStream {
  /// A piece to send. After the last one, the other end closes the connection.
  package enum Piece {
    case text(String)
    /// Nothing is sent for as long as the reader waits.
    case silence
    case failure(ConnectionError)
  }

  private var pieces: ArraySlice<Piece>
  package private(set) var written: [UInt8] = []
  package private(set) var isClosed = false

  package init(_ pieces: [Piece]) { self.pieces = pieces[...] }

  package func readSome(atMost limit: Duration?) throws(ConnectionError) -> [UInt8]? {
    guard !isClosed, let piece = pieces.popFirst() else { return [] }
    switch piece {
    case .text(let text): return Array(text.utf8)
    // A wait without a limit would never end, so interrupt it.
    case .silence: if limit == nil { throw .interrupted } else { return nil }
    case .failure(let error): throw error
    }
  }

  package func write(_ bytes: [UInt8]) throws(ConnectionError) {
    guard !isClosed else { throw .system(SystemError(number: 32, call: "write")) }
    written += bytes
  }

  package func close() { isClosed = true }
}
