import HTTP
import IFTTT
import Output
package import Session
import Store
import Text

extension OutputSchema {
  /// The rows of a run that changes subjects of many users.
  package static var usersChanges: OutputSchema { .many(UserRow<ChangeRow>.self) }

  /// The output of a command that changes subjects.
  /// - Parameter overUsers: Whether it may change those of many users.
  package static func changes(overUsers: Bool) -> OutputSchema {
    var shape = OutputSchema.many(ChangeRow.self).report
    if overUsers { shape.alternative = { .usersChanges } }
    shape.dryRun = { .plannedChanges(ofUsers: false) }
    return shape
  }
}

/// A run that changes the subjects of many users to their targets.
///
/// Users are read as they are needed, so each user's subjects are read and changed soon after each other: changes wait only
/// for those that are journaled with them.
package final class UserChangeRun {
  /// Returns the changes to a user's subjects.
  package typealias Requests = (UserEntry) throws -> [SubjectChange.Request]

  private let session: Session
  private var settings: RunSettings
  private let providers: ChangeProviders
  private let requests: Requests
  /// Creates the run over users. Called twice if all subjects are read for the confirmation.
  private let makeRun: () throws -> UserRun
  /// The number of users; nil if it is unknown.
  private let count: Int?
  private let unread: ChangePreview.Unread

  private var journal: Journal?
  private var preview = ChangePreview()
  /// The number of subjects that are left for a resumed run.
  private var remaining = 0
  private var isJournaled = false
  private var hasFailures = false
  /// The first plans and results that were read for the confirmation.
  private var held: [Subject: SubjectReader.Outcome] = [:]
  /// The notes that were shown. Users have the same targets, so most of their notes are the same.
  private var shownNotes: Set<String> = []

  package init(
    at providers: ChangeProviders, _ settings: RunSettings, count: Int?, unread: ChangePreview.Unread,
    in session: Session,
    over makeRun: @escaping () throws -> UserRun, requests: @escaping Requests
  ) {
    (self.providers, self.settings, self.count) = (providers, settings, count)
    (self.session, self.makeRun, self.requests, self.unread) = (session, makeRun, requests, unread)
  }

  package func output() throws -> Output {
    if session.options.isDryRun { return try dryRun() }
    try confirm()
    var run = try makeRun()
    run.isChange = true
    run.around = { [self] body in do { try journaled(body) } catch { throw addingResumeHint(to: error) } }
    let executor = ChangeExecutor(nil, in: session) { [self] item, plan in
      preview.decide(plan, of: item.subject, isConfirmed: settings.confirmsAll(in: session), in: session)
    }
    // After Ctrl-C, the requests in flight still get their rows.
    run.finish = { try executor.endInterrupted() }
    var output = try run.output(as: .usersChanges) { [self] user in
      executor.journal = journal
      return try items(of: user) { [self] request, report in
        let deliver: (ChangeResult) throws -> Void = { [self] result in
          note(result.ignored)
          let row = result.row.completed(in: session)
          if row.problem != nil { hasFailures = true }
          let bytes = UserRow(row, of: user.userID).bytes
          try report(row.problem.map { .failed($0, rows: [bytes]) } ?? .done([bytes]))
        }
        let found = held.removeValue(forKey: request.subject)
        if case .plan(let item, _)? = found {
          item.report = deliver
          return try executor.approve(item)
        }
        let provider = try providers[request.subject.provider]
        let item = ChangeExecutor.Item(request, at: provider, report: deliver)
        guard case .ended(let result)? = found else { return try executor.begin(item) }
        try executor.end(item, with: result)
        return .end
      }
    }
    executor.recordsAll = settings.reverted != nil
    let verdict = output.verdict
    output.verdict = { [self] in do { try verdict() } catch { throw addingResumeHint(to: error) } }
    return output
  }

  private func items(
    of user: UserEntry,
    chain: @escaping (SubjectChange.Request, @escaping (UserResult) throws -> Void) throws -> RequestChain
  ) throws -> [UserItem] {
    let requests = try requests(user)
    return requests.map { request in
      UserItem(requests.count > 1 ? request.subject.name : nil) { report in try chain(request, report) }
    }
  }

  /// Prints a sentence about parts of a target that have no effect, unless it was printed before.
  private func note(_ ignored: String?) {
    guard let ignored, shownNotes.count < ChangeConfirmation.nameLimit, shownNotes.insert(ignored).inserted else {
      return
    }
    session.console.note(Hint(ignored))
  }

  // MARK: Confirmation

  /// Prompts once for all users. If there is one user or a person can be prompted, reads all subjects first; otherwise
  /// the number of users is enough.
  private func confirm() throws {
    preview.userCount = count ?? 2
    settings.isConfirmed = settings.confirmsAll(in: session)
    guard !settings.isConfirmed else { return }
    guard let count else {
      throw Problem(
        .confirmationRequired, "confirmation required", reason: "the number of users on stdin is unknown",
        hint: session.confirmingHint)
    }
    if count == 1 || session.console.mayPrompt {
      try read()
    } else if count > 1 {
      preview.unread = unread
    }
    settings.isConfirmed = try ChangeConfirmation(preview, selectsMany: settings.selectsMany || count > 1).confirm(
      in: session, isRequired: count > 1 && !session.console.mayPrompt, isConfirmed: false)
  }

  /// Reads all subjects. The first ones are held and not read again.
  private func read() throws {
    let output = try previewed(as: .usersChanges, holding: true) { _ in nil }
    guard case .rows(let rows, _) = output.body else { return }
    try rows.forEach { _ in }
    try providers.checkCredentials(for: preview)
  }

  /// A run that reads all subjects and sends nothing.
  /// - Parameters:
  ///   - isHolding: whether plans and results are held for the run that follows.
  ///   - row: the row of a subject; nil for none.
  private func previewed(
    as schema: OutputSchema, holding isHolding: Bool = false,
    row: @escaping (SubjectReader.Outcome) throws -> [UInt8]?
  ) throws -> Output {
    var run = try makeRun()
    (run.isChange, run.isPreview) = (true, true)
    let reader = SubjectReader(at: providers, in: session)
    return try run.output(as: schema) { [self] user in
      try items(of: user) { [self] request, report in
        try reader.chain(request) { [self] found in
          var problem: Problem?
          switch found {
          case .ended(let result):
            note(result.ignored)
            problem = result.problem
          case .plan(let item, let plan):
            note(plan.ignoredText)
            let provider = try providers[item.subject.provider]
            preview.add(plan, of: item.subject, canEnable: provider.canEnable)
            // Do not hold the item: it is planned again and fails then.
            if let problem = provider.credentialProblem(of: plan, item.subject) { return try report(.failed(problem)) }
          }
          if isHolding, held.count < ChangeRun.heldLimit { held[request.subject] = found }
          try report(problem.map { .failed($0) } ?? .done([try row(found)].compactMap(\.self)))
        }
      }
    }
  }

  // MARK: The journal

  /// Runs `body` with the lock of the run, and journals it.
  private func journaled(_ body: () throws -> Void) throws {
    try BatchJournal(session: session).journaled(settings) { journal in
      self.journal = journal
      let execution = Result {
        // Record the undo of a run even if nothing is left to send.
        if settings.reverted != nil { try journal.begin(evenIfEmpty: true) }
        try body()
      }
      let journalEnd = Result { remaining = try journal.end(JournalRun.State(ending: execution)) }
      isJournaled = journal.isWritten
      for result in [execution, journalEnd] { try result.get() }
      if let resumed = settings.resumed, settings.reverted == nil, !hasFailures, remaining > 0 {
        throw Problem(
          .conflict,
          remaining == 1
            ? "1 change of the resumed run is not part of this command"
            : "\(remaining) changes of the resumed run are not part of this command",
          reason: "the run was started with '\(resumed.commandLine)'",
          hint: "Resume it with the same connections, file and users.")
      }
    }
  }

  private func addingResumeHint(to error: any Error) -> any Error {
    guard isJournaled, remaining > 0 || Problem.from(error).code == .interrupted else { return error }
    return BatchJournal(session: session).addingResumeHint(to: error, count: 2)
  }

  // MARK: Dry runs

  private func dryRun() throws -> Output {
    var hasChanges = false
    var output = try previewed(as: .plannedChanges(ofUsers: true)) { [self] found in
      switch found {
      case .ended(let result): return PlannedChange(unchanged: result).bytes
      case .plan(let item, let plan):
        hasChanges = true
        if session.showsPlans, let text = session.text(of: plan, item.subject.userID) {
          session.console.writeError(text)
        }
        let provider = try providers[item.subject.provider]
        return PlannedChange(plan, of: item.subject, try provider.requests(plan.steps, of: item.subject)).bytes
      }
    }
    let verdict = output.verdict
    output.verdict = { [self] in
      preview.userCount = count ?? 2
      if settings.resumed?.isConfirmed != true {
        ChangeConfirmation(preview, selectsMany: settings.selectsMany || count ?? 2 > 1).announce(in: session)
      }
      if hasChanges { session.noteSandbox() } else { session.console.note("Nothing would be sent.") }
      try verdict()
      if hasChanges, session.options.usesExitCode { throw Problem(.differs, "something would change") }
    }
    return output
  }
}
