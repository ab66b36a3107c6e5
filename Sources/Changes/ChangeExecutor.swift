package import HTTP
package import IFTTT
import JSON
package import Session
package import Store
import Text

/// Executes the state machines of many subjects, and journals their steps.
package final class ChangeExecutor {
  /// One subject and the state of its change.
  package final class Item {
    package fileprivate(set) var change: SubjectChange
    fileprivate let provider: any SubjectProvider
    var report: (ChangeResult) throws -> Void
    /// The position in the journal, which an earlier part of the run may have assigned; nil until the item is added.
    fileprivate var position: Int?
    /// Whether this part of the run has added the item to the journal.
    fileprivate var isAdded: Bool
    /// Whether a request of it was sent.
    fileprivate var hasStarted = false
    /// Whether its next request waits for those of other items.
    fileprivate var isWaiting = false

    /// - Parameter position: the position in the journal, if this part of the run has already added the subject.
    package init(
      _ request: SubjectChange.Request, at provider: any SubjectProvider, position: Int? = nil,
      report: @escaping (ChangeResult) throws -> Void
    ) {
      change = SubjectChange(request)
      self.position = position ?? request.earlier?.position
      (self.provider, self.report, isAdded) = (provider, report, position != nil)
    }

    package var subject: Subject { change.request.subject }
    package func forgetSettings() { change.forgetSettings() }
  }

  /// Nil for a preview, which sends nothing, and before the run begins.
  var journal: Journal?
  private let session: Session
  /// Whether to also record subjects for which no request was sent.
  var recordsAll = false
  /// Called just before a request about a subject is sent.
  package var starting: (Subject) -> Void = { _ in }
  /// Decides about a plan: an event, or nil to hold the item until ``approve(_:)``.
  private let decide: (Item, ConnectionPlan) throws -> SubjectChange.Event?
  private var texts: [String: String] = [:]
  /// The items without a result, by identity.
  private var unfinished: [ObjectIdentifier: Item] = [:]

  /// - Parameters:
  ///   - journal: nil for a preview, which sends nothing.
  ///   - decide: decides about the plan of each item; nil holds the item.
  package init(
    _ journal: Journal?, in session: Session,
    decide: @escaping (Item, ConnectionPlan) throws -> SubjectChange.Event?
  ) {
    (self.journal, self.session, self.decide) = (journal, session, decide)
  }

  package func begin(_ item: Item) throws -> RequestChain {
    unfinished[ObjectIdentifier(item)] = item
    return try advance(item, .begun)
  }

  /// Continues an item that was held.
  package func approve(_ item: Item) throws -> RequestChain {
    unfinished[ObjectIdentifier(item)] = item
    if item.change.isIrreversible { try item.provider.willDisablePending(item.subject) }
    return try advance(item, .approved)
  }

  /// Adds an approved item to the journal before it is sent, so that a resumed run finds it if this run ends early.
  func addPlanned(_ item: Item) { addToJournal(item, before: item.change.before) }

  /// Adds a subject to the journal that is planned again before its change is sent.
  /// - Returns: its position.
  func addPlanned(_ request: SubjectChange.Request) -> Int? {
    journal?.add(journalItem(for: request, before: request.earlier?.before), at: request.earlier?.position)
  }

  /// Records and reports a result.
  func end(_ item: Item, with result: ChangeResult) throws {
    try record(result, of: item)
    try item.report(result)
  }

  /// Passes an event to the state machine of an item and executes the action that follows.
  private func advance(_ item: Item, _ event: SubjectChange.Event) throws -> RequestChain {
    let action = item.change.receive(event)
    let subject = item.subject
    if let step = item.change.popCompleted(), let before = item.change.before {
      try item.provider.didChange(subject, step, from: before)
    }
    guard let action else { return .end }
    switch action {
    case .read(let isFresh):
      return try item.provider.read(subject, isFresh: isFresh) { [self] result in
        switch result {
        case .success(let state): return try advance(item, .read(state))
        case .failure(let problem): return try advance(item, .readFailed(problem))
        }
      }
    case .readOptions(let step):
      return try item.provider.readOptions(step, of: subject) { [self] result in
        switch result {
        case .success(let options): return try advance(item, .options(step, options))
        case .failure(let problem): return try advance(item, .optionsFailed(problem))
        }
      }
    case .propose(let plan):
      guard var decision = try decide(item, plan) else {
        unfinished[ObjectIdentifier(item)] = nil
        return .end
      }
      // If the credential for one step is missing, no step is sent.
      if case .approved = decision, let problem = item.provider.credentialProblem(of: plan, subject) {
        decision = .refused(problem)
      }
      if plan.isIrreversible, case .approved = decision { try item.provider.willDisablePending(subject) }
      return try advance(item, decision)
    case .send(let step, let before):
      // Add the item now: all items that are added before the first request starts are written to disk together.
      addToJournal(item, before: before)
      item.isWaiting = true
      return try item.provider.send(
        step, to: subject, starting: { [self] in try recordSending(of: item, before) },
        then: { [self] event in try advance(item, event) })
    case .end(let result):
      unfinished[ObjectIdentifier(item)] = nil
      try end(item, with: result)
      return .end
    }
  }

  /// Ends the items that were begun when the run was interrupted. The effects of requests that were in flight are unknown.
  package func endInterrupted() throws {
    for item in unfinished.values.sorted(by: { $0.position ?? .max }) {
      guard item.hasStarted, item.change.hasSent else { continue }
      var action = item.change.receive(.failed(.interrupted, isUnchanged: item.isWaiting))
      if case .read = action { action = item.change.receive(.readFailed(.interrupted)) }
      if action == nil { action = item.change.receive(.readFailed(.interrupted)) }
      if case .end(let result)? = action {
        try end(item, with: result)
      }
    }
    unfinished = [:]
  }

  // MARK: The journal

  /// The text of a state or a target. The strings are shared, because most subjects of a run have the same ones.
  private func text(of json: JSONValue) -> String {
    let text = json.text
    if let known = texts[text] { return known }
    if texts.count == 16 { texts = [:] }
    texts[text] = text
    return text
  }

  private func journalItem(for request: SubjectChange.Request, before: RecordedState?) -> JournalItem {
    // Remember that an earlier part of the run may have sent a request, however often the run is resumed.
    JournalItem(
      id: request.subject.id, userID: request.subject.userID, before: (before?.json).map(text(of:)),
      state: request.earlier?.wasSent == true ? .sent : .planned, provider: request.subject.journaledProvider,
      target: text(of: request.target.json))
  }

  private func addToJournal(_ item: Item, before: RecordedState?) {
    guard !item.isAdded else { return }
    item.position = journal?.add(journalItem(for: item.change.request, before: before), at: item.position)
    item.isAdded = true
  }

  /// Records that an item may have been sent, and that its cached state is outdated.
  private func recordSending(of item: Item, _ before: RecordedState) throws {
    (item.hasStarted, item.isWaiting) = (true, false)
    starting(item.subject)
    guard let journal else { return }
    addToJournal(item, before: before)
    guard let position = item.position else { return }
    let sentItems = try journal.send(position, before: text(of: before.json))
    guard !sentItems.isEmpty else { return }
    try item.provider.willChange(sentItems.compactMap(Subject.init).filter { $0.provider == item.subject.provider })
  }

  func record(_ result: ChangeResult, of item: Item) throws {
    guard let journal else { return }
    // A change that was never sent is recorded only if it must be resumed, was recorded before, or is part of an undo.
    guard item.position != nil || result.wasAttempted || result.isRetryable || recordsAll else { return }
    addToJournal(item, before: result.before)
    guard let position = item.position else { return }
    let state: JournalItem.State
    switch result.problem {
    case nil: state = .done
    case .some where result.isUncertain: state = .sent
    case .some where result.after == nil && item.change.request.earlier?.wasSent == true: state = .sent
    case .some where result.wasAttempted || result.isRetryable: state = .failed
    case .some: state = .refused
    }
    let error = result.problem.map { String(decoding: $0.redacted(in: session.world).brief.bytes, as: UTF8.self) }
    try journal.end(
      position, state, after: result.after?.json.text, isChanged: result.isChanged, error: error)
  }
}
