import API
import Connect
import HTTP
import Store
import World

/// Begins runs that change connections and goes on with them: what `enable`, `disable` and `undo` share.
struct ConnectionChanger {
  let credentials: CredentialOptions
  let session: Session
  private let client: ConnectClient
  private let asker: Asker

  /// Only a user token is known to be accepted here (reference: connect-api.md, section 7.5).
  /// - Parameter purpose: what it is needed for: `'connections enable'`.
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

  /// A run over what was selected.
  func begin(
    _ items: [JournalItem], _ selection: Selection<ConnectionID>, _ report: RunReport?, isForced: Bool,
    _ rules: ChangeRun.Rules
  ) throws -> Output {
    var many = RunOverMany(selection.ids, in: session)
    (many.faults, many.report) = (selection.faults, report)
    if many.ids.isEmpty, many.faults.isEmpty { session.noteEmpty("Nothing was selected, so there is nothing to do.") }
    let journals = RunJournal(session: session)
    let (journal, lock) = try journals.begun(items, isForced: isForced)
    return output(many, journal) { told in
      try journals.alone(on: lock) {
        try ChangeRun(journal, client, as: asker, rules, told, in: session).run(many.ids)
      }
    }
  }

  /// Goes on with the last run of this command that did not do all it set out to do.
  func resume(_ file: ReportFile?, _ rules: @escaping (JournalRun) -> ChangeRun.Rules) throws -> Output {
    let journals = RunJournal(session: session)
    let run = try journals.resumable()
    let items = try session.store.journalItems(of: run.number)
    let unfinished = items.filter(\.isUnfinished)
    if session.options.isDryRun { return try dryRun(unfinished, [], rules(run)) }
    var many = RunOverMany(unfinished.compactMap { ConnectionID(parsing: $0.id) }, in: session)
    many.report = try session.openReport(file)
    session.noteToPerson("Going on with '\(run.words)': \(many.ids.count) of \(items.count) left.")
    let profile = try session.profile.name
    let store = try session.store
    let kept = Kept()
    return output(many, nil, kept) { told in
      try journals.alone(on: run.lock) {
        // Another process may have gone on with it since.
        let items = try store.journalItems(of: run.number)
        let journal = try Journal(goingOnWith: run, profile: profile, items: items, in: store)
        kept.journal = journal
        let left = Set(items.lazy.filter(\.isUnfinished).map(\.id))
        try ChangeRun(journal, client, as: asker, rules(run), told, in: session)
          .run(many.ids.filter { left.contains($0.description) })
      }
    }
  }

  /// The journal of a run that is opened only once the run begins.
  private final class Kept { var journal: Journal? }

  /// Adds to what went wrong how to go on.
  private func output(
    _ many: RunOverMany<ConnectionID>, _ journal: Journal?, _ kept: Kept = Kept(),
    _ work: @escaping (RunOverMany<ConnectionID>.Report) throws -> Void
  ) -> Output {
    if let journal { kept.journal = journal }
    let command = session.path.joined(separator: " ")
    func advised(_ error: any Error) -> any Error {
      var problem = Problem(error)
      guard kept.journal?.isWritten == true, kept.journal?.items.contains(where: \.isUnfinished) == true else {
        return problem
      }
      let resume = "'ifttt \(command) --resume'"
      switch problem.code {
      case .interrupted: problem.hint = "Go on with \(resume)."
      case _ where many.ids.count > 1:
        let advice = "Go on with \(resume); what is done is not sent again."
        problem.hint = problem.hint.map { "\($0) \(advice)" } ?? advice
      default: break
      }
      return problem
    }
    var output = many.output(as: .changes) { told in
      do { try work(told) } catch { throw advised(error) }
    }
    output.isChange = true
    let judge = output.verdict
    output.verdict = { do { try judge() } catch { throw advised(error) } }
    return output
  }

  /// The requests that would be sent, as far as the cache knows what need not be.
  func dryRun(
    _ items: [JournalItem], _ faults: [Selection<ConnectionID>.Fault], _ rules: ChangeRun.Rules
  ) throws -> Output {
    var requests: [Request] = []
    let failures = Failures(of: items.count + faults.count)
    for fault in faults { failures.add(fault.problem, of: fault.name) }
    var settled: [ConnectionID] = []
    let profile = try session.profile.name
    let isOurs = try session.store.isSettled(on: asker, profile: profile)
    for item in items {
      guard let id = ConnectionID(parsing: item.id), let change = ConnectClient.Change(rawValue: item.action) else {
        continue
      }
      let isKnown = isOurs && rules.trustsCache(item)
      let cached = isKnown ? try session.store.cached(item.id, profile: profile) : nil
      switch rules.verdict(item, cached.flatMap { Connection.Status(rawValue: $0.status) } ?? .unknown) {
      case .refuse(let problem): failures.add(problem, of: id)
      case .nothingToDo: settled.append(id)
      case .send, .leaveAlone: requests.append(try client.changeRequest(change, id))
      }
    }
    for id in settled.prefix(10) { session.note("Connection '\(id)' is already as asked.") }
    if settled.count > 10 { session.note("So are \(settled.count - 10) more.") }
    if items.count == 1, faults.isEmpty { try failures.judge() }
    var output = session.dryRun(requests)
    let differs = output.verdict
    output.verdict = {
      try failures.judge()
      try differs()
    }
    return output
  }
}
