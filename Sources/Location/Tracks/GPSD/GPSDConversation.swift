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

  /// Why nothing more will come.
  package enum Failure: Error, Equatable {
    /// What answers there is something else.
    case notGPSD
    case otherProtocol
    /// In the words of gpsd, where it has any.
    case refusal(String?)
    case closed
  }

  /// gpsd's own limit is 10,240 bytes.
  static let lineLimit = 1 << 16

  private var lines = LineSplitter(limit: lineLimit)
  /// Whether it has said what it is. It does so at once.
  package private(set) var hasGreeted = false
  /// The path of the receiver that counts; empty where gpsd names none.
  private var receiver: String?

  package init() {}

  /// - Throws: ``Failure`` where the other side is no gpsd, or refuses to tell.
  package mutating func read(_ bytes: UnsafeRawBufferPointer, into actions: inout [Action]) throws(Failure) {
    var (hasGreeted, receiver) = (hasGreeted, receiver)
    defer { (self.hasGreeted, self.receiver) = (hasGreeted, receiver) }
    try lines.read(bytes) { line, number throws(Failure) in
      var step = Step(hasGreeted: hasGreeted, receiver: receiver, number: number)
      defer { (hasGreeted, receiver) = (step.hasGreeted, step.receiver) }
      try step.take(line, into: &actions)
    }
    // Nothing that gpsd says is so long, and what never ends would be waited for without end.
    if lines.excess > 0, !hasGreeted { throw .notGPSD }
  }

  package mutating func read(_ bytes: [UInt8], into actions: inout [Action]) throws(Failure) {
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(Failure) in try read(bytes, into: &actions) }
    }
    try result.get()
  }

  /// The connection has ended. gpsd never ends one by itself but with its own end.
  package func finish() -> Failure { hasGreeted ? .closed : .notGPSD }
}

/// One line of the conversation.
private struct Step {
  var hasGreeted: Bool
  var receiver: String?
  let number: Int

  mutating func take(
    _ line: UnsafeRawBufferPointer?, into actions: inout [GPSDConversation.Action]
  ) throws(GPSDConversation.Failure) {
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
    case "ERROR": throw .refusal(object["message"]?.string)
    default: break
    }
  }

  private mutating func greet(
    _ name: String?, _ value: JSONValue?, into actions: inout [GPSDConversation.Action]
  ) throws(GPSDConversation.Failure) {
    guard name == "VERSION" else { throw .notGPSD }
    guard value?["proto_major"]?.int == 3 else { throw .otherProtocol }
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
