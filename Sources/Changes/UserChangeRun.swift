import HTTP
import IFTTT
import Output
package import Session
import Store
import Text

extension OutputSchema {
  /// The changes of runs over users.
  package static var usersChanges: OutputSchema { .many(UserRow<ChangeRow>.self) }
}

/// A run that gives the subjects of many users their targets.
///
/// Users are read as they are needed, so each user's subjects are read and changed before those of later users.
package final class UserChangeRun {
  /// The targets of a user's subjects.
  package typealias Requests = (UserEntry) throws -> [SubjectChange.Request]

  private let session: Session
  private var settings: RunSettings
  private let providers: ChangeProviders
  private let requests: Requests
  /// Makes the run over users, which is read twice if a person is prompted.
  private let makeRun: () throws -> UserRun
  /// The number of users; nil if it is unknown.
  private let count: Int?
  private let unread: ChangePreview.Unread

  private var journal: Journal?
  private var preview = ChangePreview()
  private var left = 0
  private var isJournaled = false
  private var hasFailures = false
  /// The subjects that were read before the run.
  private var held: [Subject: SubjectReader.Found] = [:]
  /// The notes that were shown. The users have the same targets, so most of their notes are the same.
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
    run.around = { [self] body in do { try journaled(body) } catch { throw advised(error) } }
    let executor = ChangeExecutor(nil, in: session) { [self] item, plan in
      preview.decide(plan, of: item.subject, isConfirmed: confirmsAll, in: session)
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
    output.verdict = { [self] in do { try verdict() } catch { throw advised(error) } }
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

  /// Shows what a target says without effect.
  private func note(_ ignored: String?) {
    guard let ignored, shownNotes.count < ChangeConfirmation.mostNames, shownNotes.insert(ignored).inserted else {
      return
    }
    session.console.note(Hint(ignored))
  }

  // MARK: Confirmation

  /// Asks once. With one user, or with a person to ask, all is read for it; otherwise the number of users is enough.
  private func confirm() throws {
    preview.userCount = count ?? 2
    settings.isConfirmed = confirmsAll
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
    settings.isConfirmed = try ChangeConfirmation(preview, selectsMany: settings.selectsMany || count > 1).ask(
      in: session, always: count > 1 && !session.console.mayPrompt, isConfirmed: false)
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
    row: @escaping (SubjectReader.Found) throws -> [UInt8]?
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
            // Not held: it is planned once more, and fails then.
            if let problem = provider.credentialProblem(of: plan, item.subject) { return try report(.failed(problem)) }
          }
          if isHolding, held.count < ChangeRun.mostHeld { held[request.subject] = found }
          try report(problem.map { .failed($0) } ?? .done([try row(found)].compactMap(\.self)))
        }
      }
    }
  }

  /// Whether all steps are confirmed without a question.
  private var confirmsAll: Bool { session.options.saysYes || settings.resumed?.isConfirmed == true }

  // MARK: The journal

  /// Runs `body` with the lock of the run, and journals it.
  private func journaled(_ body: () throws -> Void) throws {
    try BatchJournal(session: session).journaled(settings) { journal in
      self.journal = journal
      let end = Result {
        // A run is undone even if nothing is left to send.
        if settings.reverted != nil { try journal.begin(evenIfEmpty: true) }
        try body()
      }
      let closing = Result { left = try journal.end(JournalRun.State(ending: end)) }
      isJournaled = journal.isWritten
      for result in [end, closing] { try result.get() }
      if let resumed = settings.resumed, settings.reverted == nil, !hasFailures, left > 0 {
        throw Problem(
          .conflict,
          left == 1
            ? "1 change of the resumed run is not part of this command"
            : "\(left) changes of the resumed run are not part of this command",
          reason: "the run was started with '\(resumed.commandLine)'",
          hint: "Resume it with the same connections, file and users.")
      }
    }
  }

  private func advised(_ error: any Error) -> any Error {
    guard isJournaled, left > 0 || Problem.from(error).code == .interrupted else { return error }
    return BatchJournal(session: session).advised(error, count: 2)
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
      if !hasChanges { session.console.note("Nothing would be sent.") }
      try verdict()
      if hasChanges, session.options.usesExitCode { throw Problem(.differs, "something would change") }
    }
    return output
  }
}
