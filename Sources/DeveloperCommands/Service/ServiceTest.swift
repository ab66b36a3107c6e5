import CommandLine
import HTTP
import IFTTT
import JSON
import Output
import Session
import Text
import World

enum ServiceTest: Command {
  struct Options: CommandOptions {
    var server = ServerOptions()
    var definitionFile: String?
    var only: [CheckSelection.Name] = []
    var skip: [CheckSelection.Name] = []
    var signIn = SignInOptions()
    var sendsWebhooks = false
    var listsOnly = false
    var failsFast = false
  }

  static let name = "test"
  static let summary = "Run the endpoint tests that a service must pass"
  static var discussion: [String] {
    [
      """
      Sends the requests that IFTTT sends to the server of a service, and checks the responses. URL is the API URL \
      prefix, which /ifttt/v1 is added to. It may be on this machine. No profile is needed.
      """,
      """
      The command requests sample values from test/setup and tests each trigger, query and action that it names. A \
      service definition also names those without fields, and their required fields and ingredients; ifttt-service(7) describes \
      its format.
      """,
      """
      With --sign-in, the command opens your authorization page as IFTTT does, and tests the code, the tokens and their \
      refresh. The redirect URI is on this machine, so your service must accept it. --timeout limits the wait for the \
      browser.
      """,
      """
      --only and --skip accept the name of a check, an endpoint such as triggers/lamp_switched_on, or a part: \
      \(ServicePart.allCases.map(\.rawValue).joined(separator: ", ")). --list prints all checks and what they prove.
      """,
      """
      Nothing is retried unless --retries is given. Each check passes, fails, is skipped, or warns about a deviation that IFTTT tolerates. If a check fails, the exit \
      code is 1; if the server cannot be reached, it is 5. With --verbose, each failed check shows the request, the \
      response, and a curl command that repeats the request.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    .lifted(ServerOptions.flags, into: \.server) + [
      .value(
        "definition", .file, into: \.definitionFile, environment: EnvironmentVariable.serviceDefinition.name,
        help: "Service definition, as JSON"),
      .repeatedList("only", .checkName, into: \.only, help: "Only these checks, endpoints or parts"),
      .repeatedList("skip", .checkName, into: \.skip, help: "All but these checks, endpoints or parts"),
      .toggle("webhooks", into: \.sendsWebhooks, help: "Also send the four webhooks of a connection"),
      .toggle("list", into: \.listsOnly, help: "Print the checks and what they prove, and send nothing"),
      .toggle(
        "fail-fast", into: \.failsFast, isAdvanced: true, help: "Send no more requests after a check has failed"),
    ] + .lifted(SignInOptions.flags, into: \.signIn)
  }
  static var positionals: [Positional<Options>] {
    [.required(.serverURL, into: \.server.url, help: "API URL prefix of the server")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("service test http://127.0.0.1:8788 --list --only queries", "list the checks of queries"),
      ExampleSchema("service test http://127.0.0.1:8788 --service-key-file key.txt", "test a server on this machine"),
      ExampleSchema(
        "service test http://127.0.0.1:8788 --definition service.json", "also test what test/setup does not name"),
    ]
  }
  static let reportFormats = ReportFile.Format.common
  static var shape: OutputSchema? {
    var shape = OutputSchema.many(ServiceCheckRow.self).report
    shape.alternative = { .many(ListedCheckRow.self) }
    return shape
  }

  static func check(_ options: Options) throws(Conflict) { try options.signIn.check() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let definition = try options.definitionFile.map { try session.serviceDefinition(in: $0) }
    let url = try options.server.url(in: session)
    let selection = CheckSelection(only: options.only, skip: options.skip)
    if options.listsOnly {
      return .rows(
        ListedCheckRow.all(
          selection, definition, sendsWebhooks: options.sendsWebhooks, testsSignIn: options.signIn.isTested))
    }
    let key = try options.server.requiredServiceKey(
      for: "a request to your server", with: options.signIn.needs, in: session)
    let token = try options.server.accessToken(in: session)
    let plan = ServiceTestPlan(
      ServiceRequests(
        url, isTest: true, random: session.network.reproducibleRandom,
        seed: session.network.reproducibleRandom.bytes(16)),
      serviceKey: key, from: session.credentials.origin(of: key),
      accessToken: token, from: token.flatMap(session.credentials.origin), definition: definition,
      sendsWebhooks: options.sendsWebhooks, selection: selection)
    if session.options.isDryRun { return session.dryRun(plan.opening.map(\.request)) }
    let signIn = try options.signIn.plan(in: session).map {
      SignInTest(signIn: $0, options: options.signIn, session: session)
    }
    let test = ServiceTestRun(
      plan, signIn: signIn, http: ServerOptions.client(in: session), failsFast: options.failsFast, in: session)
    return output(of: test, session)
  }

  private static func output(of test: ServiceTestRun, _ session: Session) -> Output {
    let terminal = session.world.terminal
    if session.options.printsText {
      let color = session.colorsOutput
      let columns = terminal.outputIsTerminal ? terminal.columns : nil
      let body = Output.Body.live { write in
        var text = ServiceCheckText(columns: columns, color: color, details: session.options.isVerbose)
        try test.run(inOrder: true) { try write(Array(text.lines($0).utf8)) }
      }
      return Output(body: body, verdict: test.evaluate)
    }
    let rows = Rows(isReiterable: false) { body in
      try test.run(inOrder: session.options.format != .jsonl) { try ServiceCheckRow($0).bytes.withUnsafeBytes(body) }
    }
    return Output(body: .rows(rows, .many(ServiceCheckRow.self)), verdict: test.evaluate)
  }
}

extension ValueKind<CheckSelection.Name> {
  fileprivate static var checkName: ValueKind {
    ValueKind(ValueSchema(placeholder: "NAME", completion: .dynamic("service-check"))) {
      (text: String) throws(ValueError) in
      guard let name = CheckSelection.Name(parsing: text) else {
        throw ValueError(
          "expected a check, an endpoint such as triggers/SLUG, or a part",
          accepted: ServicePart.allCases.map(\.rawValue) + ServiceCheck.all.map(\.name))
      }
      return name
    }
  }
}

extension ServiceCheckResult.Outcome: OutputValue {}
extension ServicePart: OutputValue {}

/// The result of one check.
struct ServiceCheckRow: OutputRecord {
  let result: ServiceCheckResult

  init(_ result: ServiceCheckResult) { self.result = result }

  static let fields: Fields = [
    Field("check", "The name of the check", column: "CHECK", overflow: .keep) { $0.result.check.name },
    Field("part", "The part of the service API that the check belongs to") { $0.result.part },
    Field(
      "endpoint", "The path of the endpoint below /ifttt/v1", column: "ENDPOINT", overflow: .elide(least: endpointWidth)
    ) { $0.result.endpoint.description },
    Field("result", "The result of the check", column: "RESULT", overflow: .keep, columnNumber: 1) {
      $0.result.outcome
    },
    Field("message", "The deviation, or why the check was skipped", column: "MESSAGE") { $0.result.message },
    Field("advice", "Why IFTTT requires it, or what to do; null unless the check failed") { $0.advice },
    Field("request_id", "The X-Request-ID of the request that decided the check") { $0.result.exchange?.requestID },
    Field("elapsed_ms", "The time until the response, in milliseconds") {
      $0.result.exchange.map { Int($0.time / .milliseconds(1)) }
    },
  ]

  /// The minimum width of an endpoint in a table. Both ends are shown, because the end of a field's endpoint
  /// distinguishes its options from its validation.
  static let endpointWidth = 24

  private var advice: String? {
    result.outcome == .failed || result.outcome == .warning ? result.check.advice : nil
  }
}

/// A check as `--list` prints it.
struct ListedCheckRow: OutputRecord {
  let check: ServiceCheck
  let part: ServicePart
  /// The endpoint that the definition names, or its form.
  let endpoint: String

  static let fields: Fields = [
    Field("check", "The name of the check", column: "CHECK", overflow: .keep) { $0.check.name },
    Field("part", "The part of the service API that the check belongs to") { $0.part },
    Field(
      "endpoint", "The endpoint, or its form", column: "ENDPOINT",
      overflow: .elide(least: ServiceCheckRow.endpointWidth)
    ) { $0.endpoint },
    Field("proves", "What a passed check proves", column: "PROVES") { $0.check.proves },
    Field("advice", "Why IFTTT requires it, or what to do if it fails") { $0.check.advice },
  ]

  static func all(
    _ selection: CheckSelection, _ definition: ServiceDefinition?, sendsWebhooks: Bool, testsSignIn: Bool
  ) -> [ListedCheckRow] {
    ServicePart.allCases.filter { ($0 != .webhooks || sendsWebhooks) && ($0 != .signIn || testsSignIn) }.flatMap {
      part in
      ListedEndpoint.all(of: part, definition).flatMap { endpoint in
        endpoint.checks.filter { selection.includes($0, part, endpoint.path) }.map {
          ListedCheckRow(check: $0, part: part, endpoint: endpoint.path.description)
        }
      }
    }
  }
}

/// The results of checks as lines for people, below the endpoint that they are about. On the same line as the name of a
/// check, the endpoint of a field would not fit on a narrow terminal.
struct ServiceCheckText {
  /// The width of the terminal; nil for no limit.
  let columns: Int?
  let color: Bool
  /// Whether a failure shows its request and response.
  let details: Bool

  /// The endpoint of the last result.
  private var endpoint: ServicePath?

  private static let outcomeIndent = 2
  private static let indent = 11

  init(columns: Int?, color: Bool, details: Bool) {
    (self.columns, self.color, self.details) = (columns, color, details)
  }

  mutating func lines(_ result: ServiceCheckResult) -> String {
    var lines: [String] = []
    if result.endpoint != endpoint {
      lines.append(shown(TerminalText.escaped(result.endpoint.description), .bold))
      endpoint = result.endpoint
    }
    let word = result.outcome.rawValue
    let padding = Self.indent - Self.outcomeIndent - word.utf8.count
    lines.append(
      Self.spaces(Self.outcomeIndent) + shown(word, result.tone) + Self.spaces(padding) + result.check.name)
    if result.outcome != .passed, let message = result.message { lines += indented(Hint(message)) }
    if result.outcome == .failed || result.outcome == .warning {
      lines += indented(Hint(result.check.advice))
      if details, let exchange = result.exchange {
        lines += ExchangeText.lines(exchange).map { Self.spaces(Self.indent) + $0 }
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func shown(_ text: String, _ tone: Tone) -> String { color ? tone.around(text) : text }

  private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

  private func indented(_ hint: Hint) -> [String] {
    hint.lines(width: columns.map { max($0 - Self.indent, 20) }).map { Self.spaces(Self.indent) + $0 }
  }
}

extension ServiceCheckResult {
  fileprivate var tone: Tone {
    switch outcome {
    case .passed: .green
    case .failed: .red
    case .skipped: .dim
    case .warning: .yellow
    }
  }
}

/// A request and its response as lines for people, with credentials masked, and the `curl` command that repeats the
/// request.
enum ExchangeText {
  /// The maximum number of bytes of a body that are shown.
  private static let bodyLimit = 2000

  static func lines(_ exchange: ServiceExchange) -> [String] {
    let redactor = Redactor(exchange.secrets)
    let request = exchange.request
    var lines = ["> \(request.method.rawValue) \(request.url.redacted)"]
    lines += request.headers.map {
      "> \($0.name): \($0.secret == ServiceTestPlan.wrongCredential ? $0.wire : $0.redacted)"
    }
    lines += body(request.body ?? [], behind: "> ")
    switch exchange.result {
    case .failure: lines.append("< \(exchange.description)")
    case .success(let response):
      lines.append("< \(response.status)")
      lines += response.headers.map { "< \($0.name): \($0.value)" }
      lines += body(exchange.shownBody, behind: "< ")
    }
    return lines.map { TerminalText.escaped(redactor.redact($0)) } + [curl(request, redactor)]
  }

  private static func body(_ bytes: [UInt8], behind mark: String) -> [String] {
    guard !bytes.isEmpty else { return [] }
    let text = String(decoding: bytes.prefix(bodyLimit), as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline).map { mark + $0 }
    return bytes.count > bodyLimit ? lines + ["\(mark)… (\(bytes.count) bytes)"] : lines
  }

  /// The `curl` command. It reads secrets from the environment, so that it can be pasted into an issue.
  private static func curl(_ request: Request, _ redactor: Redactor) -> String {
    var arguments = ["curl", "-i", "--compressed", "-X", request.method.rawValue, ShellWord.quoted(request.url.wire)]
    for header in request.headers {
      arguments.append("-H")
      switch header.value {
      case .text(let text): arguments.append(ShellWord.quoted("\(header.name): \(text)"))
      case .secret(let prefix, let secret):
        let variable = header.name == "Authorization" ? EnvironmentVariable.accessToken : .serviceKey
        // A credential that is wrong on purpose is not a secret.
        let value = secret == ServiceTestPlan.wrongCredential ? secret.revealed : "$\(variable.name)"
        arguments.append("\"\(header.name): \(prefix)\(value)\"")
      }
    }
    if let body = request.body {
      // A form contains the client secret and codes. They are masked, because no option of curl keeps them out of the
      // arguments.
      let text = redactor.redact(String(decoding: body, as: UTF8.self))
      arguments += ["--data-binary", ShellWord.pastable(text) ?? TerminalText.escaped(ShellWord.quoted(text))]
    }
    return arguments.joined(separator: " ")
  }
}

extension Header {
  fileprivate var secret: Secret? { if case .secret(_, let secret) = value { secret } else { nil } }
}
