/// Carries requests to a server and answers back: libcurl in the program, the emulator in the sandbox, a script
/// in tests. One attempt each; retries and redirects are decided above it.
package protocol Transport: AnyObject {
  /// Begins one exchange and returns at once.
  /// - Parameter limit: how long it may take in all.
  func start(_ request: Request, as ticket: Int, limit: Duration)
  /// Blocks until an exchange has ended, `limit` has passed, or the program was interrupted; returns what has ended.
  /// With nothing under way it only waits.
  func wait(atMost limit: Duration) -> [TransportResult]
  /// Ends an exchange; no outcome follows.
  func cancel(_ ticket: Int)
  /// What it is made of; nil for one that needs no network.
  var facts: TransportDescription? { get }
}

extension Transport {
  package var facts: TransportDescription? { nil }
}

/// What a transport rests on, for those who look for what is wrong.
package struct TransportDescription: Sendable, Equatable {
  /// The library's own words for itself and what it was built with, or why it cannot be used.
  package var library: Result<String, TransportError>
  /// Where the certificates stand that a server's is checked against.
  package var certificateFile: String?
  package var certificateFolder: String?
  package init(
    library: Result<String, TransportError>, certificateFile: String? = nil, certificateFolder: String? = nil
  ) {
    (self.library, self.certificateFile, self.certificateFolder) = (library, certificateFile, certificateFolder)
  }
}

package struct TransportResult: Sendable {
  package let ticket: Int
  package let result: Result<Response, TransportError>
  package init(ticket: Int, result: Result<Response, TransportError>) {
    (self.ticket, self.result) = (ticket, result)
  }
}

/// Why no whole answer came.
package struct TransportError: Error, Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    case resolve, connect, tls, timeout, broken, tooLarge, proxy, unsupported, offline, notRecorded
  }
  package var kind: Kind
  /// The driver's own words, without URLs or credentials.
  package var message: String
  /// False only when it is certain that no byte of the request left this machine.
  package var mayHaveArrived: Bool
  package init(kind: Kind, message: String, mayHaveArrived: Bool) {
    (self.kind, self.message, self.mayHaveArrived) = (kind, message, mayHaveArrived)
  }
}
