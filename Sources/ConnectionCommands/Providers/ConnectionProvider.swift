import HTTP
import IFTTT
import Output
import PluginProtocol
import Plugins
import Session
import Text

/// A back end that holds connections: IFTTT's Connect API, or a provider plugin. The verbs know only this protocol.
///
/// `list` and `show` only prepare: what they return fetches later, so that a verb can run several
/// providers in parallel or print a dry run. `activate` and `configure` act on one connection, at once.
protocol ConnectionProvider {
  /// Whether the provider has the capability.
  func can(_ capability: Capability) -> Bool
  /// The provider's part of `connections list`.
  func list(_ request: ListRequest) throws -> any ConnectionList
  /// The connections that a selection stands for.
  func select(
    _ selection: ConnectionSelection, _ credentials: CredentialOptions
  ) throws -> BatchSelection<QualifiedConnectionID>
  /// The provider's part of `connections show`.
  func show(_ ids: [QualifiedConnectionID], _ request: ShowRequest) throws -> any ConnectionFetch
  func activate(_ id: QualifiedConnectionID, _ options: ActivationOptions) throws -> Output
  func configure(_ id: QualifiedConnectionID, _ options: ConfigureOptions) throws -> Output
}

struct ListRequest {
  /// Only connections with one of these statuses; all connections if it is empty.
  var statuses: [Connection.Status]
  /// For IFTTT's connections.
  var credentials: CredentialOptions
  /// Whether everything is fetched, however fresh it is.
  var isRefresh: Bool
  /// The report of a refresh.
  var reports: [ReportFile] = []
  var maxAge: Duration
  /// Only the connections of this shard; all of them if it is nil.
  var shard: Shard?
}

struct ShowRequest {
  /// For IFTTT's connections.
  var credentials: CredentialOptions
  /// Whether IFTTT's connections are tracked from now on.
  var tracks: Bool
}

/// A provider's part of `connections list`.
protocol ConnectionList {
  /// Whether rows still have to be fetched.
  var isDue: Bool { get }
  /// The requests that a fetch would send, for `--dry-run`.
  var requests: [Request] { get throws }
  /// Schedules the fetch of the rows that are due, if there are any.
  /// - Parameter completion: called when all fetched rows are final.
  func fetch(in loop: FetchLoop, completion: @escaping () throws -> Void) throws
  /// Reduces the rows to these fields, if that is faster than printing a part of the whole rows.
  /// - Returns: whether the rows are reduced.
  func select(_ fields: [FieldPath]) -> Bool
  /// Calls `body` with each row.
  func forEach(_ body: (UnsafeRawBufferPointer) throws -> Void) throws
  /// Notes or throws what is missing from the list.
  /// - Parameter isAlone: whether no other provider is listed.
  func evaluate(isAlone: Bool) throws
}

extension ConnectionList {
  func select(_ fields: [FieldPath]) -> Bool { false }
}

/// A provider's part of `connections show`.
protocol ConnectionFetch {
  /// The requests that would be sent, for `--dry-run`.
  var requests: [Request] { get throws }
  /// Fetches one connection as the bytes that the provider sent.
  func raw() throws -> [UInt8]
  /// Schedules the fetch of all connections, and reports each row as soon as it is known.
  func fetch(in loop: FetchLoop, _ report: BatchRun<QualifiedConnectionID>.Report) throws
}
