import CommandLine
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
      let stream = try session.world.tcp.connect(
        host: address.host, port: address.port, limit: session.options.timeout)
      defer { stream.close() }
      try readItems(from: stream, body)
    } catch ConnectionError.interrupted {
      throw Problem.interrupted
    } catch let error as ConnectionError {
      throw problem(error == .timedOut ? .timeout : .network, error.reason, "Check that gpsd is running there.")
    } catch let failure as GPSDSession.Failure {
      throw problem(for: failure)
    }
  }

  private func readItems(from stream: any ByteStream, _ body: ([TrackItem]) throws -> Void) throws {
    var gpsd = GPSDSession()
    let clock = session.world.clock
    let deadline = clock.monotonic() + session.options.timeout
    while true {
      // After its greeting, gpsd sends nothing until there is something to report, so no timeout applies.
      let limit = gpsd.hasGreeted ? nil : max(.zero, deadline - clock.monotonic())
      guard let bytes = try stream.readSome(atMost: limit) else { throw ConnectionError.timedOut }
      guard !bytes.isEmpty else { throw gpsd.finish() }
      var actions: [GPSDSession.Action] = []
      let result = Result { try gpsd.read(bytes, into: &actions) }
      var items: [TrackItem] = []
      for action in actions {
        switch action {
        case .send(let bytes): try stream.write(bytes)
        case .item(let item): items.append(item)
        case .note(let message): session.console.note(Hint(message))
        }
      }
      try body(items)
      try result.get()
    }
  }

  private func problem(for failure: GPSDSession.Failure) -> Problem {
    let endpoint = "\(address.host), port \(address.port)"
    return switch failure {
    case .notGPSD:
      problem(
        .badResponse, "the server is not gpsd",
        "Check the port; the default of gpsd is \(GPSDAddress.standardPort).")
    case .otherProtocol:
      problem(.badResponse, "its protocol version is not 3", "Use a gpsd with protocol version 3.")
    case .refusal(let message):
      Problem(
        .serverError, "gpsd reported an error", reason: message ?? "the error has no message",
        hint: "Check the log of gpsd.")
    case .closed:
      Problem(
        .network, "gpsd closed the connection", reason: "at \(endpoint)",
        hint: "Check that gpsd is still running there.")
    }
  }

  private func problem(_ code: Problem.Code, _ reason: String, _ hint: Hint) -> Problem {
    Problem(code, "cannot read from gpsd at \(address.host), port \(address.port)", reason: reason, hint: hint)
  }
}

extension ConnectionError {
  fileprivate var reason: String {
    switch self {
    case .interrupted: "it was interrupted"
    case .timedOut: "it did not respond in time"
    case .unknownHost(let reason): reason
    case .system(let error): error.description
    }
  }
}

/// The address of a gpsd server.
struct GPSDAddress: Sendable, Equatable {
  var host: String
  var port = standardPort

  /// The port registered for gpsd.
  static let standardPort: UInt16 = 2947
  /// The maximum length of a domain name as text (RFC 1035, section 2.3.4).
  private static let maximumNameLength = 253

  /// Parses `HOST`, `HOST:PORT`, `[ADDRESS]` or `[ADDRESS]:PORT`. Returns nil for anything else. An IPv6 address
  /// without brackets is rejected because its last part could be a port.
  init?(parsing text: String) {
    var (name, rest) = (text[...], text[text.endIndex...])
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      (name, rest) = (text[..<end].dropFirst(), text[end...].dropFirst())
    } else if let colon = text.firstIndex(of: ":") {
      (name, rest) = (text[..<colon], text[colon...])
    }
    guard !name.isEmpty, name.utf8.count <= Self.maximumNameLength else { return nil }
    guard !name.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7f }) else { return nil }
    host = String(name)
    guard !rest.isEmpty else { return }
    let digits = rest.dropFirst()
    guard rest.first == ":", digits.utf8.allSatisfy(\.isDigit),
      let number = UInt16(digits), number > 0
    else { return nil }
    port = number
  }
}

extension ValueKind where Value == GPSDAddress {
  static var gpsd: ValueKind {
    .parsed("HOST:PORT", expected: "a host and a port, such as localhost:2947 or [::1]:2947") {
      GPSDAddress(parsing: $0)
    }
  }
}
