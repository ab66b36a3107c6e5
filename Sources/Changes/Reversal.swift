import HTTP
import IFTTT
import PluginProtocol
import Plugins
package import Session
package import Store
import Text
import World

/// An undo or redo of a run, which returns its subjects to their states before or after the run.
package struct Reversal {
  package enum Direction { case undo, redo }
  /// The number of users that are read from the journal at once.
  private static let pageSize = 256

  private let direction: Direction
  private let run: JournalRun
  private let session: Session
  private let credentials: CredentialOptions
  /// Whether subjects that others have changed since are reverted too.
  private let isForced: Bool
  private let resumed: JournalRun?
  private let lookups = Lookups()
  private let makeApplets: (JournalRun) throws -> any SubjectProvider

  /// - Parameters:
  ///   - resumed: the unfinished undo or redo of the run; nil for a new one.
  ///   - applets: makes the provider of the run's Applets.
  package init(
    _ direction: Direction, _ run: JournalRun, resuming resumed: JournalRun? = nil, _ credentials: CredentialOptions,
    isForced: Bool, in session: Session, applets: @escaping (JournalRun) throws -> any SubjectProvider
  ) {
    (self.direction, self.run, self.resumed, self.credentials) = (direction, run, resumed, credentials)
    (self.isForced, self.session, makeApplets) = (isForced, session, applets)
  }

  package func output() throws -> Output {
    var settings = RunSettings()
    (settings.isForced, settings.allowsRemoval, settings.reverted) = (isForced, true, run)
    (settings.resumed, settings.service) = (resumed, run.service)
    try check()
    if !session.options.isDryRun {
      let verb = direction == .undo ? "Undoing" : "Redoing"
      session.console.noteToPerson("\(verb) '\(run.commandLine)' from \(run.begunAt.rfc3339).")
    }
    if run.isOverUsers { return try overUsers(settings) }
    var isStatusOnly = true
    let items = try RecordedItems(of: run.number, in: session.store) { _, item in
      guard try item.mayHaveChanged && !isFinished(item) else { return false }
      if try request(of: item).target.namesConfiguration { isStatusOnly = false }
      return true
    }
    return try ChangeRun(
      ChangeSource(items) { _, item in try request(of: item) },
      at: providers(isStatusOnly: isStatusOnly, isOverUsers: false), settings, in: session
    ).output()
  }

  private func providers(isStatusOnly: Bool, isOverUsers: Bool) -> ChangeProviders {
    let connections = ConnectionChanges(credentials, isStatusOnly: isStatusOnly, in: session)
      .providers(isOverUsers: isOverUsers)
    return ChangeProviders { provider in
      provider == .applets ? try makeApplets(run) : try connections[provider]
    }
  }

  /// Checks every item before anything is sent, so that a run is reverted as a whole or not at all.
  /// - Throws: `cannot_undo` if an item of the run cannot be reverted.
  private func check() throws {
    var first: Problem?
    var details: [Problem.Detail] = []
    try RecordedItems.forEach(of: run.number, in: JournalStore(session.store)) { _, item in
      if item.mayHaveChanged, case .failure(let problem) = try subjectAndTarget(of: item) {
        first = first ?? problem
        details.append(Problem.Detail(parameter: nil, message: problem.message))
      }
      return details.count < BatchFailures.limit
    }
    guard let first else { return }
    throw Problem(
      .cannotUndo, "run \(run.number), '\(run.commandLine)', cannot be \(direction == .undo ? "undone" : "redone")",
      reason: first.message, hint: first.hint, details: details)
  }

  /// The subject of an item and its target, or the reason why it cannot be reverted.
  private func subjectAndTarget(of item: JournalItem) throws -> Result<(subject: Subject, target: TargetState), Problem>
  {
    let subject = Subject(item)
    let noun = subject?.fullNoun ?? "'\(item.id)'"
    guard let subject, let before = item.recordedBefore else {
      return .failure(
        Problem(
          .cannotUndo, "the previous state of \(noun) is unknown",
          hint: "Set the state that you want, for example with \(ifttt: "connections apply FILE")."))
    }
    let areSettingsLost = item.recordedTarget?.namesConfiguration == true && before.configuration == nil
    let hadSettings = before.status != .disabled && before.status != .neverEnabled
    if direction == .undo, areSettingsLost, hadSettings || subject.plugin != nil {
      return .failure(
        Problem(
          .cannotUndo, "the previous settings of \(noun) are unknown",
          reason: subject.plugin.map { "plugin '\($0)' does not report settings" }
            ?? "IFTTT did not return them before they were replaced",
          hint: "Set them with \(ifttt: "configure \(subject.name)")."))
    }
    guard let target = direction == .undo ? .state(before) : redoTarget(of: item) else {
      return .failure(
        Problem(.cannotUndo, "the state of \(noun) after the run is unknown", hint: "Run the command again."))
    }
    if target.status == .enabled, case .plugin(let name) = subject.provider, try !canEnable(name) {
      return .failure(
        Problem(.cannotUndo, "provider '\(name)' cannot enable \(noun)", hint: "Enable it at its service."))
    }
    return .success((subject, target))
  }

  /// Whether an earlier part of this reversal has finished an item.
  private func isFinished(_ item: JournalItem) throws -> Bool {
    try resumedRecord(of: item).map { !$0.item.isUnfinished } ?? false
  }

  private func request(of item: JournalItem) throws -> SubjectChange.Request {
    let (subject, target) = try subjectAndTarget(of: item).get()
    var request = SubjectChange.Request(subject, target)
    request.allowsRemoval = true
    request.options.ignoresUnknownStatus = isForced
    if !isForced { request.expected = direction == .undo ? item.recordedAfter : item.recordedBefore }
    if let record = try resumedRecord(of: item) {
      request.earlier = SubjectChange.Earlier(record.item, at: record.position)
      // The subject may already have its target, or any state in between.
      if request.earlier?.wasSent == true { request.expected = nil }
    }
    return request
  }

  /// The state after the run. If its settings are unknown, the target of the run.
  private func redoTarget(of item: JournalItem) -> TargetState? {
    guard let after = item.recordedAfter else { return nil }
    if after.configuration == nil, let target = item.recordedTarget, target.namesConfiguration { return target }
    return .state(after)
  }

  /// The record of the same subject in the unfinished reversal.
  private func resumedRecord(of item: JournalItem) throws -> (position: Int, item: JournalItem)? {
    guard let resumed else { return nil }
    guard !run.isOverUsers else {
      return try JournalStore(session.store).item(
        of: resumed.number, user: item.userID, provider: item.provider, id: item.id)
    }
    let records = try lookups.records ?? Records(of: resumed.number, in: session.store)
    lookups.records = records
    return try Subject(item).flatMap { records.indices[$0] }.map { try records.items[$0] }
  }

  private func canEnable(_ plugin: PluginName) throws -> Bool {
    if let known = lookups.canEnable[plugin] { return known }
    let canEnable = try session.plugins.provider(plugin).can(.enableConnection)
    lookups.canEnable[plugin] = canEnable
    return canEnable
  }

  /// Facts that are read once: the records of the unfinished reversal, and whether plugins can enable connections.
  private final class Lookups {
    var records: Records?
    var canEnable: [PluginName: Bool] = [:]
  }

  /// The records of the unfinished reversal, by subject.
  private struct Records {
    let items: RecordedItems
    let indices: [Subject: Int]

    init(of run: Int64, in store: Store) throws {
      var indices: [Subject: Int] = [:]
      items = try RecordedItems(of: run, in: store) { _, item in
        guard let subject = Subject(item), indices[subject] == nil else { return false }
        indices[subject] = indices.count
        return true
      }
      self.indices = indices
    }
  }

  // MARK: Users

  private func overUsers(_ settings: RunSettings) throws -> Output {
    var settings = settings
    settings.users = JournaledUsers(file: nil, targets: "[]")
    let (store, run, session) = (try session.store, run, session)
    let counts = try JournalStore(store).countChanged(of: run.number)
    return try UserChangeRun(
      at: providers(isStatusOnly: false, isOverUsers: true), settings,
      count: counts.users, unread: .total(counts.subjects), in: session,
      over: {
        var (page, last): (ArraySlice<String>, String?) = ([], nil)
        return try UserRun(
          listing: {
            if page.isEmpty {
              page = try JournalStore(store).users(of: run.number, after: last, limit: Self.pageSize)[...]
            }
            guard let user = page.popFirst() else { return nil }
            last = user
            return UserEntry(userID: user)
          }, in: session)
      }
    ) { user in
      try JournalStore(store).items(of: run.number, user: user.userID)
        .filter { try $0.mayHaveChanged && !isFinished($0) }.map(request(of:))
    }.output()
  }
}
