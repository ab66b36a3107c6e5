import API
import Batch
import CommandContext
import Connect
import Hints
import JSON
import Phrases
import Store
import World

/// Executes `configure`: fetches the connection, computes and checks the new configuration, confirms it, sends it and
/// fetches the result.
struct ConfigureRun {
  private let options: ConfigureOptions
  private let file: UserConnection?
  private let session: Session
  private let access: ConnectionAccess

  /// - Parameter file: the configuration from `--file`.
  init(_ id: ConnectionID, _ options: ConfigureOptions, _ file: UserConnection?, in session: Session) throws {
    (self.options, self.file, self.session) = (options, file, session)
    access = try ConnectionAccess(id, options.credentials, for: "'configure'", in: session)
  }

  func output() throws -> Output {
    let asksQuestions = options.waits && !options.saysChanges && session.console.mayPrompt && !session.options.isDryRun
    guard let connection = try connection() else { return session.unreadDryRun(access, changes: options.saysChanges) }
    let stored = connection.userConnection ?? UserConnection()
    if !options.saysChanges && !asksQuestions {
      if session.options.isDryRun { return session.dryRun([access.client.showRequest(access.id)]) }
      return .rows(ConfigurationForm(connection, stored).rows)
    }
    try access.checkUsable(connection)
    let wish = RequestedConfiguration(connection, stored, access)
    let wanted = try asksQuestions ? wish.asked() : wish.wanted(options, file)
    let change = ConfigurationChange(
      access: access, connection: connection, wanted: wanted.configuration, options: wanted.options)
    let differences = change.old.differences(to: wanted.configuration)
    try refuse(change.form.faults(since: stored, wanted.options))
    guard !differences.isEmpty else {
      session.console.note(Hint(session.console.language.text(.nothingToChange)))
      if try session.pendingConnections.isPending(connection) { session.console.note(Hint(access.staysPending)) }
      return session.options.isDryRun ? session.dryRun() : .rows([ConfigurationRow]())
    }
    try access.requireServiceKey()
    change.show(differences)
    let outdated = change.form.outdated(since: stored, wanted.options)
    report(outdated)
    if session.options.isDryRun {
      return session.dryRun([access.client.configureRequest(access.id, wanted.configuration.requestBody)])
    }
    try confirm(differences, outdated, connection)
    try send(change)
    return .rows(change.old.rows(of: differences, to: wanted.configuration))
  }

  /// Sends the change as a separate run in the journal, so that `connections undo` finds it.
  private func send(_ change: ConfigurationChange) throws {
    let journals = BatchJournal(session: session)
    let item = JournalItem(id: access.id.description, action: JournalItem.configure)
    let (journal, lock) = try journals.begun([item], isForced: false)
    try journals.alone(on: lock) { try journal.finishing { try change.send(journal, at: 0) } }
  }

  /// Nil in a dry run if the connection is not cached and must not or need not be fetched.
  private func connection() throws -> Connection? {
    let isCutOff = try session.network.isCutOff
    if session.options.isDryRun, isCutOff || !options.saysChanges { return try access.kept() }
    return try isCutOff && !options.saysChanges ? access.cachedOrFail() : access.read()
  }

  // MARK: Before

  private func refuse(_ faults: [ConfigurationForm.Fault]) throws {
    guard let first = faults.first else { return }
    func name(_ fault: ConfigurationForm.Fault) -> String {
      fault.entry.field.label.map { "'\(fault.entry.address)' (\($0))" } ?? "'\(fault.entry.address)'"
    }
    let hint: Hint = "Set it with --set; \(ifttt: "connections options \(access.id)") shows what each field accepts."
    guard faults.count > 1 else {
      throw Problem(.invalidParameters, "\(name(first)) cannot be sent", reason: first.fault.words, hint: hint)
    }
    throw Problem(
      .invalidParameters, "\(faults.count) settings cannot be sent", hint: hint,
      details: faults.map { Problem.Detail(parameter: $0.entry.address, message: $0.fault.words) })
  }

  private func report(_ outdated: [ConfigurationForm.Fault]) {
    for fault in outdated {
      session.console.note(
        "'\(fault.entry.address)' still has a value that is no longer available: \(fault.fault.words).")
    }
  }

  /// Confirms the loss of settings, and values that IFTTT may reject.
  private func confirm(
    _ differences: [ConfigurationDifference], _ outdated: [ConfigurationForm.Fault], _ connection: Connection
  ) throws {
    let removed = differences.filter { $0.change == .removed }
    if !removed.isEmpty { try session.console.confirm(.removeSettings(removed.count), details: removed.map(\.words)) }
    if !outdated.isEmpty { try session.console.confirm(.sendOutdated) }
    let unread = connection.dropped.places.filter { $0.hasPrefix("user_connection") }
    if !unread.isEmpty { try session.console.confirm(.loseUnreadable(places: unread.joined(separator: ", "))) }
    // An enabled connection has a configuration, unless the configuration screen was skipped.
    if connection.userConnection == nil, !session.isKnownPending(access.id) {
      try session.console.confirm(.replaceUnseen)
    }
  }
}

extension Session {
  fileprivate func isKnownPending(_ id: ConnectionID) -> Bool {
    (try? pendingConnections.contains(id.description)) == true
  }

  /// The output of a dry run for a connection that is not cached and must not or need not be fetched.
  fileprivate func unreadDryRun(_ access: ConnectionAccess, changes: Bool) -> Output {
    var output = dryRun([access.client.showRequest(access.id)])
    guard changes else { return output }
    console.note("The changes are unknown until the connection is fetched: run the command without --offline.")
    if options.usesExitCode {
      output.verdict = {
        throw Problem(.differs, "something may change", reason: "\(access.subject) was never fetched")
      }
    }
    return output
  }
}
