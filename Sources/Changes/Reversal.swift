import HTTP
import IFTTT
import PluginProtocol
import Plugins
package import Session
package import Store
import Text
import World

/// The return of the subjects of a run to their states before it, or after it.
package struct Reversal {
  package enum Direction { case undo, redo }

  private let direction: Direction
  private let run: JournalRun
  private let session: Session
  private let credentials: CredentialOptions
  /// Whether subjects that others have changed since are reverted too.
  private let isForced: Bool
  private let resumed: JournalRun?
  private let recorded = Recorded()
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

  package func output(_ reports: [ReportFile]) throws -> Output {
    var settings = RunSettings()
    (settings.isForced, settings.allowsRemoval, settings.reverted) = (isForced, true, run)
    (settings.resumed, settings.service) = (resumed, run.service)
    if run.isOverUsers { return try overUsers(reports, settings) }
    let items = try JournalStore(session.store).items(of: run.number).filter(\.mayHaveChanged)
    let requests = try requests(items)
    if !session.options.isDryRun {
      let verb = direction == .undo ? "Undoing" : "Redoing"
      session.console.noteToPerson("\(verb) '\(run.commandLine)' from \(run.begunAt.rfc3339).")
    }
    settings.reports = try session.openReports(reports)
    let isStatusOnly = requests.allSatisfy { !$0.target.namesConfiguration }
    return try ChangeRun(
      ChangeSource(requests), at: providers(isStatusOnly: isStatusOnly, isOverUsers: false), settings, in: session
    ).output()
  }

  private func providers(isStatusOnly: Bool, isOverUsers: Bool) -> ChangeProviders {
    let connections = ConnectionChanges(credentials, isStatusOnly: isStatusOnly, in: session)
      .providers(isOverUsers: isOverUsers)
    return ChangeProviders { provider in
      provider == .applets ? try makeApplets(run) : try connections[provider]
    }
  }

  /// - Throws: `cannot_undo` if no item of the run can be reverted.
  private func requests(_ items: [JournalItem]) throws -> [SubjectChange.Request] {
    var found: [SubjectChange.Request] = []
    var problems: [Problem] = []
    for item in items {
      switch try request(of: item) {
      case .success(let request?): found.append(request)
      case .success(nil): break
      case .failure(let problem): problems.append(problem)
      }
    }
    if let first = problems.first {
      throw Problem(
        .cannotUndo, "run \(run.number), '\(run.commandLine)', cannot be \(direction == .undo ? "undone" : "redone")",
        reason: first.message, hint: first.hint,
        details: problems.prefix(BatchFailures.limit).map { Problem.Detail(parameter: nil, message: $0.message) })
    }
    return found
  }

  /// Nil for an item that this reversal has finished already.
  private func request(of item: JournalItem) throws -> Result<SubjectChange.Request?, Problem> {
    guard let subject = Subject(item), let before = item.recordedBefore else {
      return .failure(
        Problem(
          .cannotUndo, "the previous state of '\(item.id)' is unknown",
          hint: "Set the state that you want, for example with \(ifttt: "connections apply FILE")."))
    }
    let after = item.recordedAfter
    let isLost = item.recordedTarget?.namesConfiguration == true && before.configuration == nil
    let hadSettings = before.status != .disabled && before.status != .neverEnabled
    if direction == .undo, isLost, hadSettings || subject.plugin != nil {
      return .failure(
        Problem(
          .cannotUndo, "the previous settings of \(subject.noun) are unknown",
          reason: subject.plugin.map { "plugin '\($0)' does not report settings" }
            ?? "IFTTT did not return them before they were replaced",
          hint: "Set them with \(ifttt: "configure \(subject.name)")."))
    }
    guard let target = direction == .undo ? .state(before) : redone(item) else {
      return .failure(
        Problem(.cannotUndo, "the state of \(subject.noun) after the run is unknown", hint: "Run the command again."))
    }
    if target.status == .enabled, case .plugin(let name) = subject.provider, try !canEnable(name) {
      return .failure(
        Problem(.cannotUndo, "provider '\(name)' cannot enable \(subject.noun)", hint: "Enable it at its service."))
    }
    var request = SubjectChange.Request(subject, target)
    request.allowsRemoval = true
    request.options.ignoresUnknownStatus = isForced
    if !isForced { request.expected = direction == .undo ? after : before }
    if let known = try known(item) {
      guard known.item.isUnfinished else { return .success(nil) }
      request.earlier = SubjectChange.Earlier(known.item, at: known.position)
      // The subject may already have its target, or anything between both states.
      if request.earlier?.wasSent == true { request.expected = nil }
    }
    return .success(request)
  }

  /// The state after the run. If its settings are unknown, the target of the run.
  private func redone(_ item: JournalItem) -> TargetState? {
    guard let after = item.recordedAfter else { return nil }
    if after.configuration == nil, let target = item.recordedTarget, target.namesConfiguration { return target }
    return .state(after)
  }

  /// The record of the same subject in the unfinished reversal.
  private func known(_ item: JournalItem) throws -> (position: Int, item: JournalItem)? {
    guard let resumed else { return nil }
    guard !run.isOverUsers else {
      return try JournalStore(session.store).item(
        of: resumed.number, user: item.userID, provider: item.provider, id: item.id)
    }
    if recorded.items == nil {
      let items = try JournalStore(session.store).items(of: resumed.number, from: 0)
      recorded.items = Dictionary(
        items.compactMap { entry in Subject(entry.item).map { ($0, entry) } }, uniquingKeysWith: { first, _ in first })
    }
    return Subject(item).flatMap { recorded.items?[$0] }
  }

  private func canEnable(_ plugin: PluginName) throws -> Bool {
    if let known = recorded.canEnable[plugin] { return known }
    let found = try session.plugins.provider(plugin).can(.enableConnection)
    recorded.canEnable[plugin] = found
    return found
  }

  /// Facts that are read once: the records of the unfinished reversal, and whether plugins can enable connections.
  private final class Recorded {
    var items: [Subject: (position: Int, item: JournalItem)]?
    var canEnable: [PluginName: Bool] = [:]
  }

  // MARK: Users

  private func overUsers(_ reports: [ReportFile], _ given: RunSettings) throws -> Output {
    var settings = given
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
            if page.isEmpty { page = try JournalStore(store).users(of: run.number, after: last, limit: 256)[...] }
            guard let user = page.popFirst() else { return nil }
            last = user
            return UserEntry(userID: user)
          }, reports: reports, in: session)
      }
    ) { user in
      try JournalStore(store).items(of: run.number, user: user.userID).filter(\.mayHaveChanged).compactMap { item in
        switch try request(of: item) {
        case .success(let request): request.map(Result.success)
        case .failure(let problem): .failure(problem)
        }
      }
    }.output()
  }
}
