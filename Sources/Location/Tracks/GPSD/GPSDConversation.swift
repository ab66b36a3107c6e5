import JSON

/// What is said with gpsd (gpsd_json(5)), as a state machine: bytes in, actions out.
///
/// Of several receivers the first that knows where it is counts, until it is gone: positions of two devices in turns would be
/// a way that nobody went.
package struct GPSDConversation {
  package enum Action: Sendable, Equatable {
    case send([UInt8])
    case item(TrackItem)
    /// Something for the person who waits.
    case note(String)
  }

  /// gpsd's own limit is 10,240 bytes.
  static let lineLimit = 1 << 16

  private var lines = LineFraming(limit: lineLimit)
  private var hasGreeted = false
  /// The path of the receiver that counts; empty where gpsd names none.
  private var receiver: String?

  package init() {}

  /// - Throws: ``TrackError`` where the other side is no gpsd, or refuses to tell.
  package mutating func read(_ bytes: UnsafeRawBufferPointer, into actions: inout [Action]) throws(TrackError) {
    var (hasGreeted, receiver) = (hasGreeted, receiver)
    defer { (self.hasGreeted, self.receiver) = (hasGreeted, receiver) }
    try lines.read(bytes) { line, number throws(TrackError) in
      var step = Step(hasGreeted: hasGreeted, receiver: receiver, number: number)
      defer { (hasGreeted, receiver) = (step.hasGreeted, step.receiver) }
      try step.take(line, into: &actions)
    }
  }

  package mutating func read(_ bytes: [UInt8], into actions: inout [Action]) throws(TrackError) {
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(TrackError) in try read(bytes, into: &actions) }
    }
    try result.get()
  }

  /// The connection has ended. gpsd never ends one by itself but with its own end.
  package func finish() -> TrackError {
    TrackError(reason: hasGreeted ? "gpsd has closed the connection" : "what answers there is no gpsd")
  }
}

/// One line of the conversation.
private struct Step {
  var hasGreeted: Bool
  var receiver: String?
  let number: Int

  mutating func take(_ line: UnsafeRawBufferPointer?, into actions: inout [GPSDConversation.Action]) throws(TrackError)
  {
    let value = line.flatMap { try? JSONValue(parsing: Array($0)) }
    let name = value?["class"]?.string
    guard hasGreeted else { return try greet(name, value, into: &actions) }
    guard let object = value?.object, let name else {
      // gpsd cuts what is longer than its limit.
      if line?.isEmpty != true { actions.append(.item(.broken(reason: "it is no message of gpsd", line: number))) }
      return
    }
    switch name {
    case "TPV": report(object, into: &actions)
    case "DEVICES" where object["devices"]?.array?.isEmpty == true:
      actions.append(.note("gpsd has no receiver yet."))
    case "DEVICE" where object["activated"]?.double == 0: lose(object, into: &actions)
    case "ERROR":
      throw TrackError(reason: "gpsd answers with an error: \(object["message"]?.string ?? "it does not say which")")
    default: break
    }
  }

  private mutating func greet(
    _ name: String?, _ value: JSONValue?, into actions: inout [GPSDConversation.Action]
  ) throws(TrackError) {
    guard name == "VERSION" else { throw TrackError(reason: "what answers there is no gpsd") }
    guard let major = value?["proto_major"]?.int, major == 3 else {
      throw TrackError(reason: "that gpsd speaks another version of its protocol than 3")
    }
    hasGreeted = true
    actions.append(.send(Array("?WATCH={\"enable\":true,\"json\":true};\n".utf8)))
  }

  private mutating func report(_ object: JSONObject, into actions: inout [GPSDConversation.Action]) {
    let sender = object["device"]?.string ?? ""
    guard receiver == nil || receiver == sender else { return }
    switch PositionObject.read(object) {
    case .position(let position):
      receiver = sender
      actions.append(.item(.position(position)))
    case .nothing: break
    case .broken(let reason): actions.append(.item(.broken(reason: reason, line: number)))
    }
  }

  private mutating func lose(_ object: JSONObject, into actions: inout [GPSDConversation.Action]) {
    let path = object["path"]?.string ?? ""
    if path == receiver { receiver = nil }
    actions.append(.note("gpsd has lost the receiver \(path)."))
  }
}
