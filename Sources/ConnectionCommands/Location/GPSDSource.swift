import Location
import Output
import Session
import Text
import World

/// A live source of positions from a gpsd server.
struct GPSDSource {
  private let address: GPSDAddress
  private let session: Session

  init(_ address: GPSDAddress, in session: Session) { (self.address, self.session) = (address, session) }

  /// Calls `body` with the items of each message until it is interrupted or fails; gpsd itself never ends the stream.
  func forEach(_ body: ([TrackItem]) throws -> Void) throws {
    guard session.replay == nil else {
      throw Problem(
        .notRecorded, "positions from gpsd are not recorded", hint: "Omit --replay to connect to \(address.host).")
    }
    guard !session.options.isOffline else {
      throw problem(.network, "the network is disabled by --offline", "Omit --offline to connect.")
    }
    do {
      let stream = try session.world.connections.connect(
        host: address.host, port: address.port, limit: session.options.timeout)
      defer { stream.close() }
      try converse(over: stream, body)
    } catch ConnectionError.interrupted {
      throw Problem.interrupted
    } catch let error as ConnectionError {
      throw problem(error == .timedOut ? .timeout : .network, error.words, "Check that gpsd is running there.")
    } catch let failure as GPSDSession.Failure {
      throw problem(for: failure)
    }
  }

  private func converse(over stream: any ByteStream, _ body: ([TrackItem]) throws -> Void) throws {
    var conversation = GPSDSession()
    let clock = session.world.clock
    let end = clock.monotonic() + session.options.timeout
    while true {
      // After its greeting, gpsd sends nothing until there is something to report, so no timeout applies.
      let limit = conversation.hasGreeted ? nil : max(.zero, end - clock.monotonic())
      guard let bytes = try stream.readSome(atMost: limit) else { throw ConnectionError.timedOut }
      guard !bytes.isEmpty else { throw conversation.finish() }
      var actions: [GPSDSession.Action] = []
      let result = Result { try conversation.read(bytes, into: &actions) }
      var items: [TrackItem] = []
      for action in actions {
        switch action {
        case .send(let bytes): try stream.write(bytes)
        case .item(let item): items.append(item)
        case .note(let words): session.console.note(Hint(words))
        }
      }
      try body(items)
      try result.get()
    }
  }

  private func problem(for failure: GPSDSession.Failure) -> Problem {
    let place = "\(address.host), port \(address.port)"
    return switch failure {
    case .notGPSD:
      problem(
        .badResponse, "the server there is not gpsd",
        "Check the port; the default of gpsd is \(GPSDAddress.standardPort).")
    case .otherProtocol:
      problem(.badResponse, "its protocol version is not 3", "Use a gpsd with protocol version 3.")
    case .refusal(let words):
      Problem(
        .serverError, "gpsd reported an error", reason: words ?? "the error has no message",
        hint: "Check the log of gpsd.")
    case .closed:
      Problem(
        .network, "gpsd closed the connection", reason: "at \(place)", hint: "Check that gpsd is still running there.")
    }
  }

  private func problem(_ code: Problem.Code, _ reason: String, _ hint: Hint) -> Problem {
    Problem(code, "cannot read from gpsd at \(address.host), port \(address.port)", reason: reason, hint: hint)
  }
}

extension ConnectionError {
  fileprivate var words: String {
    switch self {
    case .interrupted: "it was interrupted"
    case .timedOut: "it did not respond in time"
    case .unknownHost(let reason): reason
    case .system(let error): error.description
    }
  }
}
