import CommandLine
import IFTTT
import Output
import Session
import Store
import Text
import World

enum ConnectionsWait: Command {
  struct Options: CommandOptions {
    var ids: [ConnectionID] = []
    var conditions: [WaitCondition] = []
    var interval = Duration.seconds(5)
    var credentials = CredentialOptions()
  }

  static let name = "wait"
  static let summary = "Wait for connections to reach a state"
  static var discussion: [String] {
    [
      """
      Polls IFTTT until every connection has met all conditions, then prints the connections as 'connections show' \
      does. A condition compares one of the fields status, pending, name and enabled_count. The operators are = and \
      != and, for enabled_count, also >=, <=, > and <. If --for is repeated, all conditions must hold. A connection \
      that has met the conditions once counts as done, even if it changes again.
      """,
      """
      Here, --timeout limits the whole wait. Default: 5m; 0 polls once. On timeout, the connections are printed in \
      their current state, and the exit code is 8. An unknown connection or rejected credentials end the wait at once. \
      After other failures, a later poll tries again. Retry-After is honored.
      """,
      "With --json, it prints an array, even for one id.",
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .repeated("for", .condition, into: \.conditions, help: "Condition to wait for, such as status=enabled"),
      .interval(into: \.interval),
    ] + .lifted(CredentialOptions.flags, into: \.credentials)
  }
  static var positionals: [Positional<Options>] {
    [.many(.ownConnectionID, atLeast: .one, into: \.ids, help: "The connections to wait for")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema(
        "connections wait Kd7Rn2Qx --for status=enabled --timeout 2m",
        "wait up to 2 minutes until a connection is enabled"),
      ExampleSchema(
        "connections wait Kd7Rn2Qx --for status=enabled --for pending=false", "wait until two conditions are true"),
    ]
  }
  static let reportFormats = ReportFile.Format.common
  static var shape: OutputSchema? { .connections.report }

  static func check(_ options: Options) throws(Conflict) {
    if options.conditions.isEmpty {
      throw Conflict("pass a condition, such as --for status=enabled", options: ["for"], isMissingArgument: true)
    }
  }

  /// The default timeout of the whole wait.
  static let timeout = Duration.seconds(300)

  static func resolve(_ options: inout Options, in session: Session) throws {
    try session.resolve(&options.ids, as: options.credentials)
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    try session.storage.trackSandboxOnce()
    let run = BatchRun(options.ids, in: session)
    let poller = try Poller(options.credentials, in: session)
    if session.options.isDryRun { return session.dryRun(run.ids.map { poller.client.show($0).request }) }
    let timeout = session.wholeTimeout ?? Self.timeout
    var timeoutProblem: Problem?
    var output = run.output(as: session.shape(.connections, of: run.ids.count, card: .connection)) { report in
      let schedule = PollSchedule(every: options.interval, until: poller.now + timeout)
      var wait = ConditionWait(for: options.conditions, of: run.ids, schedule)
      // A single connection has no progress bar, so print a note instead.
      var hasPaused = false
      var latest: [ConnectionID: CachedConnection] = [:]
      let pending = try session.storage.pendingConnections
      waiting: while true {
        switch wait.next(at: poller.now, random: poller.random) {
        case .poll(let ids, let limit):
          try poller.poll(at: ids, limit: limit) { id, result in
            if case .found(let fetched) = result { latest[id] = pending.cacheRow(of: fetched) }
            if wait.receive(result.map { $0.facts(pending: pending.isPending($0.connection)) }, of: id),
              let found = latest[id]
            {
              try report(id, .done(poller.row(found)))
            }
          }
        case .pause(let duration):
          if !hasPaused, run.ids.count == 1, session.world.terminal.errorIsTerminal {
            let conditions = options.conditions.map(\.description).joined(separator: " and ")
            session.console.note("Waiting for \(conditions); press Ctrl-C to stop.")
          }
          hasPaused = true
          try poller.pause(duration)
        case .end(.met): break waiting
        case .end(.failed(let problem, let id)):
          try report(id, .failed(problem))
          throw problem
        case .end(.timedOut):
          for id in wait.waiting {
            try report(id, .failed(Problem(.notYet, wait.unmetReason(for: id)), row: latest[id].map(poller.row)))
          }
          timeoutProblem = wait.timeoutProblem
          break waiting
        }
      }
    }
    output.verdict = { if let timeoutProblem { throw timeoutProblem } }
    return output
  }
}

extension FetchedConnection {
  fileprivate func facts(pending: Bool) -> WaitCondition.Facts {
    WaitCondition.Facts(
      status: connection.status, isPending: pending, name: connection.name, enabledCount: connection.enabledCount)
  }
}
