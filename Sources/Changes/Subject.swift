package import HTTP
package import IFTTT
package import JSON
package import PluginProtocol
package import Session
package import Store

/// One connection or Applet of one user at one provider.
package struct Subject: Sendable, Hashable {
  package enum Provider: Sendable, Hashable {
    case connect
    case applets
    case plugin(PluginName)
  }

  /// The id that the provider uses.
  package let id: String
  package let provider: Provider
  /// The user's id on the service; nil for the profile's own user.
  package let userID: String?

  package init(id: String, provider: Provider = .connect, userID: String? = nil) {
    (self.id, self.provider, self.userID) = (id, provider, userID)
  }

  /// The id in rows and errors: `lamps:l1` for a connection of a plugin.
  package var name: String {
    if case .plugin(let plugin) = provider { "\(plugin):\(id)" } else { id }
  }

  /// The id with its user.
  var fullName: String { userID.map { "\(name) of user '\($0)'" } ?? name }

  /// The name of the provider plugin; nil for IFTTT.
  package var plugin: String? { if case .plugin(let name) = provider { name.description } else { nil } }

  /// The subject in a sentence, such as `connection 'a1B2c3D4'`.
  package var noun: String { "\(provider == .applets ? "Applet" : "connection") '\(name)'" }

  /// The noun with its user.
  var fullNoun: String { userID.map { "\(noun) of user '\($0)'" } ?? noun }

  package var connectionID: ConnectionID? { ConnectionID(parsing: id) }
}

extension Subject: CustomStringConvertible {
  package var description: String { name }
}

extension Subject {
  /// The provider as the journal records it; nil for IFTTT's connections.
  var journaledProvider: String? {
    switch provider {
    case .connect: nil
    case .applets: JournalItem.applets
    case .plugin(let name): name.description
    }
  }

  /// Creates the subject of an item; nil if its provider is not a valid plugin name.
  package init?(_ item: JournalItem) {
    let provider: Provider
    switch item.provider {
    case nil: provider = .connect
    case JournalItem.applets?: provider = .applets
    case let name?:
      guard let name = PluginName(parsing: name) else { return nil }
      provider = .plugin(name)
    }
    self.init(id: item.id, provider: provider, userID: item.userID)
  }
}

/// The states of an item, for items of every version of the journal.
///
/// Until schema 12, the action determined the meaning of the states: a status for `enable` and `disable`, a
/// configuration for `configure`, and both for `apply`. The state after the run of an unfinished item was its target.
extension JournalItem {
  /// The state before the run; nil if it was not read.
  package var recordedBefore: RecordedState? { state(before) }

  /// The state that was read after the change; nil if it is unknown.
  package var recordedAfter: RecordedState? { action == Self.change || !isUnfinished ? state(after) : nil }

  package var recordedTarget: TargetState? {
    switch action {
    case Self.change: target.flatMap(Self.json).flatMap { TargetState($0, at: "connection '\(id)'") }
    case "enable": .status(.enabled)
    case "disable": .status(.disabled)
    case Self.apply: after.flatMap(Self.json).flatMap { TargetState($0, at: "connection '\(id)'") }
    default: state(after).map(TargetState.state)
    }
  }

  private func state(_ text: String?) -> RecordedState? {
    guard let text else { return nil }
    switch action {
    case "enable", "disable": return UserStatus(rawValue: text).map { RecordedState(status: $0, configuration: nil) }
    case Self.configure:
      return Self.json(text).flatMap { RecordedState(["status": "unknown", "configuration": $0]) }
    default: return Self.json(text).flatMap(RecordedState.init)
    }
  }

  private static func json(_ text: String) -> JSONValue? { try? JSONValue(parsing: Array(text.utf8)) }
}

extension Problem {
  /// Whether the same change may succeed later, so that a resumed run retries it.
  var isRetryable: Bool {
    switch code.exit {
    case .unavailable, .credentials, .interrupted: true
    default: false
    }
  }
}

/// A provider of subjects, which reads them and sends the steps of their changes.
///
/// Each method with a `then` returns the next request of a chain. If it needs no HTTP request, it calls `then` at once.
package protocol SubjectProvider: AnyObject {
  /// Whether a subject that was disabled can be enabled again.
  var canEnable: Bool { get }
  /// Reads a subject.
  /// - Parameter isFresh: whether to fetch the subject even if the cache has a fresh state.
  func read(
    _ subject: Subject, isFresh: Bool, then: @escaping (Result<SubjectState, Problem>) throws -> RequestChain
  ) throws -> RequestChain
  func readOptions(
    _ step: ConfigurationStep, of subject: Subject,
    then: @escaping (Result<FieldOptions, Problem>) throws -> RequestChain
  ) throws -> RequestChain
  /// Sends a step, and calls `then` with ``SubjectChange/Event/accepted(_:)`` or
  /// ``SubjectChange/Event/failed(_:isUnchanged:)``.
  /// - Parameter starting: called just before the request is sent. An error ends the run.
  func send(
    _ step: ChangeStep, to subject: Subject, starting: @escaping () throws -> Void,
    then: @escaping (SubjectChange.Event) throws -> RequestChain
  ) throws -> RequestChain
  /// The requests that a dry run prints.
  func requests(_ steps: [ChangeStep], of subject: Subject) throws -> [PlannedStep]
  /// Checks, before anything is sent, that no credential for the changes is missing.
  /// - Parameter userID: the user of a plan; nil for the profile's own user, or for the plans of all users.
  func checkCredentials(of userID: String?, changesStatus: Bool, changesSettings: Bool) throws
  /// Called before subjects change: their cached states become stale.
  func willChange(_ subjects: [Subject]) throws
  /// Called before a pending connection is disabled. Afterwards its state does not show that it cannot be enabled
  /// again.
  func willDisablePending(_ subject: Subject) throws
  /// Called after a step had its effect.
  func didChange(_ subject: Subject, _ step: ChangeStep, from before: RecordedState) throws
  /// Writes fetched states that are not written yet. Called after reading and at the end of a run.
  func finish() throws
}

extension SubjectProvider {
  package func readOptions(
    _ step: ConfigurationStep, of subject: Subject,
    then: @escaping (Result<FieldOptions, Problem>) throws -> RequestChain
  ) throws -> RequestChain { .end }
  package func checkCredentials(of userID: String?, changesStatus: Bool, changesSettings: Bool) throws {}
  package func willChange(_ subjects: [Subject]) throws {}
  package func willDisablePending(_ subject: Subject) throws {}
  package func didChange(_ subject: Subject, _ step: ChangeStep, from before: RecordedState) throws {}
  package func finish() throws {}
}

extension SubjectProvider {
  /// The problem if a credential for a step of a plan is missing; nil if all are present.
  func credentialProblem(of plan: ConnectionPlan, _ subject: Subject) -> Problem? {
    do {
      try checkCredentials(
        of: subject.userID, changesStatus: plan.change != nil, changesSettings: plan.changesSettings)
      return nil
    } catch { return Problem.from(error) }
  }
}

/// A request that a dry run prints.
package enum PlannedStep {
  case http(PlannedRequest)
  /// A request to a plugin.
  case plugin(method: String, params: JSONValue)
}

/// The providers of a run's subjects, each created on first use.
package final class ChangeProviders {
  private let make: (Subject.Provider) throws -> any SubjectProvider
  private var providers: [Subject.Provider: any SubjectProvider] = [:]

  package init(make: @escaping (Subject.Provider) throws -> any SubjectProvider) { self.make = make }

  package subscript(_ provider: Subject.Provider) -> any SubjectProvider {
    get throws {
      if let known = providers[provider] { return known }
      let new = try make(provider)
      providers[provider] = new
      return new
    }
  }

  /// - Throws: `credentials_missing` if a credential for the changes is missing.
  func checkCredentials(for preview: ChangePreview) throws {
    for provider in providers.values {
      try provider.checkCredentials(
        of: nil, changesStatus: preview.changesStatus, changesSettings: preview.changesSettings)
    }
  }

  func finish() throws { for provider in providers.values { try provider.finish() } }
}
