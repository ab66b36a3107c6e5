import ActivationCommands
import Batch
import CommandContext
import HTTP
import PluginHost
import PluginProtocol
import Hints

/// A back end that holds connections: IFTTT's Connect API, or a provider plugin. The verbs know only this protocol.
///
/// Each method corresponds to a ``Capability``. What a method returns has no effect yet, so that a verb can print what
/// would happen instead of doing it.
protocol ConnectionProvider {
  /// Whether the provider has the capability.
  func can(_ capability: Capability) -> Bool
  /// The provider's part of `connections list`.
  func list(_ options: ConnectionsList.Options) throws -> any ConnectionList
  /// The connections that a selection stands for.
  func select(
    _ selection: ConnectionSelection, _ credentials: CredentialOptions
  ) throws -> BatchSelection<QualifiedConnectionID>
  /// The provider's part of `connections show`.
  func show(_ ids: [QualifiedConnectionID], _ options: ConnectionsShow.Options) throws -> any ConnectionFetch
  /// The provider's part of `connections enable` and `connections disable`.
  func change(_ selection: ConnectionSelection, _ change: EnableDisable) throws -> any ConnectionChange
  func activate(_ id: QualifiedConnectionID, _ options: ActivationOptions) throws -> Output
  func configure(_ id: QualifiedConnectionID, _ options: ConfigureOptions) throws -> Output
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
  /// Calls `body` with each row.
  func forEach(_ body: (UnsafeRawBufferPointer) throws -> Void) throws
  /// Notes or throws what is missing from the list.
  /// - Parameter isAlone: whether no other provider is listed.
  func judge(isAlone: Bool) throws
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

/// A provider's part of `connections enable` or `connections disable`.
protocol ConnectionChange {
  /// What would be sent, for `--dry-run`.
  func dryRun() throws -> Output
  /// Asks for the confirmations that the change needs.
  func prepared() throws -> PreparedChange
}

/// Changes that are confirmed and ready to be sent.
struct PreparedChange {
  var ids: [QualifiedConnectionID]
  var faults: [BatchSelection<QualifiedConnectionID>.Fault] = []
  /// Sends the changes, and reports the result of each.
  var send: (BatchRun<QualifiedConnectionID>.Report) throws -> Void
  /// Adds to an error how to continue after it.
  var advise: (any Error) -> any Error = { $0 }
}

extension [PreparedChange] {
  /// The output of one batch that sends all of the changes.
  func output(_ report: BatchReport?, in session: Session) -> Output {
    var batch = BatchRun(flatMap(\.ids), in: session)
    (batch.faults, batch.report, batch.isChange) = (flatMap(\.faults), report, true)
    if batch.ids.isEmpty, batch.faults.isEmpty {
      session.console.noteEmpty("No connection was selected; nothing to do.")
    }
    func advised(_ error: any Error) -> any Error { reduce(error) { $1.advise($0) } }
    var output = batch.output(as: .changes) { report in
      do { for change in self { try change.send(report) } } catch { throw advised(error) }
    }
    let verdict = output.verdict
    output.verdict = { do { try verdict() } catch { throw advised(error) } }
    return output
  }
}
