import Changes
import HTTP
import IFTTT
import JSON
import Output
import PluginProtocol
import Plugins
import Session
import Store
import Text
import World

/// The connections of a provider plugin.
final class PluginProvider: ConnectionProvider {
  let name: PluginName
  let session: Session
  private let plugin: () throws -> InstalledProvider
  private let client: ProviderClient

  init(_ plugin: InstalledProvider, in session: Session) {
    (name, self.session, self.plugin) = (plugin.name, session, { plugin })
    client = ProviderClient({ plugin }, in: session)
  }

  /// - Parameter name: the name of the plugin, which is located on first use.
  init(named name: PluginName, in session: Session) {
    (self.name, self.session, plugin) = (name, session, { try session.plugins.provider(name) })
    client = ProviderClient(plugin, in: session)
  }

  var canList: Bool { (try? plugin().can(.listConnections)) == true }

  func list(_ request: ListRequest) throws -> any ConnectionList {
    try ProviderList(of: plugin(), statuses: request.statuses.map(\.rawValue), maxAge: request.maxAge, in: session)
  }

  func show(_ ids: [QualifiedConnectionID], _ request: ShowRequest) -> any ConnectionFetch {
    PluginFetch(ids: ids, plugin: plugin, session: session)
  }

  // MARK: Selection

  /// - Parameters:
  ///   - selection: without `--stdin`, which ``ProviderGroups`` reads.
  ///   - credentials: for IFTTT's connections only.
  func select(
    _ selection: ConnectionSelection, _ credentials: CredentialOptions
  ) throws -> BatchSelection<QualifiedConnectionID> {
    guard selection.ids.isEmpty else {
      let ids = selection.ids.map { QualifiedConnectionID($0.description, provider: .plugin(name)) }.uniqued()
      return BatchSelection(ids: ids, isSingle: ids.count == 1)
    }
    let statuses = Set(selection.statuses.map(\.rawValue))
    return BatchSelection(
      ids: try currentRows().filter { statuses.isEmpty || statuses.contains($0.status) }
        .map { QualifiedConnectionID("\(name):\($0.id)", provider: .plugin(name)) })
  }

  private func currentRows() throws -> [ProvidedRow] {
    let list = try ProviderList(of: plugin(), maxAge: session.options.maxAge, in: session)
    if list.isDue, session.options.isDryRun {
      session.console.note(
        "A dry run starts no plugin: the connections of provider '\(name)' are those that were cached.")
    }
    try list.refresh()
    // Without the current status, connections cannot be matched.
    if let problem = list.problem { throw problem }
    return list.rows
  }

  // MARK: Changes

  /// Activates a connection, with the same output as an activation at IFTTT. The plugin ignores the options.
  func activate(_ id: QualifiedConnectionID, _ options: ActivationOptions) throws -> Output {
    if session.options.isDryRun { return session.dryRun(change: "Would activate '\(id)'.") }
    let before = try status(of: id)
    let row = try connection(in: client.request(.activateConnection, ["id": Value(id.id), "values": .emptyObject]))
    return .one(
      ActivationRow(
        id: "\(name):\(row.id)", name: row.name, status: UserStatus(rawValue: row.status) ?? .unknown, previous: before)
    )
  }

  /// The status that the plugin reports now; `unknown` if it cannot show single connections.
  private func status(of id: QualifiedConnectionID) throws -> UserStatus {
    guard try plugin().can(.showConnection) else { return .unknown }
    return UserStatus(rawValue: try connection(in: client.request(.showConnection, ["id": Value(id.id)])).status)
      ?? .unknown
  }

  private func connection(in result: Value) throws -> ProvidedRow {
    try plugin().row(result["connection"] ?? .null)
  }

  /// Sets fields of a connection under the plugin's own names, with the same output as at IFTTT. The meaning of
  /// the fields and their previous values are unknown to this program.
  func configure(_ id: QualifiedConnectionID, _ options: ConfigureOptions) throws -> Output {
    var settings = RunSettings()
    let request: SubjectChange.Request
    if options.resumes {
      let run = try BatchJournal(session: session).resumable()
      settings.resumed = run
      guard let remaining = try ConnectionChanges.request(of: run, for: id.description, in: session) else {
        return .rows([ConfigurationRow]())
      }
      request = remaining
    } else {
      request = SubjectChange.Request(Subject(id: id.id, provider: .plugin(name)), .values(try values(options)))
    }
    let provider = PluginSubjects(try plugin(), in: session)
    return try ChangeRun(ChangeSource([request]), at: ChangeProviders { _ in provider }, settings, in: session).output {
      guard case .values(let values) = request.target else { return .rows([ConfigurationRow]()) }
      return .rows(values.members.map { ConfigurationRow(address: $0.key, value: $0.value, change: .changed) })
    }
  }

  private func values(_ options: ConfigureOptions) throws -> JSONObject {
    let settings = options.settings
    guard !settings.isEmpty, options.file == nil, options.skipsConfiguration == nil,
      [options.added, options.enabled, options.disabled, options.removed].allSatisfy(\.isEmpty)
    else {
      throw Problem(
        .usage, "a provider's connection is configured only with --set",
        hint: "Use the field names of provider '\(name)': --set FIELD=VALUE.")
    }
    return JSONObject(members: settings.map { (key: $0.name, value: .string($0.value)) })
  }
}

/// A plugin's part of `connections show`.
struct PluginFetch: ConnectionFetch {
  let ids: [QualifiedConnectionID]
  let plugin: () throws -> InstalledProvider
  let session: Session

  /// A dry run starts no plugin, so its requests are unknown.
  var requests: [Request] { [] }

  func raw() throws -> [UInt8] {
    throw Problem(
      .usage, "--raw does not apply to connections of a provider", reason: "it prints IFTTT's own JSON",
      hint: "Run the command without --raw.")
  }

  func fetch(in loop: FetchLoop, _ report: BatchRun<QualifiedConnectionID>.ResultSink) throws {
    for id in ids {
      switch Result(catching: { (try plugin(), try session.network.isOffline ? cachedRow(of: id) : nil) }) {
      case .success((_, let cached?)) where !cached.isExpired: try report(id, .done(cached.row))
      case .success((let provider, let cached)):
        loop.add(
          provider, id: id.id, starting: { report.starting(id) },
          finish: { try finish(id, $0, cached?.row, report) })
      case .failure(let error): try report(id, .failed(Problem.from(error)))
      }
    }
  }

  private func finish(
    _ id: QualifiedConnectionID, _ outcome: FetchLoop.Outcome, _ cached: [UInt8]?,
    _ report: BatchRun<QualifiedConnectionID>.ResultSink
  ) throws {
    switch outcome {
    case .success(let rows):
      let now = session.world.clock.now()
      try report(id, .done(ConnectionRow.complete(rows[0].document, tracked: true, stale: false, fetchedAt: now)))
    // A provider that needs the network fails with --offline.
    case .failure(let problem): try report(id, cached.map { .done($0) } ?? .failed(problem))
    }
  }

  private func cachedRow(of id: QualifiedConnectionID) throws -> (row: [UInt8], isExpired: Bool)? {
    guard let name = id.provider?.description,
      let list = try ProviderCache(session.store, profile: session.profile.name).lists(of: name).first,
      let row = list.rows.first(where: { $0.id == id.id })
    else { return nil }
    let completeRow = ConnectionRow.complete(row.document, tracked: true, stale: true, fetchedAt: list.fetchedAt)
    return (completeRow, list.fetchedAt == .expired)
  }
}

extension ProviderList: ConnectionList {
  /// A dry run starts no plugin, so its requests are unknown.
  var requests: [Request] { [] }
}
