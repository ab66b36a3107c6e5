package import HTTP
package import IFTTT
package import JSON
package import Session

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
  func checkCredentials(changesStatus: Bool, changesSettings: Bool) throws
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
  package func checkCredentials(changesStatus: Bool, changesSettings: Bool) throws {}
  package func willChange(_ subjects: [Subject]) throws {}
  package func willDisablePending(_ subject: Subject) throws {}
  package func didChange(_ subject: Subject, _ step: ChangeStep, from before: RecordedState) throws {}
  package func finish() throws {}
}

/// A request of a dry run.
package enum PlannedStep {
  case http(PlannedRequest)
  /// A request to a plugin.
  case plugin(method: String, params: JSONValue)
}
