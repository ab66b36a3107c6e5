package import HTTP
package import IFTTT
import JSON
package import Session
package import Store

/// Executes the state machines of many subjects, and journals their steps.
package final class ChangeExecutor {
  /// One subject on its way.
  package final class Item {
    package fileprivate(set) var change: SubjectChange
    fileprivate let provider: any SubjectProvider
    var report: (ChangeResult) throws -> Void
    /// Its position in the journal, also if an earlier part of the run added it; nil before.
    fileprivate var position: Int?
    /// Whether this part of the run has added it to the journal.
    fileprivate var isAdded: Bool

    /// - Parameter position: that in the journal, if it is there already.
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
  /// Whether subjects are recorded that need no request, or that nothing was sent for.
  var recordsAll = false
  /// Called just before a request about a subject is sent.
  package var starting: (Subject) -> Void = { _ in }
  /// Decides about a plan: an event, or nil to hold the item until ``resume(_:)``.
  private let decide: (Item, ConnectionPlan) throws -> SubjectChange.Event?
  private var texts: [String: String] = [:]
  /// The items whose result is not known, by identity.
  private var open: [ObjectIdentifier: Item] = [:]

  /// - Parameters:
  ///   - journal: nil for a preview, which sends nothing.
  ///   - decide: decides about the plan of each item; nil holds the item.
  package init(
    _ journal: Journal?, in session: Session,
    decide: @escaping (Item, ConnectionPlan) throws -> SubjectChange.Event?
  ) {
    (self.journal, self.session, self.decide) = (journal, session, decide)
  }

  /// Begins an item.
  package func begin(_ item: Item) throws -> RequestChain {
    open[ObjectIdentifier(item)] = item
    return try follow(item, .begun)
  }

  /// Continues an item that was held.
  package func approve(_ item: Item) throws -> RequestChain {
    open[ObjectIdentifier(item)] = item
    if item.change.isIrreversible { try item.provider.willDisablePending(item.subject) }
    return try follow(item, .approved)
  }

  /// Adds an approved item to the journal before its turn, so that a run that ends early knows about it.
  func plan(_ item: Item) { addToJournal(item, before: item.change.before) }

  /// Adds a subject to the journal that is planned once more when it is its turn.
  /// - Returns: its position.
  func plan(_ request: SubjectChange.Request) -> Int? {
    journal?.add(record(of: request, before: request.earlier?.before), at: request.earlier?.position)
  }

  /// Records and reports a result that was known before.
  func end(_ item: Item, with result: ChangeResult) throws {
    try note(result, of: item)
    try item.report(result)
  }

  private func follow(_ item: Item, _ event: SubjectChange.Event) throws -> RequestChain {
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
        case .success(let state): return try follow(item, .read(state))
        case .failure(let problem): return try follow(item, .readFailed(problem))
        }
      }
    case .readOptions(let step):
      return try item.provider.readOptions(step, of: subject) { [self] result in
        switch result {
        case .success(let options): return try follow(item, .options(step, options))
        case .failure(let problem): return try follow(item, .optionsFailed(problem))
        }
      }
    case .propose(let plan):
      guard var decision = try decide(item, plan) else {
        open[ObjectIdentifier(item)] = nil
        return .end
      }
      // Without the credential for one step, none is sent.
      if case .approved = decision, let problem = item.provider.credentialProblem(of: plan, subject) {
        decision = .refused(problem)
      }
      if plan.isIrreversible, case .approved = decision { try item.provider.willDisablePending(subject) }
      return try follow(item, decision)
    case .send(let step, let before):
      // All that are added before the first of them leaves are synchronized together.
      addToJournal(item, before: before)
      return try item.provider.send(
        step, to: subject, starting: { [self] in try declare(item, before) },
        then: { [self] event in try follow(item, event) })
    case .end(let result):
      open[ObjectIdentifier(item)] = nil
      try end(item, with: result)
      return .end
    }
  }

  /// Ends the items that were on their way when the run was interrupted: the effect of a request in flight is unknown.
  package func endInterrupted() throws {
    for item in open.values.sorted(by: { $0.position ?? .max < $1.position ?? .max }) {
      guard item.change.hasSent else { continue }
      var action = item.change.receive(.failed(.interrupted, isUnchanged: false))
      if case .read = action { action = item.change.receive(.readFailed(.interrupted)) }
      if action == nil { action = item.change.receive(.readFailed(.interrupted)) }
      if case .end(let result)? = action {
        try end(item, with: result)
      }
    }
    open = [:]
  }

  // MARK: The journal

  /// The text of a state or a target. Most subjects of a run have the same.
  private func text(of json: JSONValue) -> String {
    let text = json.text
    if let known = texts[text] { return known }
    if texts.count == 16 { texts = [:] }
    texts[text] = text
    return text
  }

  private func record(of request: SubjectChange.Request, before: RecordedState?) -> JournalItem {
    // An earlier part of the run may have sent it, which must be known however often the run is resumed.
    JournalItem(
      id: request.subject.id, userID: request.subject.userID, before: (before?.json).map(text(of:)),
      state: request.earlier?.wasSent == true ? .sent : .planned, provider: request.subject.journaledProvider,
      target: text(of: request.target.json))
  }

  private func addToJournal(_ item: Item, before: RecordedState?) {
    guard !item.isAdded else { return }
    item.position = journal?.add(record(of: item.change.request, before: before), at: item.position)
    item.isAdded = true
  }

  /// Records that an item may have been sent, and that its cached state is outdated.
  private func declare(_ item: Item, _ before: RecordedState) throws {
    starting(item.subject)
    guard let journal else { return }
    addToJournal(item, before: before)
    guard let position = item.position else { return }
    let declared = try journal.send(position, before: text(of: before.json))
    guard !declared.isEmpty else { return }
    try item.provider.willChange(declared.compactMap(Subject.init).filter { $0.provider == item.subject.provider })
  }

  /// Records a result.
  func note(_ result: ChangeResult, of item: Item) throws {
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
