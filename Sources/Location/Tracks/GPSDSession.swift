import JSON
import Text

/// A session with gpsd (gpsd_json(5)) as a state machine: bytes in, actions out.
///
/// With several receivers, only the first one with a fix is used until it disappears. Alternating between the
/// positions of two devices would produce a track that does not exist.
package struct GPSDSession {
  package enum Action: Sendable, Equatable {
    case send([UInt8])
    case item(TrackItem)
    /// A message for the user who is waiting.
    case note(String)
  }

  /// The reason the session ended.
  package enum Failure: Error, Equatable {
    /// The server is not gpsd.
    case notGPSD
    case otherProtocol
    /// gpsd's error message, if it sent one.
    case refusal(String?)
    case closed
  }

  /// The maximum line length, in bytes. gpsd's own limit is 10,240 bytes.
  static let lineLimit = 1 << 16

  private var lines = LineSplitter(limit: lineLimit)
  /// Whether gpsd has sent its version, which it does immediately.
  package private(set) var hasGreeted = false
  /// The path of the selected receiver; empty if gpsd does not name it.
  private var receiver: String?

  package init() {}

  /// - Throws: ``Failure`` if the server is not gpsd, or rejects the request.
  package mutating func read(_ bytes: UnsafeRawBufferPointer, into actions: inout [Action]) throws(Failure) {
    var (hasGreeted, receiver) = (hasGreeted, receiver)
    defer { (self.hasGreeted, self.receiver) = (hasGreeted, receiver) }
    try lines.read(bytes) { line, number throws(Failure) in
      var step = Step(hasGreeted: hasGreeted, receiver: receiver, number: number)
      defer { (hasGreeted, receiver) = (step.hasGreeted, step.receiver) }
      try step.receive(line, into: &actions)
    }
    // gpsd never sends a line this long, and waiting for the end of an endless line would never finish.
    if lines.excess > 0, !hasGreeted { throw .notGPSD }
  }

  package mutating func read(_ bytes: [UInt8], into actions: inout [Action]) throws(Failure) {
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(Failure) in try read(bytes, into: &actions) }
    }
    try result.get()
  }

  /// The failure to report when the connection has closed. gpsd closes a connection only when it exits.
  package func finish() -> Failure { hasGreeted ? .closed : .notGPSD }
}

/// One line of the session, with the state it updates.
private struct Step {
  var hasGreeted: Bool
  var receiver: String?
  let number: Int

  mutating func receive(
    _ line: UnsafeRawBufferPointer?, into actions: inout [GPSDSession.Action]
  ) throws(GPSDSession.Failure) {
    let value = line.flatMap { try? JSONValue(parsing: Array($0)) }
    let name = value?["class"]?.string
    guard hasGreeted else { return try greet(name, value, into: &actions) }
    guard let object = value?.object, let name else {
      // gpsd truncates lines that exceed its limit.
      if line?.isEmpty != true { actions.append(.item(.broken(reason: "it is not a message from gpsd", line: number))) }
      return
    }
    switch name {
    case "TPV": report(object, into: &actions)
    case "DEVICES" where object["devices"]?.array?.isEmpty == true:
      actions.append(.note("gpsd has no receiver yet."))
    case "DEVICE" where object["activated"]?.double == 0: lose(object, into: &actions)
    case "ERROR": throw .refusal(object["message"]?.string)
    default: break
    }
  }

  private mutating func greet(
    _ name: String?, _ value: JSONValue?, into actions: inout [GPSDSession.Action]
  ) throws(GPSDSession.Failure) {
    guard name == "VERSION" else { throw .notGPSD }
    guard value?["proto_major"]?.int == 3 else { throw .otherProtocol }
    hasGreeted = true
    actions.append(.send(Array("?WATCH={\"enable\":true,\"json\":true};\n".utf8)))
  }

  private mutating func report(_ object: JSONObject, into actions: inout [GPSDSession.Action]) {
    let sender = object["device"]?.string ?? ""
    guard receiver == nil || receiver == sender else { return }
    guard let item = PositionObject.item(object, line: number) else { return }
    if case .position = item { receiver = sender }
    actions.append(.item(item))
  }

  private mutating func lose(_ object: JSONObject, into actions: inout [GPSDSession.Action]) {
    let path = object["path"]?.string ?? ""
    if path == receiver { receiver = nil }
    actions.append(.note("gpsd lost the receiver \(path)."))
  }
}
