package import World

/// Sends requests to a server and delivers the responses: libcurl in the program, the emulator in the sandbox, a
/// script in tests. Each request is one attempt; retries and redirects are decided by ``HTTPClient``.
package protocol Transport: AnyObject {
  /// Starts one exchange and returns at once.
  /// - Parameter limit: the timeout of the whole exchange.
  func start(_ request: Request, as ticket: Int, limit: Duration)
  /// Blocks until an exchange has ended, a descriptor is readable, `limit` has passed, or the program is interrupted.
  /// Returns the results of the exchanges that have ended. With nothing in flight, it only waits, which is
  /// ``World/wait(untilReadable:atMost:)`` for most transports.
  /// - Parameter descriptor: -1 for none.
  func wait(atMost limit: Duration, orReadable descriptor: Int32) -> [TransportResult]
  /// Cancels an exchange; no result follows.
  func cancel(_ ticket: Int)
  /// A description of the transport; nil if it needs no network.
  var description: TransportDescription? { get }
}

extension Transport {
  package var description: TransportDescription? { nil }
}

/// A description of a transport for troubleshooting.
package struct TransportDescription: Sendable, Equatable {
  /// The library's description of itself and its components, or the reason why it cannot be used.
  package var library: Result<String, TransportError>
  /// The location of the trusted certificates.
  package var certificateFile: String?
  package var certificateFolder: String?
  package init(
    library: Result<String, TransportError>, certificateFile: String? = nil, certificateFolder: String? = nil
  ) {
    (self.library, self.certificateFile, self.certificateFolder) = (library, certificateFile, certificateFolder)
  }
}

/// The result of one exchange.
package struct TransportResult: Sendable {
  package let ticket: Int
  package let result: Result<Response, TransportError>
  package init(ticket: Int, result: Result<Response, TransportError>) {
    (self.ticket, self.result) = (ticket, result)
  }
}

/// The reason why a response is missing or incomplete.
package struct TransportError: Error, Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    case resolve, connect, tls, timeout, broken, tooLarge, proxy, unsupported, noMemory, missingLibrary, offline,
      notRecorded
    /// The state of an emulator is damaged, or cannot be read or written.
    case damagedState, inaccessibleState

    fileprivate var category: Category {
      switch self {
      case .resolve, .connect: .unreachable
      case .tls, .proxy: .unusable
      case .broken, .timeout: .exchange
      case .unsupported, .noMemory, .missingLibrary, .damagedState, .inaccessibleState: .local
      case .tooLarge, .offline, .notRecorded: .permanent
      }
    }

    /// Whether the cause is on this machine, so that nothing was sent.
    package var isLocal: Bool { category == .local }
  }

  fileprivate enum Category {
    /// A connection to the server could not be made.
    case unreachable
    /// The server or the proxy is reachable, but a connection fails until a person changes a setting.
    case unusable
    /// The connection or the time ended before the response.
    case exchange
    case local
    case permanent
  }

  /// Whether the same request may succeed later. A wrong certificate, a missing library or an oversized body is
  /// permanent.
  package var isTransient: Bool { [.unreachable, .exchange].contains(kind.category) }

  /// Whether the server is unreachable, as opposed to the failure of one request.
  var isOfConnection: Bool {
    [.unreachable, .unusable].contains(kind.category) || kind == .timeout && !mayHaveArrived
  }

  package var kind: Kind
  /// The transport's message, without URLs or credentials.
  package var message: String
  /// False only if it is certain that no byte of the request left this machine.
  package var mayHaveArrived: Bool
  package init(kind: Kind, message: String, mayHaveArrived: Bool) {
    (self.kind, self.message, self.mayHaveArrived) = (kind, message, mayHaveArrived)
  }
}

/// A transport that fails every request without sending it. `--offline` uses it in place of the network.
package final class OfflineTransport: Transport {
  private let world: World
  private var rejected: [Int] = []

  package init(world: World) { self.world = world }

  package func start(_ request: Request, as ticket: Int, limit: Duration) { rejected.append(ticket) }

  package func wait(atMost limit: Duration, orReadable descriptor: Int32) -> [TransportResult] {
    if rejected.isEmpty { world.wait(untilReadable: descriptor, atMost: limit) }
    defer { rejected = [] }
    return rejected.map {
      TransportResult(
        ticket: $0,
        result: .failure(
          TransportError(kind: .offline, message: "the network is disabled for this run", mayHaveArrived: false)))
    }
  }

  package func cancel(_ ticket: Int) { rejected.removeAll { $0 == ticket } }
}
