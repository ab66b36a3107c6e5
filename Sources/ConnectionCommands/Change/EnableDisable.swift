import API
import Arguments
import Batch
import CommandContext
import Connect
import HTTP
import Hints
import PluginHost
import PluginProtocol
import Store
import Time
import World

/// The implementation that `connections enable` and `connections disable` share.
struct EnableDisable {
  struct Options: Sendable {
    var selection = ConnectionSelection()
    var credentials = CredentialOptions()
    var isForced = false
    var resumes = false
    var report: ReportFile?
    var provider: ProviderName?

    static var flags: [Flag<Options>] {
      .lifted(ConnectionSelection.flags, into: \.selection) + [
        .toggle(
          "resume", into: \.resumes, help: "Go on with the last run of this command that was interrupted or failed"),
        .toggle("force", into: \.isForced, help: "Send the request even where nothing would change"),
        ReportFile.flag(into: \.report),
        .value("provider", .providerName, into: \.provider, help: "The ids are this provider's, as in NAME:ID"),
      ] + .lifted(CredentialOptions.flags, into: \.credentials)
    }
    static func positionals(_ help: String) -> [Positional<Options>] {
      [.many(.connectionID, into: \.selection.ids, help: help)]
    }

    func check() throws(Conflict) {
      if resumes, isForced {
        throw Conflict("--resume goes on as the run began: leave --force out", options: ["force"])
      }
      try selection.check(["all", "status", "stdin", "resume"], beside: resumes)
    }
  }

  static let discussion = """
    Of many, those that fail do not stop the others. What is to be sent is written down first: after Ctrl-C, a crash or \
    failures --resume goes on where the run ended, and 'connections undo' puts back what it changed. --all asks first, or \
    needs --yes. With --dry-run each status is shown before and after, and nothing is changed.
    """

  let change: ConnectClient.Change
  private var options: Options
  let session: Session

  init(_ change: ConnectClient.Change, _ options: Options, in session: Session) {
    (self.change, self.options, self.session) = (change, options, session)
  }

  private var aim: Connection.Status { change == .enable ? .enabled : .disabled }

  mutating func run() throws -> Output {
    try session.trackSandboxOnce()
    if !options.resumes,
      let ids = try QualifiedConnectionIDs(resolving: &options.selection, options.provider, in: session)
    {
      return try changed(ids)
    }
    let changer = try ChangePlanner(options.credentials, for: "'connections \(change.rawValue)'", in: session)
    let pending = try session.pendingConnections
    let change = self
    if options.resumes { return try changer.resume(options.report) { change.rules(isForced: $0.isForced, pending) } }
    let report = try session.openReport(options.report)
    let selection = try options.selection.resolve(changer.credentials, in: session)
    let items = selection.ids.map { JournalItem(id: $0.description, action: change.change.rawValue) }
    let rules = rules(isForced: options.isForced, pending)
    if session.options.isDryRun { return try changer.dryRun(items, selection.faults, rules) }
    try confirm(selection.ids.count)
    var begun = rules
    if self.change == .disable {
      let shown = try selection.ids.filter { try isShownPending($0, pending) }
      try ChangePlanner.confirmDisabling(pending: shown, in: session)
      begun.confirmed = Set(shown)
    }
    return try changer.begin(items, selection, report, isForced: options.isForced, begun)
  }

  /// Enables or disables connections of providers. The journal is not used: it describes IFTTT's own changes, while
  /// each provider has its own.
  private func changed(_ ids: QualifiedConnectionIDs) throws -> Output {
    guard ids.all.allSatisfy({ $0.provider != nil }) else {
      throw Problem(
        .usage, "these ids are IFTTT's and a provider's",
        hint: "Change them in two runs: only what is changed at IFTTT can be resumed and undone.")
    }
    if ids.all.isEmpty { session.noteEmpty("Nothing was selected, so there is nothing to do.") }
    if options.selection.isAll, !ids.all.isEmpty, !session.options.isDryRun {
      let count = ids.all.count
      try session.confirm(
        "\(change == .enable ? "Enable" : "Disable") \(count == 1 ? "the one connection" : "all \(count) connections") of this provider?"
      )
    }
    let names = ids.all.map { "'\($0)'" }.joined(separator: ", ")
    if session.options.isDryRun {
      session.show(try ids.all.compactMap(planned))
      return session.dryRun(change: "Would \(change.rawValue) \(names).")
    }
    var run = BatchRun(ids.all, in: session)
    run.report = try session.openReport(options.report)
    run.isChange = true
    let aim = aim
    return run.output(as: .many(ChangeRow<ConnectionID>.self)) { [session] told in
      let provided = ProviderConnections(in: session)
      for id in run.ids {
        guard let name = id.provider else { continue }
        guard !session.world.interruption.isInterrupted else { throw Problem.interrupted }
        told.starting(id)
        do {
          let (status, previous) = try provided.change(id.id, of: name, to: aim)
          try told(id, ChangeRow(id: id, status: status, previous: previous).result)
        } catch {
          let problem = Problem(error).completed(with: session.suggestions)
          if problem.code == .interrupted { throw problem }
          try told(id, ChangeRow(id: id, status: .unknown, previous: .unknown, problem: problem).result)
        }
      }
    }
  }

  /// Returns the planned change; nil if the connection is unknown or already has the requested status. A dry run
  /// starts no plugin, so only the provider's cached list is known.
  private func planned(_ id: QualifiedConnectionID) throws -> PlannedChange? {
    guard let name = id.provider,
      let row = try session.store.provided(by: name.description, profile: session.profile.name)?.rows
        .first(where: { $0.id == id.id }),
      let status = UserStatus(rawValue: row.status), status != aim
    else { return nil }
    return PlannedChange(id: id.description, name: row.name, before: status, after: aim)
  }

  private func confirm(_ count: Int) throws {
    guard options.selection.isAll, count > 0 else { return }
    let verb = change == .enable ? "Enable" : "Disable"
    try session.confirm("\(verb) \(count == 1 ? "the one connection" : "all \(count) connections") that are tracked?")
  }

  /// Whether the list shows the connection as pending: it is remembered as pending, or was fetched without settings.
  private func isShownPending(_ id: ConnectionID, _ memory: PendingConnections) throws -> Bool {
    if memory.contains(id.description) { return true }
    guard let seen = try session.store.cached(id.description, profile: session.profile.name) else { return false }
    return seen.isPending && seen.fetchedAt >= session.world.clock.now() - session.options.maxAge
  }

  private func rules(isForced: Bool, _ pending: PendingConnections) -> ChangeExecutor.Rules {
    let aim = aim
    return ChangeExecutor.Rules(
      // If a change was sent but got no response, the cache has only the earlier status.
      trustsCache: { $0.state != .sent },
      verdict: { item, status in
        if let refusal = Problem.neverEnabled(item, status) { return .refuse(refusal) }
        if !isForced, let refusal = Problem.pendingWhenDisabled(item, status, pending) { return .refuse(refusal) }
        if isForced, item.state != .sent { return .send }
        if status == aim || (status == .neverEnabled && aim == .disabled) { return .nothingToDo }
        return .send
      })
  }
}

extension Problem {
  /// The error for a connection that was never enabled, which no request can enable.
  static func neverEnabled(_ item: JournalItem, _ status: Connection.Status) -> Problem? {
    guard item.action == ConnectClient.Change.enable.rawValue, status == .neverEnabled else { return nil }
    return Problem(
      .neverEnabled, "connection '\(item.id)' was never enabled",
      reason: "the first time a user switches a connection on in a browser; no API call can do it",
      hint: "Run \(ifttt: "connections activate \(item.id)").")
  }
}
