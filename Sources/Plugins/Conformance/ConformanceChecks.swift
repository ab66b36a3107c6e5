import PluginProtocol
import Time
import World

extension ConformanceCheck {
  /// All checks, in the order in which they are run.
  package static var all: [ConformanceCheck] {
    [
      manifest, start, handshake, capabilities, versionMismatch, unknownMethod, splitLines, joinedLines, hugeMessage,
      rubbish, connections, cancel, slowResponse, endOfInput, endInMidStream, nothingLeft,
    ]
  }

  private static let manifest = ConformanceCheck("manifest", "The program accepts its manifest and its name", for: nil)
  {
    subject throws(ConformanceError) in
    if let problem = subject.problem { throw ConformanceError(problem) }
  }

  private static let start = ConformanceCheck(
    "start", "It exits by itself when run without arguments and input", for: .command
  ) { subject throws(ConformanceError) in
    let status = try ConformanceSession(subject).closeInput(within: subject.timeout)
    switch status {
    // The exit statuses of shells.
    case 126, 127: throw ConformanceError("it exits with status \(status): a program that it needs cannot be run")
    case 129..<160: throw ConformanceError("it was killed by signal \(status - 128)")
    default: break
    }
  }

  private static let handshake = ConformanceCheck("handshake", "It says who it is within 2 s") {
    subject throws(ConformanceError) in
    let greeting = try greeted(subject).value
    let name = subject.plugin.name.description
    guard greeting["name"]?.string == name else {
      throw ConformanceError("it says its name is \(greeting["name"] ?? .null), and its manifest '\(name)'")
    }
    guard let version = greeting["protocol"]?.string, ProtocolVersion.spoken.contains(version) else {
      throw ConformanceError("it chooses protocol \(greeting["protocol"] ?? .null), which it was not offered")
    }
    guard greeting["version"]?.string?.isEmpty == false else { throw ConformanceError("it does not say its version") }
  }

  private static let capabilities = ConformanceCheck("capabilities", "It offers what its manifest names, and no more") {
    subject throws(ConformanceError) in
    guard let announced = try greeted(subject).value["capabilities"]?.array?.compactMap(\.string) else {
      throw ConformanceError("it does not say what it can be asked")
    }
    let wrong = Set(announced).symmetricDifference(subject.plugin.capabilities).sorted()
    guard wrong.isEmpty else {
      throw ConformanceError("only one of the two names \(wrong.map { "'\($0)'" }.joined(separator: ", "))")
    }
  }

  private static let versionMismatch = ConformanceCheck(
    "version-mismatch", "It refuses a protocol that it does not speak"
  ) { subject throws(ConformanceError) in
    let talk = try ConformanceSession(subject)
    guard case .success(let greeting) = try talk.greet(["999"]) else { return }
    throw ConformanceError("offered protocol 999 alone, it chooses \(greeting["protocol"] ?? .null)")
  }

  private static let unknownMethod = ConformanceCheck(
    "unknown-method", "It answers -32601 to what it does not know, and goes on"
  ) { subject throws(ConformanceError) in
    let talk = try greeted(subject).talk
    try ask(talk, nonsense(2), 2)
    talk.send(.notification(method: "x-unknown/notification", params: [:]))
    try ask(talk, nonsense(3), 3)
  }

  private static let splitLines = ConformanceCheck("split-lines", "A message may come in pieces") {
    subject throws(ConformanceError) in
    let talk = try greeted(subject).talk
    let line = nonsense(2).line
    for start in stride(from: 0, to: line.count, by: 7) { talk.send(Array(line[start..<min(start + 7, line.count)])) }
    try refused(talk.answer(to: 2, unknown, within: quick))
  }

  private static let joinedLines = ConformanceCheck("joined-lines", "Several messages may come at once") {
    subject throws(ConformanceError) in
    let talk = try greeted(subject).talk
    talk.send(nonsense(2).line + nonsense(3).line + nonsense(4).line)
    for id in 2...4 { try refused(talk.answer(to: id, unknown, within: quick)) }
  }

  private static let hugeMessage = ConformanceCheck("huge-message", "A message may have up to 16 MiB") {
    subject throws(ConformanceError) in
    let talk = try greeted(subject).talk
    let text = String(repeating: "x", count: 15 << 20)
    talk.send(.request(id: .number(2), method: unknown, params: ["text": Value(text)]))
    try refused(talk.answer(to: 2, unknown, within: subject.timeout))
    try ask(talk, nonsense(3), 3)
  }

  private static let rubbish = ConformanceCheck("rubbish", "What is no message does not end it") {
    subject throws(ConformanceError) in
    let talk = try greeted(subject).talk
    talk.send(Array("{\"jsonrpc\": \n[]\n\"text\"\n".utf8) + [0xff, 0xfe, 0x0a])
    try ask(talk, nonsense(2), 2)
  }

  private static let connections = ConformanceCheck(
    "connections", "It lists connections with an id, a name and a status", needs: .listConnections
  ) { subject throws(ConformanceError) in
    let talk = try ConformanceSession(subject)
    try talk.list()
    switch try talk.answer(to: 2, "connections/list", within: subject.timeout) {
    // A plugin without an account may respond with an error.
    case .failure(let error) where error.code != nil: break
    case .failure(let error):
      throw ConformanceError("it answers with an error that has no word of its own: \(error.message)")
    case .success(let result):
      guard result.members != nil else { throw ConformanceError("the answer is no object") }
    }
    var seen: Set<String> = []
    for item in talk.items {
      guard let id = item["id"]?.string, !id.isEmpty, item["name"]?.string != nil else {
        throw ConformanceError("a connection has no 'id' or no 'name'")
      }
      guard seen.insert(id).inserted else { throw ConformanceError("it lists '\(id)' twice") }
      guard let status = item["status"]?.string, ProvidedConnection.Status(rawValue: status) != nil else {
        throw ConformanceError("connection '\(id)' has the status \(item["status"] ?? .null)")
      }
    }
  }

  private static let cancel = ConformanceCheck(
    "cancel", "What is cancelled is answered within 2 s, and the next request too", needs: .listConnections
  ) { subject throws(ConformanceError) in
    let talk = try ConformanceSession(subject)
    try talk.list()
    talk.send(.notification(method: "$/cancel", params: ["id": 2]))
    // Canceling a request that is not in flight must be harmless.
    talk.send(.notification(method: "$/cancel", params: ["id": 999]))
    _ = try talk.answer(to: 2, "connections/list", within: PluginSession.graceTime)
    try ask(talk, nonsense(3), 3)
  }

  private static let slowResponse = ConformanceCheck(
    "slow-response", "It waits for a program that responds slowly", needs: .listConnections
  ) { subject throws(ConformanceError) in
    let pause = min(.seconds(1), subject.timeout / 4)
    // A missing account fails either way.
    guard case .success = try ConformanceSession(subject).list(within: subject.timeout) else { return }
    let talk = try ConformanceSession(subject)
    talk.pause = pause
    switch try talk.list(within: subject.timeout) {
    case .success: break
    case .failure(let error): throw ConformanceError("it does not wait \(pause.wholeMilliseconds) ms: \(error.message)")
    }
    talk.pause = .zero
    try ask(talk, nonsense(3), 3)
  }

  private static let endOfInput = ConformanceCheck("end-of-input", "It ends within 2 s once its input is closed") {
    subject throws(ConformanceError) in
    let status = try greeted(subject).talk.closeInput()
    guard status == 0 else { throw ConformanceError("it exits with status \(status)") }
  }

  private static let endInMidStream = ConformanceCheck(
    "end-in-mid-stream", "It ends within 2 s also while it lists", needs: .listConnections
  ) { subject throws(ConformanceError) in
    let talk = try ConformanceSession(subject)
    try talk.list()
    _ = try talk.hear(atMost: quick)
    _ = try talk.closeInput()
  }

  private static let nothingLeft = ConformanceCheck("nothing-left", "No process of its own outlives it") {
    subject throws(ConformanceError) in
    let talk = try greeted(subject).talk
    if subject.plugin.capabilities.contains(Capability.listConnections.rawValue) {
      talk.send(.request(id: .number(2), method: "connections/list", params: ["status": nil]))
      _ = try talk.answer(to: 2, "connections/list", within: subject.timeout)
    }
    _ = try talk.closeInput()
    if talk.leftBehind { throw ConformanceError("a process that it started was still there when it ended") }
  }

  // MARK: Shared parts

  private static let unknown = "x-unknown/method"
  private static let quick = Duration.seconds(2)

  private static func nonsense(_ id: Int) -> Message { .request(id: .number(id), method: unknown, params: [:]) }

  private static func greeted(
    _ subject: ConformanceSubject
  ) throws(ConformanceError) -> (talk: ConformanceSession, value: Value) {
    let talk = try ConformanceSession(subject)
    switch try talk.greet() {
    case .success(let value): return (talk, value)
    case .failure(let error): throw ConformanceError("it refuses the greeting: \(error.message)")
    }
  }

  private static func ask(_ talk: ConformanceSession, _ message: Message, _ id: Int) throws(ConformanceError) {
    talk.send(message)
    try refused(talk.answer(to: id, unknown, within: quick))
  }

  private static func refused(_ answer: Result<Value, PluginError>) throws(ConformanceError) {
    switch answer {
    case .success: throw ConformanceError("it answers a method that there is not")
    case .failure(let error):
      guard error.number == PluginError.Number.unknownMethod.rawValue else {
        throw ConformanceError("it answers an unknown method with \(error.number) instead of -32601")
      }
    }
  }
}
