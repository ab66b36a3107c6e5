import API
import Connect
import DesiredState
import CommandContext
import HTTP

/// The run that a change of state is part of: it plans, journals and reports.
protocol StateChangeRun {
  func plan(
    _ target: TargetState, _ present: Connection, _ options: [ConfigurationStep: FieldOptions]
  ) throws -> ConnectionPlan
  /// Why a connection cannot get its target; nil if it can.
  func problem(of plan: ConnectionPlan) throws -> Problem?
  /// A plan is about to be executed.
  func willChange(_ plan: ConnectionPlan) throws
  /// A request that changes the connection is about to be sent, and must be journaled first.
  func willSend(_ id: ConnectionID) throws
  /// Corrects the state before the run, which the next request must not overtake.
  func correct(_ id: ConnectionID, before: RecordedState) throws
  func willDisable(_ connection: Connection) throws
  /// A change of status took effect.
  func accepted(_ change: ConnectClient.Change, _ plan: ConnectionPlan) throws
  /// IFTTT accepted a configuration.
  func accepted(_ configuration: UserConnection, of id: ConnectionID) throws
  /// Reports the result.
  /// - Returns: the end of the chain.
  func end(_ result: StateChangeResult) throws -> RequestChain
}

/// How the change of a connection ended.
struct StateChangeResult {
  var id: ConnectionID
  /// The status before the run; unknown if the connection could not be read.
  var before = UserStatus.unknown
  /// The connection as last fetched after a change.
  var latest: FetchedConnection?
  /// Whether IFTTT accepted a change.
  var isChanged = false
  /// Whether the connection certainly has its state before the run, although a request was sent.
  var isUnchanged = false
  var problem: Problem?

  /// The status after the run.
  var status: UserStatus { latest?.connection.status ?? (problem == nil ? before : .unknown) }
}
