import API
import ActivationCommands
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
    let user = try session.credentials.changing(given, for: purpose)
    var credentials = given
    credentials.level = .user
    self.credentials = credentials
    self.session = session
    client = try session.network.connect(given, as: user)
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
      advise: { journals.advised($0, journal, count: selection.ids.count) })
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
      advise: { journals.advised($0, opened.journal, count: ids.count) })
  }

  private func resumable(_ journals: BatchJournal) throws -> (JournalRun, [JournalItem]) {
    let run = try journals.resumable()
    return (run, try session.store.journalItems(of: run.number))
  }

  /// A journal that is opened only when the run starts.
  private final class OpenedJournal { var journal: Journal? }

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
