import Testing

@testable import HTTP

/// The table of failures: which may pass, which are the connection's, and which are this machine's.
@Suite struct TransientFailureTests {
  /// Kinds, and whether they are transient, of the connection, and local.
  private static let kinds: [TransportError.Kind: (transient: Bool, connection: Bool, local: Bool)] = [
    .resolve: (true, true, false), .connect: (true, true, false),
    .tls: (false, true, false), .proxy: (false, true, false),
    .broken: (true, false, false),
    // Of the connection only if nothing arrived.
    .timeout: (true, false, false),
    .tooLarge: (false, false, false), .offline: (false, false, false), .notRecorded: (false, false, false),
    .unsupported: (false, false, true), .noMemory: (false, false, true), .missingLibrary: (false, false, true),
    .damagedState: (false, false, true), .inaccessibleState: (false, false, true),
  ]

  @Test(arguments: TransportError.Kind.allCases)
  func everyKindIsInTheTable(_ kind: TransportError.Kind) throws {
    let expected = try #require(Self.kinds[kind])
    let failure = TransportError(kind: kind, message: "", mayHaveArrived: true)
    #expect(failure.isTransient == expected.transient)
    #expect(failure.isOfConnection == expected.connection)
    #expect(kind.isLocal == expected.local)
  }

  @Test func aTimeoutBeforeTheServerWasReachedIsOfTheConnection() {
    #expect(TransportError(kind: .timeout, message: "", mayHaveArrived: false).isOfConnection)
  }

  @Test(arguments: 100...999)
  func everyStatusIsInTheTable(_ status: Int) {
    let expected: StatusRetryability =
      switch status {
      case 429, 502, 503, 504: .soon
      case 408, 425, 500, 501, 505...999: .later
      default: .never
      }
    #expect(StatusRetryability(status: status) == expected)
  }
}
