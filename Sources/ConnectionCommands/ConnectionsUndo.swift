import API
import ActivationCommands
import Arguments
import Batch
import CommandContext
import Connect
import DesiredStateCommands
import HTTP
import Hints
import Store
import Time
import Users
import World

enum ConnectionsUndo: Command {
  struct Options: Sendable {
    var credentials = CredentialOptions()
    var isForced = false
    var resumes = false
    var reports: [ReportFile] = []
    var rate: RateLimit?
  }

  static let name = "undo"
  static let summary = "Undo the last batch of changes"
  static var discussion: [String] {
    [
      """
      Reverts the journaled changes of the last 'connections enable', 'disable', 'apply', 'undo' or 'configure' of this \
      profile; a second undo applies them again. Connections that already had the requested status, or could not be \
      changed, are skipped. To revert 'configure' or 'apply', the whole previous configuration is sent.
      """,
      """
      Each connection is fetched first. If it has already been reverted, nothing is sent. If its status or settings \
      were changed again since, it is skipped with a note, unless --force is given. A connection that was disabled \
      before it was configured cannot be enabled again; run 'connections activate ID --no-skip-config' instead.
      """,
      """
      A run with --users is undone for all of its users; a connection that was changed again is then an error. \
      Status changes are sent as the user, and configurations as 'configure' sends them. With --dry-run, each \
      connection is fetched, its status or settings before and after are shown, and nothing is changed.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .toggle("resume", into: \.resumes, help: "Resume the last undo that was interrupted or failed"),
      .toggle("force", into: \.isForced, help: "Also revert connections that were changed again"),
      ReportFile.flag(into: \.reports),
      UsersOptions.rateFlag(into: \.rate),
    ] + .lifted(CredentialOptions.flags, into: \.credentials)
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("connections undo --dry-run", "show the requests without sending them"),
      ExampleSchema("connections undo --json", "undo the last batch, and print the changes as JSON"),
    ]
  }
  static var shape: OutputSchema? { EnableDisable.shape }
  static func defaults() -> Options { Options() }

  static func check(_ options: Options) throws(Conflict) {
    if options.resumes, options.isForced {
      throw Conflict("--resume uses the options of the original run: omit --force", options: ["force"])
    }
  }

  /// The commands whose runs can be undone.
  private static let commands = [
    "connections enable", "connections disable", "connections apply", "connections undo", "configure",
  ]

  static func run(_ options: Options, in session: Session) throws -> Output {
    if let rate = options.rate { try session.network.http.rate = rate }
    let journals = BatchJournal(session: session)
    if options.resumes {
      let run = try journals.resumable(overUsers: nil)
      if run.isOverUsers {
        return try UserStateUndo(options.credentials, isForced: run.isForced, options.reports, in: session).resume(run)
      }
      let items = try session.store.journalItems(of: run.number)
      if items.isOfStates { return try states(options, isForced: run.isForced, in: session).resume(run) }
      if isOfSettings(items) {
        return try settings(options, isForced: run.isForced, in: session).resume(run)
      }
      let changer = try changer(options, in: session)
      let pending = try session.pendingConnections
      func rules(isForced: Bool) -> ChangeExecutor.Rules { self.rules(isForced: isForced, pending) }
      if session.options.isDryRun { return try changer.dryRunOfResumption(rules) }
      let report = try session.openReports(options.reports)
      return [try changer.resume(rules)].output(report, in: session)
    }
    guard let run = try session.store.lastChangingRun(of: commands, profile: session.profile.name) else {
      throw Problem(
        .notFound, "there is nothing to undo", reason: "no run in this profile's journal changed a connection",
        hint:
          "The journal stores the last \(Journal.keptRuns) runs of 'connections enable', 'disable', 'apply' and 'undo' and of 'configure'."
      )
    }
    if try journals.isAlive(run) {
      throw Problem(
        .conflict, "the run to undo is still in progress", hint: "Wait for it to end, or stop it with Ctrl-C.")
    }
    if run.isOverUsers {
      return try UserStateUndo(options.credentials, isForced: options.isForced, options.reports, in: session).undo(run)
    }
    let items = try session.store.journalItems(of: run.number)
    if !session.options.isDryRun { session.console.noteToPerson("Undoing '\(run.words)' from \(run.begunAt.rfc3339).") }
    if items.isOfStates { return try states(options, isForced: options.isForced, in: session).undo(items) }
    guard !isOfSettings(items) else {
      return try settings(options, isForced: options.isForced, in: session).undo(items)
    }
    return try statuses(items.filter(\.mayHaveChanged).map(\.reversed), options, in: session)
  }

  /// Whether a run changed settings alone.
  private static func isOfSettings(_ items: [JournalItem]) -> Bool {
    items.contains { $0.action == JournalItem.configure }
  }

  private static func states(_ options: Options, isForced: Bool, in session: Session) throws -> StateUndo {
    StateUndo(
      session: session, credentials: options.credentials, isForced: isForced,
      report: try session.openReports(options.reports))
  }

  private static func settings(
    _ options: Options, isForced: Bool, in session: Session
  ) throws -> ConfigurationUndo {
    ConfigurationUndo(
      session: session, credentials: options.credentials, isForced: isForced,
      report: try session.openReports(options.reports))
  }

  private static func changer(_ options: Options, in session: Session) throws -> ChangePlanner {
    try ChangePlanner(options.credentials, for: "'connections undo'", in: session)
  }

  private static func statuses(_ items: [JournalItem], _ options: Options, in session: Session) throws -> Output {
    let changer = try changer(options, in: session)
    let rules = rules(isForced: options.isForced, try session.pendingConnections)
    if session.options.isDryRun { return try changer.dryRun(items, [], rules) }
    let selection = BatchSelection(
      ids: items.compactMap { ConnectionID(parsing: $0.id) }, isSingle: items.count == 1)
    let report = try session.openReports(options.reports)
    return [try changer.begin(items, selection, isForced: options.isForced, rules)].output(report, in: session)
  }

  private static func rules(isForced: Bool, _ pending: PendingConnections) -> ChangeExecutor.Rules {
    ChangeExecutor.Rules(
      trustsCache: { _ in false },
      verdict: { item, status in
        if let refusal = Problem.neverEnabled(item, status) { return .refuse(refusal) }
        if !isForced, let refusal = Problem.pendingWhenDisabled(item, status, pending) { return .refuse(refusal) }
        let isEnabling = item.action == ConnectClient.Change.enable.rawValue
        switch status {
        case isEnabling ? .enabled : .disabled: return .nothingToDo
        case isEnabling ? .disabled : .enabled: return .send
        default: return isForced ? .send : .leaveAlone
        }
      })
  }
}

extension [JournalItem] {
  /// Whether the run changed status and configuration; each run changes either statuses or settings or both.
  fileprivate var isOfStates: Bool { contains { $0.action == JournalItem.apply } }
}

extension JournalItem {
  /// The item that reverts this one. A connection that was never enabled cannot return to that status; disabled is
  /// the closest.
  fileprivate var reversed: JournalItem {
    let changes = (enable: ConnectClient.Change.enable.rawValue, disable: ConnectClient.Change.disable.rawValue)
    switch before.flatMap(Connection.Status.init(rawValue:)) {
    case .enabled: return JournalItem(id: id, action: changes.enable)
    case .disabled, .neverEnabled: return JournalItem(id: id, action: changes.disable)
    case .unknown, nil: return JournalItem(id: id, action: action == changes.enable ? changes.disable : changes.enable)
    }
  }
}
