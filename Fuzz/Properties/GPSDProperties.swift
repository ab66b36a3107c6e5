import Location

/// A session with gpsd, however its lines arrive: the same actions, exactly one request and only after the
/// greeting, every position on the earth, and nothing after a failure.
enum GPSDProperties {
  private static let greeting = Array("{\"class\":\"VERSION\",\"proto_major\":3}\n".utf8)

  static func problem(in bytes: [UInt8]) -> String? {
    problem(of: bytes, isGreeted: false) ?? problem(of: greeting + bytes, isGreeted: true)
  }

  private static func problem(of bytes: [UInt8], isGreeted: Bool) -> String? {
    let whole = read(bytes, pieces: .max)
    for pieces in [1, 7] where read(bytes, pieces: pieces) != whole {
      return "pieces of \(pieces) bytes lead to different actions"
    }
    let sends = whole.actions.filter { if case .send = $0 { true } else { false } }
    guard sends.count <= 1, !isGreeted || sends.count == 1 else { return "gpsd receives another number of requests" }
    guard whole.actions.isEmpty || sends.first == whole.actions.first else { return "an action before the greeting" }
    let lines = bytes.count { $0 == 0x0a } + 1
    for action in whole.actions {
      switch action {
      case .item(.position(let position)):
        let coordinate = position.coordinate
        guard (-90...90).contains(coordinate.latitude), (-180...180).contains(coordinate.longitude) else {
          return "an invalid position"
        }
        if let accuracy = position.accuracy, !accuracy.isFinite { return "an invalid accuracy" }
      case .item(.broken(let reason, let line)):
        guard !reason.isEmpty, (1...lines).contains(line) else {
          return "a report without a reason, or with a wrong line"
        }
      case .send, .note, .item: break
      }
    }
    return nil
  }

  private struct Outcome: Equatable {
    var actions: [GPSDSession.Action] = []
    var failure: GPSDSession.Failure?
  }

  private static func read(_ bytes: [UInt8], pieces: Int) -> Outcome {
    var (session, outcome, rest) = (GPSDSession(), Outcome(), bytes[...])
    do throws(GPSDSession.Failure) {
      while !rest.isEmpty {
        try session.read(Array(rest.prefix(pieces)), into: &outcome.actions)
        rest = rest.dropFirst(pieces)
      }
    } catch { outcome.failure = error }
    return outcome
  }
}
