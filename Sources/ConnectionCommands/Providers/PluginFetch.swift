import HTTP
import PluginProtocol
import Plugins
import Session
import Store
import Text
import World

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
