import API
import Arguments
import Connect
import Display
import Hints
import Store
import World

enum ConnectionsList: Command {
  struct Options: Sendable {
    var credentials = CredentialOptions()
    var statuses: [Connection.Status] = []
    var refreshes = false
    var report: ReportFile?
    var provider: ProviderName?
  }

  static let name = "list"
  static let summary = "List the connections this profile tracks"
  static var discussion: [String] {
    [
      """
      IFTTT has no call that lists connections, so this lists those that 'connections add' or 'connections show' made \
      this profile track. What was fetched longer ago than --max-age is fetched again first, many at once.
      """,
      """
      A connection that could not be fetched is shown as it was last seen, with "stale": true in JSON and one note. \
      With --max-age 0 or --refresh that is a failure.
      """,
      """
      Behind IFTTT's own stand those of the providers that this profile uses: plugins that need no credential, and those it \
      keeps a credential for. One that fails is left out, or shown as it was listed last, with a note.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .repeatedList(
        "status", .status, into: \.statuses, help: "Only connections with this status, or one of several"),
      .toggle("refresh", into: \.refreshes, help: "Fetch all again, whatever their age"),
      ReportFile.flag(into: \.report),
      .value("provider", .providerName, into: \.provider, help: "Only the connections of this provider"),
    ] + .lifted(CredentialOptions.flags, into: \.credentials)
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("connections list --status enabled --json", "what is on, for jq"),
      ExampleSchema("connections list --fields id,name -o tsv", "ids and names, for cut and awk"),
    ]
  }
  static var shape: Shape? { .connections }
  static func defaults() -> Options { Options() }

  static func check(_ options: Options) throws(Conflict) {
    if options.report != nil, !options.refreshes {
      throw Conflict("--report tells how a refresh went: give --refresh too", options: ["report"])
    }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let maxAge = options.refreshes ? .zero : session.options.maxAge
    let isStrict = maxAge == .zero
    switch options.provider {
    case .plugin(let name):
      if session.options.isDryRun { return session.dryRun([]) }
      let lists = try ProviderLists(of: [session.provider(name)], maxAge: maxAge, in: session)
      var output = Output(body: .rows(lists.rows(statuses: options.statuses.map(\.rawValue)), .connections))
      output.verdict = { try lists.judge(isStrict: isStrict, isAlone: true) }
      return output
    case .connect: return try ours(options, maxAge, in: session)
    case nil:
      let providers = try session.usedProviders()
      var output = try ours(options, maxAge, beside: providers, in: session)
      guard !providers.isEmpty, !session.options.isDryRun, case .rows(let rows, let shape) = output.body else {
        return output
      }
      let lists = try ProviderLists(of: providers, maxAge: maxAge, in: session)
      let provided = lists.rows(statuses: options.statuses.map(\.rawValue))
      // What is known is printed before what has to be waited for.
      output.isFollowed = !provided.isReiterable
      output.body = .rows(
        Rows(isReiterable: rows.isReiterable && provided.isReiterable) { body in
          try rows.forEach(body)
          try provided.forEach(body)
        }, shape.withProviders)
      let judge = output.verdict
      output.verdict = {
        try judge()
        try lists.judge(isStrict: isStrict, isAlone: false)
      }
      return output
    }
  }

  /// IFTTT's.
  private static func ours(
    _ options: Options, _ maxAge: Duration, beside providers: [InstalledProvider] = [], in session: Session
  ) throws -> Output {
    let profile = try session.profile.name
    let store = try session.store
    try session.trackSandboxOnce()
    let asker = try session.asker(options.credentials)
    let oldBefore = try session.staleBefore(asker, maxAge: maxAge)
    let begin = session.world.clock.now()
    let refresh = Refresh(
      session: session, credentials: options.credentials, isRun: options.refreshes,
      report: try session.openReport(options.report))
    let refreshed: Refresh.Outcome
    if try session.isCutOff {
      if session.options.isDryRun { return session.dryRun([]) }
      refreshed = .skipped(try store.isAnyTracked(fetchedBefore: oldBefore, profile: profile))
    } else {
      let old = try store.tracked(fetchedBefore: oldBefore, profile: profile)
      if session.options.isDryRun { return session.dryRun(try refresh.requests(old + session.plannedSandboxIDs)) }
      refreshed = try refresh.run(old)
    }
    let isOurs = try store.isSettled(on: asker, profile: profile)
    let staleBefore = !isOurs ? Timestamp(milliseconds: .max) : begin - maxAge
    let statuses = Set(options.statuses.map(\.rawValue)).sorted()
    let rows = Rows(isReiterable: true) { body in
      var row = ConnectionRow()
      try store.forEachCached(profile: profile, statuses: statuses) { cached in
        try row.complete(
          cached.document, tracked: true, stale: cached.fetchedAt < staleBefore, fetchedAt: cached.fetchedAt, body)
      }
    }
    var output = Output(body: .rows(rows, .connections))
    output.verdict = {
      if providers.isEmpty, session.explainsEmptiness, try store.trackedCount(profile: profile) == 0 {
        session.noteEmpty(session.nothingTracked)
      }
      let demand: ListDemand = options.refreshes ? .refreshed : maxAge == .zero ? .fresh : .whatThereIs
      try demand.judge(refreshed, in: session)
    }
    return output
  }
}

extension Session {
  /// Whether an empty list is explained: as a table it prints nothing at all, in a pipe too, and looks like a failure.
  /// Data that is empty says so itself: `[]`.
  var explainsEmptiness: Bool { options.format == .table || world.terminal.outputIsTerminal }

  /// A note on standard error about an empty list.
  func noteEmpty(_ hint: Hint) {
    if explainsEmptiness { note(hint) }
  }

  /// How to begin.
  var nothingTracked: Hint {
    "No connections are tracked yet; \(ifttt: "connections add ID") starts that. To try it without an account: "
      + "\(ifttt: "--profile sandbox connections list")"
  }
}
