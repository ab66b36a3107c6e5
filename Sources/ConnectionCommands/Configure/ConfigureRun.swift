import Changes
package import IFTTT
import JSON
import Output
package import Session
import Store
import Text
import World

/// Executes `configure`: fetches the connection, computes and checks the new configuration, confirms it, sends it and
/// fetches the result.
final class ConfigureRun {
  private let options: ConfigureOptions
  private let file: UserConnection?
  private let session: Session
  private let access: ConnectionAccess

  /// - Parameter file: the configuration from `--file`.
  init(_ id: ConnectionID, _ options: ConfigureOptions, _ file: UserConnection?, in session: Session) throws {
    (self.options, self.file, self.session) = (options, file, session)
    access = try ConnectionAccess(id, options.credentials, in: session)
  }

  func output() throws -> Output {
    let isInteractive = options.waits && !options.hasChanges && session.console.mayPrompt && !session.options.isDryRun
    guard let connection = try connection() else {
      if options.hasChanges { throw Problem.neverFetched(access.subject) }
      return session.dryRun([access.client.show(access.id).request])
    }
    let stored = connection.userConnection ?? UserConnection()
    if !options.hasChanges && !isInteractive {
      if session.options.isDryRun { return session.dryRun([access.client.show(access.id).request]) }
      return .rows(ConfigurationForm(connection, stored).rows)
    }
    try access.checkUsable(connection)
    let requested = RequestedConfiguration(connection, stored, access)
    let wanted = try isInteractive ? requested.prompted() : requested.wanted(options, file)
    let old = ConfigurationForm(connection, stored)
    let differences = old.differences(to: wanted.configuration)
    let form = ConfigurationForm(connection, wanted.configuration)
    try reject(form.faults(since: stored, wanted.options))
    if differences.isEmpty {
      session.console.note(Hint(session.console.language.text(.nothingToChange)))
      if try session.storage.pendingConnections.isPending(connection) {
        session.console.note(.staysPending(access.id))
      }
    } else {
      try access.requireServiceKey()
    }
    show(differences)
    let outdated = form.outdated(since: stored, wanted.options)
    report(outdated)
    var request = SubjectChange.Request(
      Subject(id: access.id.description), .state(RecordedState(status: .unknown, configuration: wanted.configuration)))
    request.fieldOptions = wanted.options
    return try output(of: request, connection, reasons: reasons(differences, outdated, connection)) {
      old.rows(of: differences, to: wanted.configuration)
    }
  }

  /// Resumes a run that was interrupted or failed.
  func output(resuming run: JournalRun) throws -> Output {
    guard let request = try ConnectionChanges.request(of: run, for: access.id.description, in: session),
      case .state(let state) = request.target, let wanted = state.configuration
    else { return .rows([ConfigurationRow]()) }
    let connection = try access.fetch()
    let before = request.earlier?.before?.configuration ?? connection.userConnection ?? UserConnection()
    return try output(of: request, connection, resuming: run) {
      let old = ConfigurationForm(connection, before)
      return old.rows(of: old.differences(to: before.merged(with: wanted)), to: wanted)
    }
  }

  /// Sends the settings in a journaled run, so that `connections undo` can revert it.
  /// - Parameter rows: the rows of the changed settings.
  private func output(
    of given: SubjectChange.Request, _ connection: Connection, resuming run: JournalRun? = nil, reasons: [String] = [],
    rows: () -> [ConfigurationRow]
  ) throws -> Output {
    var request = given
    (request.options.replacesUnseen, request.allowsRemoval, request.mayBeCached) = (true, true, true)
    var settings = RunSettings()
    (settings.allowsRemoval, settings.resumed) = (true, run)
    let provider = try ConnectSubjects(
      options.credentials, isStatusOnly: false, isOverUsers: false, in: session)
    provider.prime(connection)
    let changes = ChangeRun(
      ChangeSource([request]), at: ChangeProviders { _ in provider }, settings, questions: reasons, in: session)
    // A setting that an earlier part of the run did not make may have been made by others.
    var isChanged = run == nil
    changes.receive = { isChanged = isChanged || $0.isChanged }
    return try changes.output {
      let rows = isChanged ? rows() : []
      if !rows.isEmpty, case .state(let state) = request.target,
        state.configuration?.features.contains(where: \.isEnabled) == false, session.isKnownPending(access.id)
      {
        session.console.note(.staysPending(access.id))
      }
      return .rows(rows)
    }
  }

  /// Shows the differences on a terminal. Elsewhere, they are only in the result.
  private func show(_ differences: [ConfigurationDifference]) {
    guard session.world.terminal.errorIsTerminal, !session.options.isDryRun else { return }
    for change in ConfigurationDifference.Change.allCases {
      let lines = differences.filter { $0.change == change }
      guard !lines.isEmpty else { continue }
      session.console.note(Hint(session.console.language.heading(change.heading)))
      for line in lines { session.console.note(Hint("  " + line.summary)) }
    }
  }

  /// Returns nil only in a dry run that does not fetch, if the connection is not cached.
  private func connection() throws -> Connection? {
    let isOffline = try session.network.isOffline
    if session.options.isDryRun, isOffline || !options.hasChanges { return try access.cachedConnection() }
    return try isOffline && !options.hasChanges ? access.cachedOrFail() : access.fetch()
  }

  // MARK: Checks

  private func reject(_ faults: [ConfigurationForm.Fault]) throws {
    guard let first = faults.first else { return }
    func name(_ fault: ConfigurationForm.Fault) -> String {
      fault.entry.field.label.map { "'\(fault.entry.address)' (\($0))" } ?? "'\(fault.entry.address)'"
    }
    let hint: Hint = "Set it with --set; \(ifttt: "connections options \(access.id)") shows what each field accepts."
    guard faults.count > 1 else {
      throw Problem(.invalidParameters, "\(name(first)) cannot be sent", reason: first.fault.description, hint: hint)
    }
    throw Problem(
      .invalidParameters, "\(faults.count) settings cannot be sent", hint: hint,
      details: faults.map { Problem.Detail(parameter: $0.entry.address, message: $0.fault.description) })
  }

  private func report(_ outdated: [ConfigurationForm.Fault]) {
    for fault in outdated {
      session.console.note(
        "'\(fault.entry.address)' still has a value that is no longer available: \(fault.fault.description).")
    }
  }

  /// Why the change needs a confirmation: the loss of settings, and values that IFTTT may reject.
  private func reasons(
    _ differences: [ConfigurationDifference], _ outdated: [ConfigurationForm.Fault], _ connection: Connection
  ) -> [String] {
    var reasons: [Phrase] = []
    let removed = differences.count { $0.change == .removed }
    if removed > 0 { reasons.append(.removeSettings(removed)) }
    if !outdated.isEmpty { reasons.append(.sendOutdated) }
    let unread = connection.skipped.paths.filter { $0.hasPrefix("user_connection") }
    if !unread.isEmpty { reasons.append(.loseUnreadable(paths: unread.joined(separator: ", "))) }
    // An enabled connection has a configuration, unless the configuration screen was skipped.
    if connection.userConnection == nil, !session.isKnownPending(access.id) { reasons.append(.replaceUnseen) }
    let language = session.console.mayPrompt ? session.console.language : .americanEnglish
    return reasons.map(language.text)
  }
}

extension Session {
  fileprivate func isKnownPending(_ id: ConnectionID) -> Bool {
    (try? storage.pendingConnections.contains(id.description)) == true
  }
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

extension Session {
  /// Shows or sets the fields of a connection at IFTTT; with `--skip`, activates it first.
  package func configure(_ id: ConnectionID, _ options: ConfigureOptions) throws -> Output {
    if !self.options.isDryRun {
      let isActivation = options.skipsConfiguration == true && !options.waits
      try checkFields(of: isActivation ? .one(ActivationRow.self) : .many(ConfigurationRow.self))
    }
    if options.resumes {
      return try ConfigureRun(id, options, nil, in: self).output(resuming: BatchJournal(session: self).resumable())
    }
    // Read the file before anything is sent.
    let file = try options.file.map { try ConfigurationFile.read($0, in: self) }
    if options.skipsConfiguration == true, let result = try activateSkippingConfiguration(id, options, file) {
      return result
    }
    return try ConfigureRun(id, options, file, in: self).output()
  }

  /// Activates a connection but skips IFTTT's own configuration screen, which leaves the connection pending.
  /// - Returns: the result of a dry run, or of a run that ends here; nil if `configure` continues with the settings.
  fileprivate func activateSkippingConfiguration(
    _ id: ConnectionID, _ given: ConfigureOptions, _ file: UserConnection?
  ) throws -> Output? {
    var options = given.activation
    (options.credentials, options.skipsConfiguration) = (given.credentials, true)
    let activation = try Activation(of: id, options, in: self)
    if self.options.isDryRun { return try activation.dryRun() }
    if given.hasChanges { try rejectEarly(id, given, file) }
    let result = try activation.run()
    guard given.waits, result.unverified == nil else { return result.output(in: self) }
    console.note(Hint(result.summary))
    return nil
  }

  /// Rejects settings that are clearly invalid before a browser is opened. The user's own features and most options of
  /// fields are known only after the activation, so `configure` checks them then.
  private func rejectEarly(_ id: ConnectionID, _ given: ConfigureOptions, _ file: UserConnection?) throws {
    guard let access = try? ConnectionAccess(beforeActivationOf: id, given.credentials, in: self),
      let connection = try? access.client.show(id).send().connection
    else { return }
    var early = given
    (early.disabled, early.removed) = ([], [])
    if connection.userConnection == nil { early.settings.removeAll { $0.name.utf8.contains(UInt8(ascii: "#")) } }
    let stored = connection.userConnection ?? UserConnection()
    _ = try RequestedConfiguration(connection, stored, access, isEarly: true).wanted(early, file)
  }

  /// Rejects `--fields` of the command's other output before anything is sent.
  fileprivate func checkFields(of shape: OutputSchema) throws {
    do throws(FieldsError) { try shape.check(options.fields ?? []) } catch {
      throw Problem(
        .usage, "--fields: \(error.description)", reason: "with these options, the output has other fields",
        hint: "Available: \(shape.fields.joined(separator: ", ")).")
    }
  }
}
