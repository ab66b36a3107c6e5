import API
import Batch
import CommandContext
import Hints
import PluginHost
import PluginProtocol
import Store
import World

/// A plugin's part of `connections enable` or `connections disable`. The journal is not used: it describes IFTTT's own
/// changes, while each plugin has its own.
struct ProvidedChange: ConnectionChange {
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
