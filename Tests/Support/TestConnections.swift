package import World

/// Connections to machines that a test plays.
package final class TestConnections: TCPConnections {
  /// Set to let connections be made.
  package var answer: ((_ host: String, _ port: UInt16) throws(ConnectionError) -> TestStream)?
  /// What was asked for so far, `host:port`.
  package private(set) var asked: [String] = []
  private let effects: Effects

  init(_ effects: Effects) { self.effects = effects }

  package func connect(host: String, port: UInt16, limit: Duration) throws(ConnectionError) -> any ByteStream {
    asked.append("\(host):\(port)")
    guard let answer else {
      effects.unexpected("a connection to \(host):\(port) was made, but the test gave none")
      throw .timedOut
    }
    return try answer(host, port)
  }
}

/// What another machine says, piece by piece, whatever it hears.
package final class TestStream: ByteStream {
  /// Each is given once; after the last the other side has ended.
  package enum Piece {
    case text(String)
    /// The wait for the next piece is as long as the reader would wait.
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
    // Who would wait for ever is interrupted.
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
