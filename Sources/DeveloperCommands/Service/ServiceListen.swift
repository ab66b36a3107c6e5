import CommandLine
import HTTP
import Output
import Session
import Store
import Text
import World

enum ServiceListen: Command {
  struct Options: CommandOptions {
    var port = 8787
    var address: BindAddress?
    var readyFile: String?
    var filter: WebhookFilter?
    var count: Int?
    var program: String?
    var programArguments: [String] = []
    var forward = ForwardOptions()

    /// The number of webhooks after which the run ends; nil for no limit.
    var webhookLimit: Int? { count ?? (filter == nil ? nil : 1) }

    /// The URL of the server at a port.
    func url(port: Int) -> String { (address ?? .loopback).url(port: port) }
  }

  static let name = "listen"
  static let summary = "Receive IFTTT's webhooks on this machine"
  static var discussion: [String] {
    [
      """
      Receives the webhooks that IFTTT sends when a connection is enabled, updated or disabled, or when one of its \
      triggers fires. The URL that is printed first is this machine's; IFTTT needs a public API URL that leads to it, \
      such as that of a tunnel. Any prefix before \(WebhookPath.base) is accepted.
      """,
      """
      Each webhook is stored on the disk before it is acknowledged with 200, and shown and forwarded after that, so \
      no webhook is lost. The profile's store keeps every webhook until 'service events clear'. A webhook with an earlier \
      X-Request-ID is acknowledged and stored, marked as repeated, and not shown again. Header fields with \
      credentials are not stored.
      """,
      """
      With a service key, requests without it are rejected with 401. Without one, keys are not checked, and only \
      requests from programs on this machine are accepted. --bind needs a service key.
      """,
      """
      The server has no TLS. To receive webhooks from other machines, put a reverse proxy with TLS in front of it \
      rather than using --bind; Examples/service/nginx.conf in the sources is a configuration of nginx.
      """,
      """
      With --forward, each webhook is also sent to another server, with the same path, header fields and body. \
      Webhooks that could not be delivered are sent again with increasing delays of up to 5 minutes, also by a later run \
      with the same URL. A server that rejects a webhook with a 4xx status other than 401, 408, 425 and 429 does not receive it \
      again; 'service events replay' sends it.
      """,
      """
      With --exec, the command runs once per webhook, without a shell and one at a time. It receives the line of \
      JSON on its stdin; its arguments follow '--'. Its output is printed instead of the webhooks. If it fails, a \
      note is printed, and it does not run again for that webhook. The command receives the whole environment.
      """,
      """
      If a run ends before a webhook's command has ended, also by a crash or --timeout, the next run of the profile \
      with --exec runs its command for that webhook first. A command that is killed with the program therefore runs \
      again for the same webhook. --for also applies to webhooks of earlier runs; --count does not count them.
      """,
      """
      Ctrl-C and SIGTERM let requests in flight finish, including those of --forward, and exit with status 0; a second \
      signal exits at once. --timeout limits the whole run: with --count or --for, a run that times out first exits \
      with status 8. So does a run that times out before the --forward server has responded. The next run says that \
      such a webhook may have arrived, and sends it again.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value(
        "port", .integer(in: 0...65_535, placeholder: "PORT"), into: \.port, defaultText: "8787",
        help: "Port to listen on; 0 for any free port"),
      .value(
        "bind", .bindAddress, into: \.address, defaultText: "127.0.0.1",
        help: "IP address to listen on; an address that is not loopback needs a service key"),
      .value(
        "ready-file", .file, into: \.readyFile, isAdvanced: true,
        help: "Write a JSON object with the URL and the process id to this file, once requests are accepted"),
      .value(
        "for", .webhookType, into: \.filter,
        help: "Show only this type or event, such as connection/enabled, and stop after the first (or after --count)"),
      .value("count", .integer(in: 1...Int.max), into: \.count, help: "Stop after this many webhooks"),
      .value(
        "exec", .execCommand, into: \.program, help: "Run this command once per webhook, with the arguments after '--'"),
    ] + .lifted(ForwardOptions.flags, into: \.forward)
  }
  static var positionals: [Positional<Options>] {
    [.many(.text("ARGUMENT"), into: \.programArguments, help: "The arguments of the --exec command, after '--'")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("service listen", "receive webhooks until Ctrl-C"),
      ExampleSchema(
        "service listen --for connection/enabled --timeout 5m --json", "wait for one webhook, for example in CI"),
      ExampleSchema("service listen --forward http://localhost:3000", "pass webhooks on to a server in development"),
      ExampleSchema("service listen --exec tee -- -a webhooks.jsonl", "run a command for each webhook"),
    ]
  }
  static var shape: OutputSchema? { .many(WebhookRow.self).report }

  static func check(_ options: Options) throws(Conflict) {
    if options.program == nil, !options.programArguments.isEmpty {
      throw Conflict("arguments are accepted only with --exec")
    }
    if options.forward.sendsKey, options.forward.url == nil {
      throw Conflict("--forward-key needs --forward", options: ["forward-key"])
    }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    if let program = options.program { try session.checkProgram(program, of: "exec") }
    if let address = options.address, !address.isLoopback {
      try session.credentials.require(
        [.secret(.serviceKey, file: options.forward.serviceKeyFile)], for: "--bind \(address)")
    }
    let key = try session.credentials.secret(.serviceKey, file: options.forward.serviceKeyFile)
    let target = try options.forward.target(key: key, in: session)
    if session.options.isDryRun {
      let url = options.url(port: options.port)
      return session.dryRun(change: "Would receive and store webhooks at \(url)\(WebhookPath.base).")
    }
    // Check now, so that a signal sent as soon as the URL is printed is noticed.
    try session.world.checkInterruption()
    let run = try ListenRun(options, key: key, target: target, in: session)
    var output = Output(body: body(options, run, in: session))
    output.closing = { run.close() }
    return output
  }

  private static func body(_ options: Options, _ run: ListenRun, in session: Session) -> Output.Body {
    if let program = options.program {
      return .live { write in
        let command = WebhookCommand(session, [program] + options.programArguments, write: write)
        try run.run(ListenOutput(isResumable: true) { try command.show($0) })
      }
    }
    if session.options.printsText {
      // One line per webhook: a table would need all rows before its first line.
      return .live { write in try run.run(ListenOutput { try write(Array(($0.line + "\n").utf8)) }) }
    }
    let rows = Rows(isReiterable: false) { body in
      try Rows.storing(body) { body in try run.run(ListenOutput { try $0.bytes.withUnsafeBytes(body) }) }
    }
    return .events(rows, .many(WebhookRow.self))
  }
}

extension ValueKind<BindAddress> {
  static var bindAddress: ValueKind {
    .parsed("ADDRESS", expected: "an IP address such as 0.0.0.0 or ::1") { BindAddress(parsing: $0) }
  }
}
