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

  /// As its provider names it.
  package let id: String
  package let provider: Provider
  /// Nil for the profile's own user.
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

  /// Such as `connection 'a1B2c3D4'`.
  package var noun: String { "\(provider == .applets ? "Applet" : "connection") '\(name)'" }

  /// The noun with its user.
  var fullNoun: String { userID.map { "\(noun) of user '\($0)'" } ?? noun }

  package var connectionID: ConnectionID? { ConnectionID(parsing: id) }
}

extension Subject: CustomStringConvertible {
  package var description: String { name }
}

extension Subject {
  /// The provider as the journal has it.
  var journaledProvider: String? {
    switch provider {
    case .connect: nil
    case .applets: JournalItem.applets
    case .plugin(let name): name.description
    }
  }

  /// Nil if the provider's name is not one.
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

/// The states of an item, whichever version recorded it.
///
/// Until schema 12, the action said what the states mean: a status for `enable` and `disable`, a configuration for
/// `configure`, and both for `apply`. The state after the run of an unfinished item was its target.
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
  /// Whether the same change may succeed later, so that a resumed run tries it again.
  var isRetryable: Bool {
    switch code.exit {
    case .unavailable, .credentials, .interrupted: true
    default: false
    }
  }
}

/// What a provider supplies to a change: it reads a subject, sends a step, and knows what it can do.
///
/// Each method returns the next request of a chain. Without an HTTP request, it calls `then` at once.
package protocol SubjectProvider: AnyObject {
  /// Whether a subject that was disabled can be enabled again.
  var canEnable: Bool { get }
  /// Reads a subject.
  /// - Parameter isFresh: whether a cached state is not good enough.
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
  /// Checks, before anything is sent, that the credentials are those for the changes.
  /// - Parameter userID: the user of a plan; nil for the profile's own user, or for the plans of all users.
  func checkCredentials(of userID: String?, changesStatus: Bool, changesSettings: Bool) throws
  /// Subjects are about to change, so their cached states are outdated.
  func willChange(_ subjects: [Subject]) throws
  /// A pending connection is about to be disabled, which does not show afterwards that it cannot be enabled again.
  func willDisablePending(_ subject: Subject) throws
  /// A step was accepted, or had its effect.
  func didChange(_ subject: Subject, _ step: ChangeStep, from before: RecordedState) throws
  /// Writes what is not written yet, at the end of a part of a run.
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
  /// Why the credentials are not those for all steps of a plan; nil if they are.
  func credentialProblem(of plan: ConnectionPlan, _ subject: Subject) -> Problem? {
    do {
      try checkCredentials(
        of: subject.userID, changesStatus: plan.change != nil, changesSettings: plan.changesSettings)
      return nil
    } catch { return Problem.from(error) }
  }
}

/// A request of a dry run.
package enum PlannedStep {
  case http(PlannedRequest)
  /// A request to a plugin.
  case plugin(method: String, params: JSONValue)
}

/// The providers of a run's subjects, each made when it is first needed.
package final class ChangeProviders {
  private let make: (Subject.Provider) throws -> any SubjectProvider
  private var made: [Subject.Provider: any SubjectProvider] = [:]

  package init(make: @escaping (Subject.Provider) throws -> any SubjectProvider) { self.make = make }

  package subscript(_ provider: Subject.Provider) -> any SubjectProvider {
    get throws {
      if let known = made[provider] { return known }
      let new = try make(provider)
      made[provider] = new
      return new
    }
  }

  /// - Throws: `credentials_missing` if the credentials are not those for all changes.
  func checkCredentials(for preview: ChangePreview) throws {
    for provider in made.values {
      try provider.checkCredentials(
        of: nil, changesStatus: preview.changesStatus, changesSettings: preview.changesSettings)
    }
  }

  func finish() throws { for provider in made.values { try provider.finish() } }
}
