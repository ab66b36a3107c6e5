package import PluginProtocol
package import World

/// A plugin under test and the parameters of the test.
package struct ConformanceSubject {
  package var plugin: PluginProgram
  package var kind: Manifest.Kind
  /// The reason why the program would reject the plugin's name or manifest; nil if it would accept them.
  package var problem: String?
  /// Receives each line of the plugin's stderr.
  package var report: (String) -> Void = { _ in }
  package var greeting: Greeting
  /// The scripted answers of a user, and the stored credentials.
  package var answers = ConformanceAnswers()
  /// Records all messages; nil for none.
  package var trace: PluginTrace?
  /// The timeout of a request for which the protocol defines none.
  package var timeout: Duration
  package var world: World
  /// The methods that did not respond in earlier checks.
  let unanswered = UnansweredMethods()
  /// The name of the check that is being run.
  fileprivate(set) var check = ""

  package init(
    _ plugin: PluginProgram, kind: Manifest.Kind, greeting: Greeting, timeout: Duration, in world: World
  ) {
    (self.plugin, self.kind, self.greeting, self.timeout, self.world) = (plugin, kind, greeting, timeout, world)
  }
}

/// The methods that did not respond within their timeout. Later checks skip them, so that the test of a plugin that
/// hangs in one method waits for it only once.
final class UnansweredMethods {
  /// The check that fails if a plugin does not respond to this method. A timeout in another check has another cause.
  private static let owners = ["initialize": "handshake", ConformanceCheck.unknown: "unknown-method"]
  private var checks: [String: String] = [:]

  /// - Parameter isFullTimeout: whether the method had the whole time that a request may take.
  func add(_ method: String, in check: String, isFullTimeout: Bool) {
    guard Self.owners[method].map({ $0 == check }) ?? isFullTimeout else { return }
    checks[method] = check
  }

  /// - Throws: ``ConformanceError`` that skips a check whose method did not respond before.
  func check(_ method: String) throws(ConformanceError) {
    guard let check = checks[method] else { return }
    throw ConformanceError("'\(method)' did not respond in the check '\(check)'", isSkip: true)
  }
}

/// One rule for plugins, and the test that checks it.
package struct ConformanceCheck: Sendable {
  package let name: String
  /// The rule in words.
  package let summary: String
  /// The kind of plugins that the rule applies to; nil for both.
  package let kind: Manifest.Kind?
  /// The capability that a plugin must offer for this test.
  package let needs: Capability?
  private let body: @Sendable (ConformanceSubject) throws(ConformanceError) -> Void

  package enum Outcome: Sendable, Equatable { case pass, fail(String), skip(String) }

  init(
    _ name: String, _ summary: String, for kind: Manifest.Kind? = .provider, needs: Capability? = nil,
    _ body: @escaping @Sendable (ConformanceSubject) throws(ConformanceError) -> Void
  ) {
    (self.name, self.summary, self.kind, self.needs, self.body) = (name, summary, kind, needs, body)
  }

  /// Runs the test. It starts the plugin as often as needed, and ends it before returning.
  package func run(on subject: ConformanceSubject) -> Outcome {
    if let kind, kind != subject.kind { return .skip("only for \(kind.rawValue) plugins") }
    if let needs, !subject.plugin.capabilities.contains(needs.rawValue) {
      return .skip("it does not offer '\(needs.rawValue)'")
    }
    var subject = subject
    subject.check = name
    do throws(ConformanceError) {
      try body(subject)
      return .pass
    } catch { return error.isSkip ? .skip(error.description) : .fail(error.description) }
  }
}

extension ConformanceCheck {
  /// All checks, in the order in which they are run.
  package static var all: [ConformanceCheck] {
    [
      manifest, start, handshake, capabilities, versionMismatch, unknownMethod, splitLines, joinedLines, hugeMessage,
      hugeResponse, unicode, invalidMessages, connections, show, enable, disable, configure, activate, credentialStatus,
      completion, commands, secrets, cancel, cancelInRequest, slowResponse, endOfInput, endInMidStream, endInRequest,
      nothingLeft,
    ]
  }

  private static let manifest = ConformanceCheck("manifest", "Its manifest and its name are valid", for: nil) {
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

  private static let handshake = ConformanceCheck("handshake", "It identifies itself within 2 s") {
    subject throws(ConformanceError) in
    let greeting = try greetedSession(subject).value
    let name = subject.plugin.name.description
    guard greeting["name"]?.string == name else {
      throw ConformanceError("it reports the name \(greeting["name"] ?? .null), but its manifest has '\(name)'")
    }
    guard let selected = greeting["protocol"]?.string, ProtocolVersion.supported.contains(selected) else {
      throw ConformanceError("it selects protocol \(greeting["protocol"] ?? .null), which was not offered")
    }
    guard let version = greeting["version"]?.string, !version.isEmpty else {
      throw ConformanceError("it does not report its version")
    }
    guard version == subject.plugin.version else {
      throw ConformanceError("it reports version '\(version)', but its manifest has '\(subject.plugin.version)'")
    }
  }

  private static let capabilities = ConformanceCheck("capabilities", "It offers exactly the methods in its manifest") {
    subject throws(ConformanceError) in
    guard let announced = try greetedSession(subject).value["capabilities"]?.array?.compactMap(\.string) else {
      throw ConformanceError("it does not report its capabilities")
    }
    let wrong = Set(announced).symmetricDifference(subject.plugin.capabilities).sorted()
    guard wrong.isEmpty else {
      throw ConformanceError(
        "only in the manifest or only in its response: \(wrong.map { "'\($0)'" }.joined(separator: ", "))")
    }
  }

  private static let versionMismatch = ConformanceCheck(
    "version-mismatch", "It rejects a protocol version that it does not support"
  ) { subject throws(ConformanceError) in
    let session = try ConformanceSession(subject)
    guard case .success(let greeting) = try session.greet(["999"]) else { return }
    throw ConformanceError("when only protocol 999 is offered, it selects \(greeting["protocol"] ?? .null)")
  }

  private static let unknownMethod = ConformanceCheck(
    "unknown-method", "It responds to an unknown method with -32601, and continues"
  ) { subject throws(ConformanceError) in
    let session = try greetedSession(subject).session
    try checkUnknownRequest(2, in: session)
    session.send(.notification(method: "x-unknown/notification", params: [:]))
    try checkUnknownRequest(3, in: session)
  }

  private static let splitLines = ConformanceCheck("split-lines", "It accepts a message that arrives in pieces") {
    subject throws(ConformanceError) in
    let session = try greetedSession(subject).session
    let line = unknownRequest(2).line
    for start in stride(from: 0, to: line.count, by: 7) {
      session.send(Array(line[start..<min(start + 7, line.count)]))
    }
    try checkIsRejected(session.response(to: 2, unknown, within: shortTimeout))
  }

  private static let joinedLines = ConformanceCheck("joined-lines", "It accepts several messages that arrive at once") {
    subject throws(ConformanceError) in
    let session = try greetedSession(subject).session
    session.send(unknownRequest(2).line + unknownRequest(3).line + unknownRequest(4).line)
    for id in 2...4 { try checkIsRejected(session.response(to: id, unknown, within: shortTimeout)) }
  }

  private static let hugeMessage = ConformanceCheck("huge-message", "It accepts a message of up to 16 MiB") {
    subject throws(ConformanceError) in
    let session = try greetedSession(subject).session
    let text = String(repeating: "x", count: 15 << 20)
    session.send(.request(id: .number(2), method: unknown, params: ["text": Value(text)]))
    try checkIsRejected(session.response(to: 2, unknown, within: subject.timeout))
    try checkUnknownRequest(3, in: session)
  }

  private static let hugeResponse = ConformanceCheck("huge-response", "It can send a message of up to 16 MiB") {
    subject throws(ConformanceError) in
    let session = try greetedSession(subject).session
    try echo(String(repeating: "x", count: 15 << 20), by: session, within: subject.timeout)
    try checkUnknownRequest(3, in: session)
  }

  private static let unicode = ConformanceCheck("unicode", "Text in any script passes through it byte for byte") {
    subject throws(ConformanceError) in
    let session = try greetedSession(subject).session
    for text in [
      "\u{1f469}\u{200d}\u{1f680}", "\u{5e9}\u{5dc}\u{5d5}\u{5dd}", "e\u{301}\u{e9}", "\u{10ffff}\u{85}\u{2028}",
    ] {
      try echo(text, by: session, within: shortTimeout)
    }
    // The same text in ASCII.
    session.send(Array(#"{"jsonrpc":"2.0","id":"\ud83d\ude80","method":"\#(unknown)","params":{}}"#.utf8) + [0x0a])
    try checkIsRejected(session.response(to: .text("\u{1f680}"), unknown, within: shortTimeout))
  }

  private static let invalidMessages = ConformanceCheck("rubbish", "Invalid messages do not end it") {
    subject throws(ConformanceError) in
    let session = try greetedSession(subject).session
    session.send(Array("{\"jsonrpc\": \n[]\n\"text\"\n".utf8) + [0xff, 0xfe, 0x0a])
    try checkUnknownRequest(2, in: session)
  }

  private static let endOfInput = ConformanceCheck("end-of-input", "It exits within 2 s after its stdin is closed") {
    subject throws(ConformanceError) in
    let status = try greetedSession(subject).session.closeInput()
    guard status == 0 else { throw ConformanceError("it exits with status \(status)") }
  }

  private static let nothingLeft = ConformanceCheck("nothing-left", "It leaves no processes behind") {
    subject throws(ConformanceError) in
    let session = try greetedSession(subject).session
    if subject.plugin.capabilities.contains(Capability.listConnections.rawValue) {
      session.send(.request(id: .number(2), method: "connections/list", params: ["status": nil]))
      _ = try session.response(to: 2, "connections/list", within: subject.timeout)
    }
    _ = try session.closeInput()
    if session.leftBehind { throw ConformanceError("a process that it started was still running after it exited") }
  }

  // MARK: Shared parts

  static let unknown = "x-unknown/method"
  static let shortTimeout = Duration.seconds(2)

  /// Sends a request with this id, which the response must repeat unchanged.
  private static func echo(
    _ id: String, by session: ConformanceSession, within limit: Duration
  ) throws(ConformanceError) {
    session.send(.request(id: .text(id), method: unknown, params: [:]))
    try checkIsRejected(session.response(to: .text(id), unknown, within: limit))
  }

  static func unknownRequest(_ id: Int) -> Message { .request(id: .number(id), method: unknown, params: [:]) }

  static func greetedSession(
    _ subject: ConformanceSubject
  ) throws(ConformanceError) -> (session: ConformanceSession, value: Value) {
    let session = try ConformanceSession(subject)
    switch try session.greet() {
    case .success(let value): return (session, value)
    case .failure(let error): throw ConformanceError("it rejects 'initialize': \(error.message)")
    }
  }

  /// Sends a request with an unknown method, and checks that the plugin rejects it.
  static func checkUnknownRequest(_ id: Int, in session: ConformanceSession) throws(ConformanceError) {
    session.send(unknownRequest(id))
    try checkIsRejected(session.response(to: id, unknown, within: shortTimeout))
  }

  private static func checkIsRejected(_ result: Result<Value, PluginError>) throws(ConformanceError) {
    switch result {
    case .success: throw ConformanceError("it accepts an unknown method")
    case .failure(let error):
      guard error.number == PluginError.Number.unknownMethod.rawValue else {
        throw ConformanceError("it responds to an unknown method with \(error.number) instead of -32601")
      }
    }
  }
}
