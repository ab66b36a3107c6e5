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
  private let asker: RequestIdentity

  /// Only a user token is known to be accepted here (reference: connect-api.md, section 7.5).
  /// - Parameter purpose: the command that needs the token, such as `'connections enable'`.
  init(_ given: CredentialOptions, for purpose: String, in session: Session) throws {
    guard given.level == nil || given.level == .user else { throw session.missing(.userToken, for: purpose) }
    var credentials = given
    credentials.level = .user
    self.credentials = credentials
    self.session = session
    let kept = try session.userToken(file: given.userTokenFile, userID: given.userID)
    client = try session.connect(given, as: .user(kept ?? session.ask(.userToken, for: purpose)))
    asker = try session.asker(credentials)
  }

  /// Starts a run for the selected connections.
  func begin(
    _ items: [JournalItem], _ selection: BatchSelection<ConnectionID>, _ report: BatchReport?, isForced: Bool,
    _ rules: ChangeExecutor.Rules
  ) throws -> Output {
    var many = BatchRun(selection.ids, in: session)
    (many.faults, many.report) = (selection.faults, report)
    if many.ids.isEmpty, many.faults.isEmpty { session.noteEmpty("Nothing was selected, so there is nothing to do.") }
    let journals = BatchJournal(session: session)
    let (journal, lock) = try journals.begun(items, isForced: isForced)
    return output(many, journal) { told in
      try journals.alone(on: lock) {
        try ChangeExecutor(journal, client, as: asker, rules, told, in: session).run(many.ids)
      }
    }
  }

  /// Resumes this command's last unfinished run.
  func resume(_ file: ReportFile?, _ rules: @escaping (JournalRun) -> ChangeExecutor.Rules) throws -> Output {
    let journals = BatchJournal(session: session)
    let run = try journals.resumable()
    let items = try session.store.journalItems(of: run.number)
    let unfinished = items.filter(\.isUnfinished)
    if session.options.isDryRun { return try dryRun(unfinished, [], rules(run)) }
    var many = BatchRun(unfinished.compactMap { ConnectionID(parsing: $0.id) }, in: session)
    many.report = try session.openReport(file)
    session.noteToPerson("Going on with '\(run.words)': \(many.ids.count) of \(items.count) left.")
    let profile = try session.profile.name
    let store = try session.store
    let kept = Kept()
    return output(many, nil, kept) { told in
      try journals.alone(on: run.lock) {
        // Another process may have resumed the run since.
        let items = try store.journalItems(of: run.number)
        let journal = try Journal(resuming: run, profile: profile, items: items, in: store)
        kept.journal = journal
        let left = Set(items.lazy.filter(\.isUnfinished).map(\.id))
        try ChangeExecutor(journal, client, as: asker, rules(run), told, in: session)
          .run(many.ids.filter { left.contains($0.description) })
      }
    }
  }

  /// A journal that is opened only when the run starts.
  private final class Kept { var journal: Journal? }

  /// Adds to each problem how to resume the run.
  private func output(
    _ many: BatchRun<ConnectionID>, _ journal: Journal?, _ kept: Kept = Kept(),
    _ work: @escaping (BatchRun<ConnectionID>.Report) throws -> Void
  ) -> Output {
    if let journal { kept.journal = journal }
    let resume: SuggestedCommand = "\(command: session.path) --resume"
    func advised(_ error: any Error) -> any Error {
      var problem = Problem(error)
      guard kept.journal?.isWritten == true, kept.journal?.items.contains(where: \.isUnfinished) == true else {
        return problem
      }
      switch problem.code {
      case .interrupted: problem.hint = "Go on with \(ifttt: resume)."
      case _ where many.ids.count > 1:
        let advice: Hint = "Go on with \(ifttt: resume); what is done is not sent again."
        problem.hint = Hint.joined([problem.hint, advice].compactMap { $0 })
      default: break
      }
      return problem
    }
    var output = many.output(as: .many(ChangeRow<ConnectionID>.self)) { told in
      do { try work(told) } catch { throw advised(error) }
    }
    output.isChange = true
    let judge = output.verdict
    output.verdict = { do { try judge() } catch { throw advised(error) } }
    return output
  }

  func dryRun(
    _ items: [JournalItem], _ faults: [BatchSelection<ConnectionID>.Fault], _ rules: ChangeExecutor.Rules
  ) throws -> Output {
    try ChangePlan(client, as: asker, rules, in: session).output(items, faults)
  }

  // MARK: Connections that are pending

  /// The warning before pending connections are disabled; nil if there are none. IFTTT does not reenable a connection
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
    guard session.mayPrompt || session.options.saysYes else { return session.note(warning) }
    try session.confirm("\(session.suggestions.completed(warning)) Disable anyway?")
  }
}
