import API
import Batch
import CommandContext
import HTTP
import Hints
import PluginHost
import PluginProtocol
import Store
import World

/// A plugin's part of `connections list`.
struct PluginConnectionList: ConnectionList {
  let list: ProviderList
  let statuses: [String]

  var isDue: Bool { list.isDue }
  /// A dry run starts no plugin, so its requests are unknown.
  var requests: [Request] { [] }

  func fetch(in loop: FetchLoop, completion: @escaping () throws -> Void) {
    if isDue { list.fetch(in: loop, completion: completion) }
  }

  func forEach(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    try list.forEach(statuses: statuses, body)
  }

  func evaluate(isAlone: Bool) throws { try list.evaluate(isAlone: isAlone) }
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

  func fetch(in loop: FetchLoop, _ report: BatchRun<QualifiedConnectionID>.Report) throws {
    for id in ids {
      switch Result(catching: { (try plugin(), try session.network.isCutOff ? cached(id) : nil) }) {
      case .success((_, let cached?)) where !cached.isExpired: try report(id, .done(cached.row))
      case .success((let provider, let cached)):
        loop.add(
          ProviderRequests.Request(provider: provider, id: id.id), starting: { report.starting(id) },
          finish: { try finish(id, $0, cached?.row, report) })
      case .failure(let error): try report(id, .failed(Problem(error)))
      }
    }
  }

  private func finish(
    _ id: QualifiedConnectionID, _ outcome: ProviderRequests.Outcome, _ cached: [UInt8]?,
    _ report: BatchRun<QualifiedConnectionID>.Report
  ) throws {
    switch outcome {
    case .success(let rows):
      let now = session.world.clock.now()
      try report(id, .done(ConnectionRow.complete(rows[0].document, tracked: true, stale: false, fetchedAt: now)))
    // A provider that needs the network fails with --offline.
    case .failure(let problem): try report(id, cached.map { .done($0) } ?? .failed(problem))
    }
  }

  private func cached(_ id: QualifiedConnectionID) throws -> (row: [UInt8], isExpired: Bool)? {
    guard let name = id.provider?.description,
      let list = try session.store.provided(by: name, profile: session.profile.name),
      let row = list.rows.first(where: { $0.id == id.id })
    else { return nil }
    let whole = ConnectionRow.complete(row.document, tracked: true, stale: true, fetchedAt: list.fetchedAt)
    return (whole, list.fetchedAt == .expired)
  }
}

/// A plugin's part of `connections enable` or `connections disable`. The journal is not used: it describes IFTTT's own
/// changes, while each plugin has its own.
struct PluginChange: ConnectionChange {
  let ids: [QualifiedConnectionID]
  let isAll: Bool
  let target: UserStatus
  let provider: PluginProvider

  private var session: Session { provider.session }

  func dryRun() throws -> Output {
    guard !ids.isEmpty else { return session.dryRun() }
    let names = ids.map { "'\($0)'" }.joined(separator: ", ")
    session.show(try ids.compactMap(planned))
    return session.dryRun(change: "Would \(target == .enabled ? "enable" : "disable") \(names).")
  }

  /// Returns the planned change; nil if the connection is unknown or already has the requested status. A dry run
  /// starts no plugin, so only the cached list is known.
  private func planned(_ id: QualifiedConnectionID) throws -> PlannedChange? {
    guard
      let row = try session.store.provided(by: provider.name.description, profile: session.profile.name)?.rows
        .first(where: { $0.id == id.id }),
      let status = UserStatus(rawValue: row.status), status != target
    else { return nil }
    return PlannedChange(id: id.description, name: row.name, before: status, after: target)
  }

  func prepared() throws -> PreparedChange {
    if isAll, !ids.isEmpty {
      let count = ids.count
      try session.console.confirm(
        "\(target == .enabled ? "Enable" : "Disable") \(count == 1 ? "the only connection" : "all \(count) connections") of this provider?"
      )
    }
    return PreparedChange(ids: ids, send: send)
  }

  private func send(_ report: BatchRun<QualifiedConnectionID>.Report) throws {
    for id in ids {
      guard !session.world.interruption.isInterrupted else { throw Problem.interrupted }
      report.starting(id)
      var row = ChangeRow(id: id, status: .unknown, previous: .unknown)
      do { (row.status, row.previous) = try provider.change(id, to: target) } catch {
        let problem = Problem(error).completed(with: session.suggestions)
        if problem.code == .interrupted { throw problem }
        row.problem = problem
      }
      try report(id, row.result)
    }
  }
}
