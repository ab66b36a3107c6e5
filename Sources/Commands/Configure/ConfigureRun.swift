import API
import Connect
import JSON
import Phrases
import World

/// Performs `configure`: reads, works out what is wanted, checks, shows, asks, sends, and reads again.
struct ConfigureRun {
  private let options: Configure.Options
  private let file: UserConnection?
  private let session: Session
  private let access: ConnectionAccess

  /// - Parameter file: the configuration that a file holds.
  init(_ id: ConnectionID, _ options: Configure.Options, _ file: UserConnection?, in session: Session) throws {
    (self.options, self.file, self.session) = (options, file, session)
    access = try ConnectionAccess(id, options.credentials, for: "'configure'", in: session)
  }

  func output() throws -> Output {
    let asksQuestions = options.waits && !options.saysChanges && session.mayPrompt && !session.options.isDryRun
    guard let connection = try connection() else { return session.unreadDryRun(access, changes: options.saysChanges) }
    let stored = connection.userConnection ?? UserConnection()
    if !options.saysChanges && !asksQuestions {
      if session.options.isDryRun { return session.dryRun([access.client.showRequest(access.id)]) }
      return .rows(ConfigurationForm(connection, stored).rows, as: .configuration)
    }
    try access.checkUsable(connection)
    let wish = ConfigurationWish(connection, stored, access)
    let wanted = try asksQuestions ? wish.asked() : wish.wanted(options, file)
    let form = ConfigurationForm(connection, wanted.configuration)
    let old = ConfigurationForm(connection, stored)
    let differences = old.differences(to: wanted.configuration)
    try refuse(form.faults(since: stored, wanted.options))
    guard !differences.isEmpty else {
      session.note(session.language.text(.nothingToChange))
      if try session.pendingMemory.isPending(connection) { session.note(staysPending) }
      return session.options.isDryRun ? session.dryRun() : .rows([], as: .configuration)
    }
    show(differences)
    let outdated = form.outdated(since: stored, wanted.options)
    tell(outdated)
    let body = wanted.configuration.requestBody
    if session.options.isDryRun { return session.dryRun([access.client.configureRequest(access.id, body)]) }
    try confirm(differences, outdated, connection)
    try send(body, RequestFaults(form: form, options: wanted.options))
    try settle(wanted.configuration)
    return .rows(old.rows(of: differences, to: wanted.configuration), as: .configuration)
  }

  /// Nil in a dry run that knows nothing of it.
  private func connection() throws -> Connection? {
    if session.options.isDryRun { return try access.kept() }
    return try session.isCutOff && !options.saysChanges ? access.keptOrFail() : access.read()
  }

  // MARK: Before

  private func refuse(_ faults: [ConfigurationForm.Fault]) throws {
    guard let first = faults.first else { return }
    func name(_ fault: ConfigurationForm.Fault) -> String {
      fault.entry.field.label.map { "'\(fault.entry.address)' (\($0))" } ?? "'\(fault.entry.address)'"
    }
    let hint = "Set it with --set; 'ifttt connections options \(access.id)' shows what each field accepts."
    guard faults.count > 1 else {
      throw Problem(.invalidParameters, "\(name(first)) cannot be sent", reason: first.fault.words, hint: hint)
    }
    throw Problem(
      .invalidParameters, "\(faults.count) settings cannot be sent", hint: hint,
      details: faults.map { Problem.Detail(parameter: $0.entry.address, message: $0.fault.words) })
  }

  /// The difference, for whoever looks on; a pipe gets it as the result.
  private func show(_ differences: [ConfigurationDifference]) {
    let isShown = session.options.isDryRun || session.world.terminal.errorIsTerminal
    for change in ConfigurationDifference.Change.allCases where isShown {
      let lines = differences.filter { $0.change == change }
      guard !lines.isEmpty else { continue }
      session.note(session.language.heading(change.heading))
      for line in lines { session.note("  " + line.words) }
    }
  }

  private func tell(_ outdated: [ConfigurationForm.Fault]) {
    for fault in outdated {
      session.note("'\(fault.entry.address)' keeps a value that is no longer offered: \(fault.fault.words).")
    }
  }

  /// Asks before anything is lost, or sent that IFTTT may refuse.
  private func confirm(
    _ differences: [ConfigurationDifference], _ outdated: [ConfigurationForm.Fault], _ connection: Connection
  ) throws {
    let removed = differences.filter { $0.change == .removed }
    if !removed.isEmpty { try session.confirm(.removeSettings(removed.count), details: removed.map(\.words)) }
    if !outdated.isEmpty { try session.confirm(.sendOutdated) }
    let unread = connection.dropped.places.filter { $0.hasPrefix("user_connection") }
    if !unread.isEmpty { try session.confirm(.loseUnreadable(places: unread.joined(separator: ", "))) }
    // What is on has a configuration, unless its screen was skipped.
    if connection.userConnection == nil, !session.isKnownPending(access.id) { try session.confirm(.replaceUnseen) }
  }

  // MARK: Sending

  private func send(_ body: JSONObject, _ faults: RequestFaults) throws {
    do throws(APIFailure) { try access.client.configure(access.id, body) } catch {
      throw faults.explained(Problem(error, subject: access.subject))
    }
  }

  /// Only a read tells what became of it (U2).
  private func settle(_ wanted: UserConnection) throws {
    let isOn = wanted.features.contains(where: \.isEnabled)
    if isOn { try session.pendingMemory.clear(access.id) }
    try access.expire()
    let after: Connection
    do { after = try access.read() } catch {
      var problem = Problem(error)
      problem.message = "IFTTT accepted the settings, but what became of them is unknown: \(problem.message)"
      throw problem
    }
    let form = ConfigurationForm(after, after.userConnection ?? UserConnection())
    let rest = form.differences(to: wanted).filter { !$0.isOnlyWords }
    guard rest.isEmpty else {
      throw Problem(
        .refused, "IFTTT accepted the settings, and not all are as asked",
        hint: "Look at it: 'ifttt configure \(access.id)'.",
        details: rest.map { Problem.Detail(parameter: $0.address, message: $0.words) })
    }
    if !isOn, try session.pendingMemory.contains(access.id.description) {
      session.note(staysPending)
    }
  }

  private var staysPending: String { "No feature is on, so that connection '\(access.id)' stays pending." }
}

extension ConfigurationDifference.Change {
  fileprivate var heading: Phrase {
    switch self {
    case .added: .added
    case .changed: .changed
    case .removed: .removed
    }
  }
}

extension ConfigurationDifference {
  /// A place whose address or map IFTTT has filled in lies where it was asked to.
  fileprivate var isOnlyWords: Bool {
    guard case .location(let a)? = FieldValue(before), case .location(let b)? = FieldValue(after) else { return false }
    return a.isAt(b)
  }
}

extension Session {
  fileprivate func isKnownPending(_ id: ConnectionID) -> Bool {
    (try? pendingMemory.contains(id.description)) == true
  }

  /// What a dry run can say of a connection that was never read: nothing is read in it either.
  fileprivate func unreadDryRun(_ access: ConnectionAccess, changes: Bool) -> Output {
    var output = dryRun([access.client.showRequest(access.id)])
    guard changes else { return output }
    note("What would change is known only once it was read: 'ifttt configure \(access.id) --no-input' does so.")
    if options.usesExitCode {
      output.verdict = { throw Problem(.differs, "something may change", reason: "\(access.subject) was never read") }
    }
    return output
  }
}
