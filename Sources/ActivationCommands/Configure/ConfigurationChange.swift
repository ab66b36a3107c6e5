import API
import Batch
import CommandContext
import Connect
import Hints
import JSON
import Phrases
import Store
import World

/// The replacement of a configuration at IFTTT. The difference is shown, the previous configuration is journaled
/// before anything is sent, and the result is fetched afterwards.
struct ConfigurationChange {
  let access: ConnectionAccess
  /// The connection as fetched.
  let connection: Connection
  let wanted: UserConnection
  /// The known options of its fields.
  var options: [ConfigurationStep: FieldOptions] = [:]

  private var session: Session { access.session }
  var stored: UserConnection { connection.userConnection ?? UserConnection() }
  var form: ConfigurationForm { ConfigurationForm(connection, wanted) }
  var old: ConfigurationForm { ConfigurationForm(connection, stored) }

  /// Notes the difference for a person. A pipe gets it as the result.
  /// - Parameter always: whether nothing else reports the difference.
  func show(_ differences: [ConfigurationDifference], always: Bool = false) {
    let isShown = always || session.options.isDryRun || session.world.terminal.errorIsTerminal
    for change in ConfigurationDifference.Change.allCases where isShown {
      let lines = differences.filter { $0.change == change }
      guard !lines.isEmpty else { continue }
      session.console.note(Hint(session.console.language.heading(change.heading)))
      for line in lines { session.console.note(Hint("  " + line.words)) }
    }
  }

  // MARK: Sending

  /// Sends the configuration and fetches the result.
  /// - Parameter place: the index of the item in the journal.
  /// - Throws: ``Problem`` if IFTTT rejects the configuration, or the result differs from it.
  func send(_ journal: Journal, at place: Int) throws {
    // Nil if IFTTT did not show it: such a configuration cannot be reverted.
    let before = journal.items[place].before ?? connection.userConnection.map(\.journaled)
    try journal.note(place, .planned, before: before, after: wanted.journaled)
    journal.plan([place])
    try journal.send(0)
    do throws(APIError) { try access.client.configure(access.id, wanted.requestBody) } catch {
      if error.leavesNothingChanged { try journal.note(place, .failed) }
      throw ConfigurationErrors(form: form, options: options).explained(Problem(error, subject: access.subject))
    }
    try finish(journal, place)
  }

  /// Fetches the result: the response to the change does not contain it (U2).
  private func finish(_ journal: Journal, _ place: Int) throws {
    let isOn = wanted.features.contains(where: \.isEnabled)
    if isOn { try session.pendingConnections.clear(access.id) }
    try access.expire()
    let after: Connection
    do { after = try access.read() } catch {
      var problem = Problem(error)
      problem.message = "IFTTT accepted the settings, but they could not be fetched: \(problem.message)"
      throw problem
    }
    try journal.note(place, .done, after: (after.userConnection ?? wanted).journaled)
    if let problem = Problem.notApplied(wanted, of: after) { throw problem }
    if !isOn, try session.pendingConnections.contains(access.id.description) {
      session.console.note(Hint(access.staysPending))
    }
  }
}

extension ConnectionAccess {
  var staysPending: String { "No feature is enabled, so connection '\(id)' stays pending." }
}

extension UserConnection {
  /// The text that the journal stores.
  var journaled: String { String(decoding: document, as: UTF8.self) }

  /// Nil if the text is not a configuration: a later version may store another form.
  init?(journaled text: String) {
    guard let json = try? JSONValue(parsing: Array(text.utf8)) else { return nil }
    try? self.init(document: json)
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
