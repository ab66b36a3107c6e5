import CommandLine
import HTTP
import IFTTT
import JSON
import Output
import Sandbox
import Session
import Text
import World

enum SandboxStart: Command {
  struct Options: CommandOptions {
    var address = SandboxAddress()
    var readyFile: String?
    var controlKeyFile: String?
    var isDetached = false
    var seed = SeedChoice.builtIn(.plain)
    var connections = 0
    var users = 0
    var faults: [FaultRule] = []
    var faultSeed = 0
    var outcome: ActivationOutcome?
    var redirects: [String] = []
    var addsResultsToConnect = false
    var partner = PartnerServerOptions()
  }

  static let name = "start"
  static let summary = "Run the sandbox as an HTTP server, to test other programs against it"
  static var discussion: [String] {
    [
      """
      Prints one object with the base URL and the environment variables that make a program use the server, then \
      serves requests: on loopback only, unless --host names another address. In a pipe or a file, the object is JSON; on a terminal, notes name the next \
      step. Ctrl-C and SIGTERM let requests in flight finish and exit with status 0; a second signal exits at once.
      """,
      """
      'ifttt sandbox env' prints the environment variables for a shell; 'faults', 'requests', 'users' and 'reset' \
      control the running server. See ifttt-sandbox(7).
      """,
      """
      With --service-url, the server also sends requests to a partner's server as IFTTT does: it polls the triggers of \
      enabled connections, runs their actions, sends webhooks, and requests field options and validations. \
      'sandbox activity' shows each step.
      """,
      """
      With --authorize-url as well, the activation pages sign users in at the service, and its user ids become those \
      of the sandbox.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    .lifted(SandboxAddress.flags, into: \.address) + [
      .value(
        ControlKey.option, .file, into: \.controlKeyFile, defaultText: "a random key", isAdvanced: true,
        help: "Read the key of the control endpoint from this file, at least 32 characters"),
      .toggle(
        "detach", into: \.isDetached,
        help: "Return once the server accepts requests, and leave it running in the background"),
      .value(
        "ready-file", .file, into: \.readyFile, help: "Also write the object to this file, once requests are accepted"),
      .value(
        "seed", .seed, into: \.seed, defaultText: "plain",
        help: "Built-in seed, 'plain' or 'unusual', or a seed file with the fixtures"),
      .value(
        "connections", .integer(in: 0...9_999_999), into: \.connections, defaultText: "0", isAdvanced: true,
        help: "Number of additional connections, for load tests: L0000001 and so on"),
      .value(
        "users", .integer(in: 0...9_999_999), into: \.users, defaultText: "0", isAdvanced: true,
        help: "Number of additional users, for load tests: u-0000001 and so on"),
      .repeated("fault", .faultRule, into: \.faults, help: "Initial fault; see 'sandbox faults set'"),
      .value(
        "fault-seed", .integer(), into: \.faultSeed, defaultText: "0", isAdvanced: true,
        help: "Seed of the random selection of requests for faults"),
      .value(
        "outcome", .oneOf(ActivationOutcome.self, placeholder: "OUTCOME", help: \.summary), into: \.outcome,
        help: "End every activation page at once with this outcome"),
      .repeated(
        "registered-redirect", .nonEmpty("URL"), into: \.redirects, isAdvanced: true,
        help: "Redirect only to the URLs given with this option"),
      .toggle(
        "connect-results", into: \.addsResultsToConnect, isAdvanced: true,
        help: "Also append the result to the Connect URL's redirect_uri"),
    ] + .lifted(PartnerServerOptions.flags, into: \.partner)
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("sandbox start --ready-file ready.json", "run on any free port until Ctrl-C"),
      ExampleSchema("sandbox start --port 0 --fault status=503,times=2 --json", "fail two requests, then succeed"),
      ExampleSchema("sandbox start --outcome complete", "complete activations without a click"),
      ExampleSchema("sandbox start --seed unusual", "test with other scripts, emoji, markup and escapes"),
      ExampleSchema("sandbox start --service-url http://127.0.0.1:8788", "act as IFTTT for the server of a service"),
      ExampleSchema("sandbox start --detach", "run in the background until 'sandbox stop'"),
    ]
  }
  static var shape: OutputSchema? { .one(ServerRow.self) }

  static func check(_ options: Options) throws(Conflict) { try options.partner.check() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let address = options.address
    try address.check()
    if session.options.isDryRun {
      return session.dryRun(change: "Would serve the sandbox at \(address.url(port: address.port)).")
    }
    if options.isDetached { return try startInBackground(options, in: session) }
    let world = session.world
    let seed = try options.seed.contents(in: session)
    guard options.users == 0 || seed.credentials != nil else {
      throw Problem(
        .refused, "--users requires a service with a key in the seed file",
        hint: "Give the first service of the seed file a \"key\"; see ifttt-sandbox(7).")
    }
    let partner = try options.partner.credentials(for: seed, in: session)
    let servers = try RunningServers(session)
    // Start to observe interruptions now, so that a signal sent right after the object is printed is noticed.
    try world.checkInterruption()
    let makeEmulator = try emulators(options, partner, in: session)
    let initialState = SandboxResponder.InitialState(
      emulator: makeEmulator(seed), faults: FaultPlan(options.faults, seed: options.faultSeed),
      credentials: seed.credentials, seedName: options.seed.name, serviceURL: partner?.url.wire,
      makeEmulator: makeEmulator)
    let accessLog = session.options.isVerbose ? AccessLog(world.errorsOfThread) : nil
    let clock = world.clock
    let givenKey = try options.controlKeyFile.map { try ControlKey.read($0, in: session).revealed }
    let key = givenKey ?? RunningServer.newKey(world.random)
    let wake = try partner.map { _ in try Mailbox<Void>() }
    let ending = EndOfServer(world.processes)
    let responder = SandboxResponder(
      initialState, key: key, clock: clock, accessLog: accessLog, wake: wake, end: ending.end)
    let server = try CommandServer(
      address.settings, url: address.host.url(port: address.port), addressOptions: "--port or --host",
      readyFile: options.readyFile, in: session
    ) { responder }
    let port = server.address.port
    let environment = RunningServer.environment(at: address.url(port: port), for: seed.credentials)
    let started = RunningServer(
      url: address.url(port: port), localURL: address.localURL(port: port), pid: Int(world.processes.id), key: key,
      environment: .object(JSONObject(members: environment.map { (key: $0.key, value: .string($0.value)) })))
    try servers.add(started)
    address.warn(in: session)
    let row = ServerRow(server: started, file: servers.path(of: started.url))
    var output = output(row, in: session)
    output.verdict = {
      try server.writeReadyFile(row.bytes)
      noteNextStep(started.url, seed, isAlone: servers.all() == [started], in: session)
      if let partner, let wake {
        PartnerServerClient(partner, responder, wake: wake, in: session).run()
        responder.stop()
      }
      while !world.interruption.isInterrupted { world.clock.sleep(for: .seconds(3600)) }
    }
    output.closing = {
      server.removeReadyFile()
      servers.remove(started)
      server.close()
    }
    return output
  }
}

extension SandboxStart {
  /// Returns a function that creates the emulator for a seed.
  private static func emulators(
    _ options: Options, _ partner: PartnerServerOptions.Credentials?, in session: Session
  ) throws -> @Sendable (SandboxSeed) -> Emulator {
    let clock = session.world.clock
    var web = WebRules()
    web.hasInspector = true
    web.outcome = options.outcome
    web.registered = options.redirects.isEmpty ? nil : options.redirects
    web.addsResultsToConnect = options.addsResultsToConnect
    web.namesWebhookEvents = options.partner.namesWebhookEvents
    let rules = try partner.map { _ in try options.partner.rules(in: session) }
    return { [web] seed in
      var seed = seed
      seed.serverKey = partner?.key.revealed
      (seed.generated, seed.generatedUsers) = (options.connections, options.users)
      var emulator = Emulator(state: .seed, seed: seed)
      emulator.web = web
      if let partner, let rules {
        emulator.startRuntime(
          rules, accessToken: partner.accessToken?.revealed,
          secrets: [partner.key, partner.tokenClient?.secret].compactMap(\.self), at: clock.now())
      }
      return emulator
    }
  }
}

/// Ends the server from its own thread.
///
/// `@unchecked Sendable`: interrupting the program changes no state of the object.
private struct EndOfServer: @unchecked Sendable {
  private let processes: any Processes

  init(_ processes: any Processes) { self.processes = processes }

  func end() { processes.interruptThisProgram() }
}

extension SandboxStart {
  private static func startInBackground(_ options: Options, in session: Session) throws -> Output {
    let server = try DetachedServer(session).start(readyFile: options.readyFile)
    options.address.warn(in: session)
    return output(ServerRow(server: server, file: try RunningServers(session).path(of: server.url)), in: session)
  }

  /// A program that starts this one reads the object; lines for people are shown only on a terminal.
  private static func output(_ row: ServerRow, in session: Session) -> Output {
    session.options.printsText && !session.world.terminal.outputIsTerminal
      ? Output(body: .document(row.bytes)) : Output.one(row)
  }

  /// Notes how to use the server, which occupies this terminal, and how to stop it.
  /// - Parameter isAlone: whether no other server is listed, so that `sandbox env` needs no URL.
  private static func noteNextStep(_ url: String, _ seed: SandboxSeed, isAlone: Bool, in session: Session) {
    guard session.world.terminal.outputIsTerminal, session.world.terminal.errorIsTerminal else { return }
    if seed.credentials?.user != nil {
      let environment = "ifttt sandbox env" + (isAlone ? "" : " --url \(url)")
      session.console.note(
        Hint(parts: [
          .text("In another terminal, use this server and list its Applets: "),
          .verbatim("eval \"$(\(environment))\" && ifttt applets fetch"),
        ]))
    }
    session.console.note(
      Hint(parts: [
        .text("Watch it in the browser: "), .verbatim("ifttt sandbox open" + (isAlone ? "" : " --url \(url)")),
      ]))
    session.console.note("Press Ctrl-C to stop the server.")
  }
}

extension ValueKind<FaultRule> {
  /// An injected fault as written on the command line, with the requests it applies to.
  static var faultRule: ValueKind {
    let choices = InjectedFault.names.map { Choice($0.name, $0.summary) }
    return ValueKind(ValueSchema(placeholder: "FAULT", completion: .choices(choices))) {
      (text: String) throws(ValueError) in
      do throws(FaultSyntaxError) { return try FaultRule(parsing: text) } catch { throw ValueError("it \(error)") }
    }
  }
}

/// The seed of a server: built in, or read from a file.
enum SeedChoice: Sendable {
  case builtIn(BuiltInSeed)
  case file(String)

  /// The name of a built-in seed.
  var name: String? { if case .builtIn(let seed) = self { seed.rawValue } else { nil } }

  /// - Throws: `refused` for an invalid file.
  func contents(in session: Session) throws -> SandboxSeed {
    switch self {
    case .builtIn(let seed): return SandboxSeed(seed)
    case .file(let path):
      let bytes = try session.console.contents(of: path, for: "--seed", limit: SandboxSeed.sizeLimit)
      do throws(SeedError) { return try SandboxSeed(parsing: bytes) } catch {
        throw Problem(
          .refused, "'\(path)' is not a valid seed file", reason: error.description,
          hint: "Start from the output of \(ifttt: "sandbox seed"); see ifttt-sandbox(7).")
      }
    }
  }
}

extension ValueKind<SeedChoice> {
  /// The name of a built-in seed, or the path of a seed file, which contains a slash or a dot.
  static var seed: ValueKind {
    ValueKind(ValueSchema(placeholder: "SEED", completion: .file)) { (text: String) throws(ValueError) in
      guard !text.isEmpty else { throw ValueError("it must not be empty", accepted: BuiltInSeed.names) }
      if let seed = BuiltInSeed(named: text) { return .builtIn(seed) }
      guard text == "-" || text.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") }) else {
        throw ValueError("no such seed; the path of a file contains '/' or '.'", accepted: BuiltInSeed.names)
      }
      return .file(text)
    }
  }
}
