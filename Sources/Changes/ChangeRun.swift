package import IFTTT
import Output
package import Session
package import Store
package import Text

/// A run that changes subjects of the profile's own user to their targets. It reads all subjects, prompts once, and
/// then sends the changes.
package final class ChangeRun {
  /// The maximum number of plans that are held in memory between reading and sending. Any further subject is planned
  /// again before its change is sent, from the state that was read and cached.
  static let heldLimit = 1000

  private let session: Session
  private var settings: RunSettings
  private let source: ChangeSource
  private let providers: ChangeProviders
  private let faults: [BatchFault]
  /// Whether the plans are shown to a person before the confirmation; a dry run always shows them.
  package var showsPlans: Bool
  /// Receives each plan, before the confirmation.
  package var inspect: (ConnectionPlan) -> Void = { _ in }
  /// The note if nothing would change; nil for no note.
  package var emptyNote: Hint?
  /// Checks all results before anything is sent.
  package var check: ([ChangeResult]) throws -> Void = { _ in }
  /// Receives each result.
  package var receive: (ChangeResult) -> Void = { _ in }
  package private(set) var preview = ChangePreview()

  private var held: [Int: ChangeExecutor.Item] = [:]
  /// The indices of subjects that change.
  private var due: [Int] = []
  /// The results that are known before anything is sent.
  private var knownResults = KnownResults()
  private var texts: [Int: String] = [:]
  private var notes: [Int: String] = [:]
  private let reader: SubjectReader
  /// The number of subjects that are left for a resumed run.
  private var remaining = 0
  private var isJournaled = false
  /// Whether the journal also records subjects that need no request. In a resumed run, an earlier part may have changed
  /// them; an undo covers all subjects of its run.
  private var recordsAll: Bool { settings.resumed != nil || settings.reverted != nil }

  /// - Parameter questions: the command's own questions, which require a confirmation and replace the default one.
  package init(
    _ source: ChangeSource, faults: [BatchFault] = [], at providers: ChangeProviders,
    _ settings: RunSettings, questions: [String] = [], in session: Session
  ) {
    (self.source, self.faults, self.providers) = (source, faults, providers)
    (self.settings, self.session) = (settings, session)
    reader = SubjectReader(at: providers, in: session)
    showsPlans = session.options.isDryRun
    preview.questions = questions
  }

  package func output() throws -> Output {
    if session.options.isDryRun { return try dryRun() }
    try prepare()
    var batch = BatchRun(distinct: try (0..<source.count).map(source.subject), in: session)
    (batch.faults, batch.isChange) = (faults, true)
    var output = batch.output(as: .many(ChangeRow.self)) { [self] report in
      do {
        try send { [self] index, result in
          receive(result)
          try report(at: index, result.row.completed(in: session).result())
        } starting: {
          report.starting($0)
        }
      } catch { throw addingResumeHint(to: error) }
    }
    let verdict = output.verdict
    output.verdict = { [self] in do { try verdict() } catch { throw addingResumeHint(to: error) } }
    return output
  }

  /// The output of a command with rows of its own, which are printed once the run has ended. A dry run prints plans.
  package func output(rows: () -> Output) throws -> Output {
    let output = try output()
    if session.options.isDryRun { return output }
    if case .rows(let changes, _) = output.body { try changes.forEach { _ in } }
    try output.verdict()
    return rows()
  }

  /// Reads all subjects and prompts for the confirmation.
  package func prepare() throws {
    try read()
    try check(knownResults.withProblems.map(\.result))
    try providers.checkCredentials(for: preview)
    if let emptyNote, due.isEmpty, knownResults.withProblems.isEmpty { session.console.noteEmpty(emptyNote) }
    show()
    settings.isConfirmed = try ChangeConfirmation(preview, selectsMany: settings.selectsMany)
      .confirm(in: session, isConfirmed: settings.confirmsAll(in: session))
  }

  /// Prints the notes and plans in the requested order of the subjects.
  private func show() {
    for note in notes.inOrder { session.console.note(Hint(note.value)) }
    notes = [:]
    guard !texts.isEmpty else { return }
    session.console.writeError(texts.inOrder.map(\.value).joined(separator: "\n"))
    texts = [:]
  }

  // MARK: Reading

  /// Reads all subjects and makes their plans.
  /// - Parameter each: receives each plan or result, before the settings of a plan are dropped to save memory.
  private func read(each: @escaping (Int, SubjectReader.Outcome) throws -> Void = { _, _ in }) throws {
    let isShown = session.showsPlans && showsPlans
    try reader.read(source) { [self] index, found in
      try each(index, found)
      switch found {
      case .ended(let result):
        if let ignored = result.ignored { notes[index] = ignored }
        knownResults.add(result, at: index, isRecorded: recordsAll)
      case .plan(let item, let plan):
        due.append(index)
        preview.add(plan, of: item.subject, canEnable: try providers[item.subject.provider].canEnable)
        if isShown { texts[index] = session.text(of: plan) }
        if let ignored = plan.ignoredText { notes[index] = ignored }
        inspect(plan)
        item.forgetSettings()
        if held.count < Self.heldLimit { held[index] = item }
      }
    }
    due.sort()
  }

  // MARK: Sending

  private func item(
    _ index: Int, at position: Int? = nil, _ report: @escaping (Int, ChangeResult) throws -> Void
  ) throws -> ChangeExecutor.Item {
    let request = try source[index]
    return ChangeExecutor.Item(
      request, at: try providers[request.subject.provider], position: position
    ) { try report(index, $0) }
  }

  /// Sends the approved changes and journals them.
  private func send(
    _ report: @escaping (Int, ChangeResult) throws -> Void, starting: @escaping (Subject) -> Void
  ) throws {
    let retryable =
      due.isEmpty && settings.reverted == nil ? [] : knownResults.withProblems.filter { $0.result.isRetryable }
    let retryableIndices = Set(retryable.map(\.index))
    for index in knownResults.indices where !retryableIndices.contains(index) {
      try report(index, knownResults[index, source])
    }
    guard !due.isEmpty || settings.resumed != nil || settings.reverted != nil else { return }
    try BatchJournal(session: session).journaled(settings) { journal in
      try journaled(journal, retryable, report, starting)
    }
  }

  private func journaled(
    _ journal: Journal, _ retryable: [(index: Int, result: ChangeResult)],
    _ report: @escaping (Int, ChangeResult) throws -> Void, _ starting: @escaping (Subject) -> Void
  ) throws {
    let executor = ChangeExecutor(journal, in: session) { [self] item, plan in
      preview.decide(plan, of: item.subject, isConfirmed: settings.confirmsAll(in: session), in: session)
    }
    (executor.starting, executor.recordsAll) = (starting, settings.reverted != nil)
    var positions: [Int: Int] = [:]
    for index in due {
      if let item = held[index] {
        executor.addPlanned(item)
      } else {
        positions[index] = executor.addPlanned(try source[index])
      }
    }
    let execution = Result {
      // A resumed run also retries the subjects that could not be read.
      for (index, result) in retryable { try executor.end(item(index, report), with: result) }
      // An undo or a resumed run is complete only if all its subjects are recorded.
      if recordsAll {
        for index in knownResults.indices {
          let result = try knownResults[index, source]
          if !result.isRetryable { try executor.record(result, of: item(index, report)) }
        }
      }
      try journal.begin(evenIfEmpty: settings.reverted != nil)
      try reader.run(source, due) { [self] index in
        guard let held = held.removeValue(forKey: index) else {
          return try executor.begin(item(index, at: positions[index], report))
        }
        held.report = { try report(index, $0) }
        return try executor.approve(held)
      }
    }
    let interruption = Result { if case .failure = execution { try executor.endInterrupted() } }
    let cacheWrite = Result { try providers.finish() }
    let journalEnd = Result { remaining = try journal.end(JournalRun.State(ending: execution)) }
    isJournaled = journal.isWritten
    for result in [execution, interruption, cacheWrite, journalEnd] { try result.get() }
  }

  private func addingResumeHint(to error: any Error) -> any Error {
    guard isJournaled, remaining > 0 else { return error }
    return BatchJournal(session: session).addingResumeHint(to: error, count: source.count)
  }

  // MARK: Dry runs

  private func dryRun() throws -> Output {
    let failures = BatchFailures(of: source.count + faults.count)
    for fault in faults { failures.add(fault.problem, of: fault.name) }
    var rows: [Int: PlannedChange] = [:]
    try read { [self] index, found in
      switch found {
      case .plan(let item, let plan):
        let requests = try providers[item.subject.provider].requests(plan.steps, of: item.subject)
        rows[index] = PlannedChange(plan, of: item.subject, requests)
      case .ended(let result):
        if let problem = result.problem { return failures.add(problem, of: result.subject.name, at: index) }
        rows[index] = PlannedChange(unchanged: result)
      }
    }
    try check(knownResults.withProblems.map(\.result))
    try providers.checkCredentials(for: preview)
    if source.count == 1, faults.isEmpty { try failures.evaluate() }
    show()
    if settings.resumed?.isConfirmed != true {
      ChangeConfirmation(preview, selectsMany: settings.selectsMany).announce(in: session)
    }
    return session.dryRun(of: rows.inOrder.map(\.value)).reporting(failures)
  }
}

/// The settings that all subjects of a run share. Their targets are in ``ChangeSource``.
package struct RunSettings {
  package var isForced = false
  /// Whether the command has an option `--force`, which an error may suggest.
  package var offersForce = false
  package var allowsRemoval = false
  /// Whether the subjects come from a file, or all available ones are selected. Such a run needs a confirmation.
  package var selectsMany = false
  /// Whether the run was confirmed, now or in an earlier part.
  package var isConfirmed = false
  /// The run that this run undoes or redoes; nil for any other run.
  package var reverted: JournalRun?
  /// The service whose Applets are changed; nil for connections.
  package var service: String?
  /// The users of a run over users; nil for any other run.
  package var users: JournaledUsers?
  /// The unfinished run that this run resumes; nil for a new run.
  package var resumed: JournalRun?
  package init() {}

  /// Whether all steps are confirmed without a prompt.
  func confirmsAll(in session: Session) -> Bool { session.options.assumesYes || resumed?.isConfirmed == true }
}

/// Results by the indices of their subjects. Most subjects of a long run already have their targets; only their
/// statuses are stored, to save memory, unless the journal also records settings.
struct KnownResults {
  private var unchanged: [Int: (before: UserStatus, after: UserStatus)] = [:]
  private var others: [Int: ChangeResult] = [:]

  /// - Parameter isRecorded: whether the journal records the whole states, as for an undo.
  mutating func add(_ result: ChangeResult, at index: Int, isRecorded: Bool) {
    if result.problem == nil, !result.isChanged, !isRecorded || !result.hasSettings {
      unchanged[index] = (result.previous, result.status)
    } else {
      others[index] = isRecorded ? result : result.withoutSettings
    }
  }

  /// The indices in ascending order.
  var indices: [Int] { (Array(unchanged.keys) + Array(others.keys)).sorted() }

  /// The results with problems, in the order of the subjects.
  var withProblems: [(index: Int, result: ChangeResult)] {
    others.filter { $0.value.problem != nil }.inOrder.map { (index: $0.key, result: $0.value) }
  }

  subscript(index: Int, source: ChangeSource) -> ChangeResult {
    get throws {
      if let result = others[index] { return result }
      var result = ChangeResult(subject: try source.subject(index))
      guard let states = unchanged[index] else { return result }
      result.before = RecordedState(status: states.before, configuration: nil)
      result.after = RecordedState(status: states.after, configuration: nil)
      return result
    }
  }
}
