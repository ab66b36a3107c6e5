import API
import Batch
import CommandContext
import Connect
import HTTP
import Hints
import Store
import World

/// Starts and resumes runs that change connections. `enable`, `disable` and `undo` share it.
struct ChangePlanner {
  let credentials: CredentialOptions
  let session: Session
  private let client: ConnectClient
  private let identity: RequestIdentity

  /// Only a user token is known to be accepted here (reference: connect-api.md, section 7.5).
  /// - Parameter purpose: the command that needs the token, such as `'connections enable'`.
  init(_ given: CredentialOptions, for purpose: String, in session: Session) throws {
    guard given.level == nil || given.level == .user else {
      throw session.credentials.missing(.userToken, for: purpose)
    }
    var credentials = given
    credentials.level = .user
    self.credentials = credentials
    self.session = session
    let kept = try session.credentials.userToken(file: given.userTokenFile, userID: given.userID)
    client = try session.network.connect(given, as: .user(kept ?? session.credentials.ask(.userToken, for: purpose)))
    identity = try session.credentials.identity(credentials)
  }

  /// Prepares a run for the selected connections.
  func begin(
    _ items: [JournalItem], _ selection: BatchSelection<ConnectionID>, isForced: Bool, _ rules: ChangeExecutor.Rules
  ) throws -> PreparedChange {
    let journals = BatchJournal(session: session)
    let (journal, lock) = try journals.begun(items, isForced: isForced)
    let selection = selection.qualified
    return PreparedChange(
      ids: selection.ids, faults: selection.faults,
      send: { report in
        try journals.alone(on: lock) {
          try ChangeExecutor(journal, client, as: identity, rules, report, in: session)
            .run(selection.ids.compactMap(\.connectID))
        }
      },
      advise: { advised($0, journal, count: selection.ids.count) })
  }

  /// Prepares the resumption of this command's last unfinished run.
  func resume(_ rules: @escaping (_ isForced: Bool) -> ChangeExecutor.Rules) throws -> PreparedChange {
    let journals = BatchJournal(session: session)
    let (run, items) = try resumable(journals)
    let ids = items.filter(\.isUnfinished).compactMap { ConnectionID(parsing: $0.id) }
    session.console.noteToPerson("Resuming '\(run.words)': \(ids.count) of \(items.count) left.")
    let profile = try session.profile.name
    let store = try session.store
    let opened = OpenedJournal()
    return PreparedChange(
      ids: ids.map { QualifiedConnectionID($0) },
      send: { report in
        try journals.alone(on: run.lock) {
          // Another process may have resumed the run since.
          let items = try store.journalItems(of: run.number)
          let journal = try Journal(resuming: run, profile: profile, items: items, in: store)
          opened.journal = journal
          let left = Set(items.lazy.filter(\.isUnfinished).map(\.id))
          try ChangeExecutor(journal, client, as: identity, rules(run.isForced), report, in: session)
            .run(ids.filter { left.contains($0.description) })
        }
      },
      advise: { advised($0, opened.journal, count: ids.count) })
  }

  private func resumable(_ journals: BatchJournal) throws -> (JournalRun, [JournalItem]) {
    let run = try journals.resumable()
    return (run, try session.store.journalItems(of: run.number))
  }

  /// A journal that is opened only when the run starts.
  private final class OpenedJournal { var journal: Journal? }

  /// Adds to an error how to resume the run.
  private func advised(_ error: any Error, _ journal: Journal?, count: Int) -> any Error {
    let resume: SuggestedCommand = "\(command: session.path) --resume"
    var problem = Problem(error)
    guard let journal, journal.isWritten, journal.items.contains(where: \.isUnfinished) else { return problem }
    switch problem.code {
    case .interrupted: problem.hint = "Resume with \(ifttt: resume)."
    case _ where count > 1:
      let advice: Hint = "Resume with \(ifttt: resume); completed changes are not sent again."
      problem.hint = Hint.joined([problem.hint, advice].compactMap { $0 })
    default: break
    }
    return problem
  }

  // MARK: Dry runs

  func dryRunOfResumption(_ rules: (_ isForced: Bool) -> ChangeExecutor.Rules) throws -> Output {
    let (run, items) = try resumable(BatchJournal(session: session))
    return try dryRun(items.filter(\.isUnfinished), [], rules(run.isForced))
  }

  func dryRun(
    _ items: [JournalItem], _ faults: [BatchSelection<ConnectionID>.Fault], _ rules: ChangeExecutor.Rules
  ) throws -> Output {
    try ChangePlan(client, as: identity, rules, in: session).output(items, faults)
  }

  // MARK: Connections that are pending

  /// The warning before pending connections are disabled; nil if there are none. IFTTT does not enable a connection again
  /// that was never configured.
  static func warning(ofPending ids: [ConnectionID]) -> Hint? {
    guard let first = ids.first else { return nil }
    let what =
      ids.count == 1
      ? "Connection '\(first)' was" : "\(ids.count) of these connections, such as '\(first)', were"
    return
      "\(what) never configured. Once disabled, it can be enabled again only with \(ifttt: Problem.wayOut(of: first.description))."
  }

  /// Prompts before pending connections are disabled. If prompting is not possible, only prints a note: the stored state
  /// may be stale and must not stop a batch.
  static func confirmDisabling(pending ids: [ConnectionID], in session: Session) throws {
    guard let warning = warning(ofPending: ids) else { return }
    guard session.console.mayPrompt || session.options.saysYes else { return session.console.note(warning) }
    try session.console.confirm("\(session.suggestions.completed(warning)) Disable anyway?")
  }
}

extension Problem {
  /// The error for a connection that was never enabled, which no request can enable.
  static func neverEnabled(_ item: JournalItem, _ status: Connection.Status) -> Problem? {
    guard item.action == ConnectClient.Change.enable.rawValue, status == .neverEnabled else { return nil }
    return Problem(
      .neverEnabled, "connection '\(item.id)' was never enabled",
      reason: "the user must enable it in a browser the first time; IFTTT has no endpoint for this",
      hint: "Run \(ifttt: "connections activate \(item.id)").")
  }
}
