import API
import Arguments
import Connect
import Store
import World

enum ConnectionsUndo: Command {
  struct Options: Sendable {
    var credentials = CredentialOptions()
    var isForced = false
    var resumes = false
    var report: ReportFile?
  }

  static let name = "undo"
  static let summary = "Put back what the last changing run did"
  static var discussion: [String] {
    [
      """
      Takes from the journal what the last 'connections enable', 'disable' or 'undo' of this profile changed, and turns it \
      back; undone once more, it is done again. What that run found as it should be, or failed to change, is not touched.
      """,
      """
      Each connection is read first. One that is back already needs nothing; one that is in neither of the two states was \
      changed by somebody else since and is left alone with a note, unless --force is given. What was turned off before it \
      was configured cannot be put back: 'connections activate ID --no-skip-config' is its way out.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .toggle("resume", into: \.resumes, help: "Go on with the last undo that was interrupted or failed"),
      .toggle("force", into: \.isForced, help: "Send the request whatever was changed since"),
      ReportFile.flag(into: \.report),
    ] + .lifted(CredentialOptions.flags, into: \.credentials)
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("connections undo --dry-run", "the requests that would be sent"),
      ExampleSchema("connections undo --json", "what was put back, as JSON"),
    ]
  }
  static var shape: Shape? { .changes }
  static func defaults() -> Options { Options() }

  static func check(_ options: Options) throws(Conflict) {
    if options.resumes, options.isForced {
      throw Conflict("--resume goes on as the run began: leave --force out", options: ["force"])
    }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let changer = try ConnectionChanger(options.credentials, for: "'connections undo'", in: session)
    let pending = try session.pendingMemory
    if options.resumes {
      return try changer.resume(options.report) { self.rules(isForced: $0.isForced, pending) }
    }
    let journals = RunJournal(session: session)
    let commands = ["enable", "disable", "undo"].map { "connections \($0)" }
    guard let run = try session.store.lastChangingRun(of: commands, profile: session.profile.name) else {
      throw Problem(
        .notFound, "there is nothing to undo", reason: "no run in this profile's journal changed a connection",
        hint: "The journal keeps the last \(Journal.keptRuns) runs of 'connections enable', 'disable' and 'undo'.")
    }
    if try journals.isAlive(run) {
      throw Problem(
        .conflict, "the run to undo is still under way", hint: "Wait until it has ended, or end it with Ctrl-C.")
    }
    let items = try session.store.journalItems(of: run.number).filter(\.mayHaveChanged).map(\.reversed)
    let rules = rules(isForced: options.isForced, pending)
    if session.options.isDryRun { return try changer.dryRun(items, [], rules) }
    session.noteToPerson("Undoing '\(run.words)' of \(run.begunAt.rfc3339).")
    let selection = Selection(
      ids: items.compactMap { ConnectionID(parsing: $0.id) }, isSingle: items.count == 1)
    return try changer.begin(
      items, selection, session.openReport(options.report), isForced: options.isForced, rules)
  }

  private static func rules(isForced: Bool, _ pending: PendingMemory) -> ChangeRun.Rules {
    ChangeRun.Rules(
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

extension JournalItem {
  /// What puts it back. A connection that was never enabled cannot become so again; disabled is the nearest there is.
  fileprivate var reversed: JournalItem {
    let changes = (enable: ConnectClient.Change.enable.rawValue, disable: ConnectClient.Change.disable.rawValue)
    switch before.flatMap(Connection.Status.init(rawValue:)) {
    case .enabled: return JournalItem(id: id, action: changes.enable)
    case .disabled, .neverEnabled: return JournalItem(id: id, action: changes.disable)
    case .unknown, nil: return JournalItem(id: id, action: action == changes.enable ? changes.disable : changes.enable)
    }
  }
}
