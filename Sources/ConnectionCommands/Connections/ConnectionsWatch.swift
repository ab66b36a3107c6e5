import CommandLine
import HTTP
import IFTTT
import Output
import Session
import Store
import Text
import World

enum ConnectionsWatch: Command {
  struct Options: CommandOptions {
    var ids: [ConnectionID] = []
    var interval = Duration.seconds(5)
    var showsPresent = false
    var count: Int?
    var program: String?
    var programArguments: [String] = []
    var credentials = CredentialOptions()
  }

  static let name = "watch"
  static let summary = "Watch connections for changes"
  static var discussion: [String] {
    [
      """
      Polls IFTTT for the given connections, or for all tracked ones. On a terminal, it draws a table and marks \
      changes. In a pipe, it prints one line of JSON per change: at, id, name, kind (status, pending, configuration, \
      name, appeared or gone), before and after. With --json, these are the elements of one array. It stops on \
      Ctrl-C, after --count changes, or at --timeout, which here limits the whole watch. If --timeout ends the watch \
      before --count changes, the exit code is 8.
      """,
      """
      With --exec, the command runs once per change, without a shell and one at a time. It receives the line of JSON \
      on its stdin; its arguments follow '--'. Its output is printed instead of the changes. If it fails, a note is \
      printed and the watch continues. The command receives the whole environment.
      """,
      """
      If a request fails, a note is printed, and a later poll tries again. Retry-After is honored. Rejected \
      credentials end the watch, and so does an id that cannot be fetched at the start.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .interval(into: \.interval),
      .toggle("initial", into: \.showsPresent, help: "First print every connection's current state, as kind 'present'"),
      .value("count", .integer(in: 1...Int.max), into: \.count, help: "Stop after this many changes"),
      .value(
        "exec", .execCommand, into: \.program, help: "Run this command once per change, with the arguments after '--'"),
    ] + .lifted(CredentialOptions.flags, into: \.credentials)
  }
  static var positionals: [Positional<Options>] {
    [
      .many(
        .ownConnectionID, into: \.ids, restInto: \.programArguments, where: { $0.program != nil },
        help: "The connections to watch; default: all tracked ones")
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema(
        "connections watch --initial --timeout 0 --json", "print the current state; omit --timeout to keep watching"),
      ExampleSchema(
        "connections watch --initial --timeout 0 --exec tee -- -a log.jsonl", "run a command for each change"),
    ]
  }
  static var shape: OutputSchema? { .connectionEvents.report }

  static func resolve(_ options: inout Options, in session: Session) throws {
    try session.resolve(&options.ids, as: options.credentials)
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    if let program = options.program { try session.checkProgram(program, of: "exec") }
    try session.storage.trackSandboxOnce()
    let poller = try Poller(options.credentials, in: session)
    if session.options.isDryRun {
      let tracked =
        try poller.tracked
        + session.storage.plannedSandboxIDs.compactMap(ConnectionID.init(parsing:))
      let ids = options.ids.isEmpty ? tracked : options.ids
      return session.dryRun(ids.map { poller.client.show($0).request })
    }
    let run = WatchRun(options, poller, in: session)
    if let program = options.program {
      return Output(
        body: .live { write in
          let commandLine = [program] + options.programArguments
          try run.run(WatchCommand(session, commandLine, showsPresent: options.showsPresent, write: write))
        })
    }
    if session.mayDraw {
      let footer = "Every \(options.interval.brief); press Ctrl-C to stop."
      return Output(
        body: .live { write in
          try run.run(WatchScreen(session, footer: footer, write: write))
        })
    }
    let rows = Rows(isReiterable: false) { body in
      try Rows.storing(body) { body in
        try run.run(WatchLines(session, showsPresent: options.showsPresent, body: body))
      }
    }
    return Output(body: .events(rows, .connectionEvents))
  }
}

extension Session {
  /// Whether the result may be a table that is redrawn continuously.
  fileprivate var mayDraw: Bool {
    world.terminal.outputIsTerminal && options.printsText && world.environment[.terminal] != "dumb"
  }
}

extension Duration {
  /// The duration in the form that options accept: `300ms`, `5s`.
  fileprivate var brief: String {
    let milliseconds = wholeMilliseconds
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
  }
}

/// Executes a watch: polls, reports and pauses until the state machine ends it.
final class WatchRun {
  private let session: Session
  private let options: ConnectionsWatch.Options
  private let poller: Poller

  init(_ options: ConnectionsWatch.Options, _ poller: Poller, in session: Session) {
    (self.options, self.session, self.poller) = (options, session, poller)
  }

  /// - Throws: the problem that ended the watch, `interrupted` after Ctrl-C, and any error of `output`.
  func run(_ output: some WatchOutput) throws {
    let deadline = session.wholeTimeout.map { poller.now + $0 }
    let areNamed = !options.ids.isEmpty
    var watch = ConnectionWatch(
      try areNamed ? options.ids.uniqued() : poller.tracked, areNamed: areNamed, count: options.count,
      PollSchedule(every: options.interval, until: deadline))
    if watch.ids.isEmpty { session.console.note(.nothingTracked) }
    while true {
      if !areNamed {
        for event in watch.follow(try poller.tracked) { try output.receive(event) }
      }
      switch watch.next(at: poller.now, random: poller.random) {
      case .poll(let ids, let limit):
        try poll(at: ids, limit, &watch, output)
        try output.flush()
      case .report(let notice): try output.report(notice)
      case .pause(let duration): try pause(duration, output)
      case .end(.over): return
      case .end(.failed(let problem)): throw problem
      }
    }
  }

  private func poll(
    at ids: [ConnectionID], _ limit: Duration, _ watch: inout ConnectionWatch, _ output: some WatchOutput
  ) throws {
    let pending = try session.storage.pendingConnections
    var changed: [CachedConnection] = []
    let positions = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($0.element, $0.offset) })
    var order = ResultOrder<(id: ConnectionID, result: PollResult<FetchedConnection>)>()
    func receive(_ id: ConnectionID, _ result: PollResult<FetchedConnection>) throws {
      let event = watch.receive(
        result.map { WatchedConnection($0.connection, isPending: pending.isPending($0.connection)) }, of: id)
      guard let event else { return }
      if case .found(let fetched) = result { changed.append(pending.cacheRow(of: fetched)) }
      try output.receive(event)
    }
    let polling = Result {
      try poller.poll(at: ids, limit: limit) { id, result in
        guard let position = positions[id] else { return }
        for (id, result) in order.end(position, [(id, result)]) { try receive(id, result) }
      }
    }
    // Ctrl-C ends a round before all of its results have arrived.
    if case .failure(HTTPError.interrupted) = polling {
      for (id, result) in order.rest() { try receive(id, result) }
    }
    // Cache only changed connections, to avoid rewriting the whole list every few seconds.
    try poller.cache(changed)
    try polling.get()
  }

  private func pause(_ duration: Duration, _ output: some WatchOutput) throws {
    let end = poller.now + duration
    while poller.now < end {
      try output.idle()
      try poller.pause(min(output.idleInterval, end - poller.now))
    }
  }
}
