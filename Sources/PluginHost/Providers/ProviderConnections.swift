package import API
import Batch
package import CommandContext
import Display
import Hints
import JSON
package import PluginProtocol
package import Store
import World

/// Shows and changes providers' connections by id.
package struct ProviderConnections {
  package let session: Session
  private let talks = Talks()

  /// One process per provider, however many of its connections are requested.
  private final class Talks {
    package var open: [PluginName: ProviderSession] = [:]
    deinit { for talk in open.values { talk.close() } }
  }

  package init(in session: Session) { self.session = session }

  /// Fetches the rows of `connections show`, in parallel for several providers. IFTTT's ids are skipped.
  /// - Parameters:
  ///   - starting: called with each id just before its request is sent.
  ///   - other: sends requests to IFTTT at the same time, as in ``ProviderRequests/run(alongside:each:)``.
  ///   - each: called with each row as soon as it is known.
  package func show(
    _ ids: [QualifiedConnectionID], starting: @escaping (QualifiedConnectionID) -> Void,
    alongside other: (_ meanwhile: () throws -> Duration?) throws -> Void,
    each: (QualifiedConnectionID, Result<[UInt8], Problem>) throws -> Void
  ) throws {
    var due: [(id: QualifiedConnectionID, cached: [UInt8]?, request: ProviderRequests.Request)] = []
    for id in ids {
      guard let name = id.provider else { continue }
      let found = Result { (try session.provider(name), try session.isCutOff ? remembered(id.id, of: name) : nil) }
      switch found {
      case .success((_, let cached?)) where !cached.isExpired: try each(id, .success(cached.row))
      case .success((let provider, let cached)):
        due.append((id, cached?.row, ProviderRequests.Request(provider: provider, id: id.id)))
      case .failure(let error): try each(id, .failure(Problem(error)))
      }
    }
    let requests = ProviderRequests(due.map(\.request), starting: { starting(due[$0].id) }, in: session)
    try requests.run(alongside: other) { place, outcome in
      let (id, cached, _) = due[place]
      let now = session.world.clock.now()
      let row = outcome.map { ConnectionRow.complete($0[0].document, tracked: true, stale: false, fetchedAt: now) }
      // A provider that needs the network fails with --offline.
      if case .failure = row, let cached { try each(id, .success(cached)) } else { try each(id, row) }
    }
  }

  private func remembered(_ id: String, of name: PluginName) throws -> (row: [UInt8], isExpired: Bool)? {
    guard let list = try session.store.provided(by: name.description, profile: session.profile.name),
      let row = list.rows.first(where: { $0.id == id })
    else { return nil }
    let whole = ConnectionRow.complete(row.document, tracked: true, stale: true, fetchedAt: list.fetchedAt)
    return (whole, list.fetchedAt == .expired)
  }

  /// The result of enabling or disabling a connection.
  package func change(_ id: String, of name: PluginName, to aim: UserStatus) throws -> (
    status: UserStatus, previous: UserStatus
  ) {
    let provider = try session.provider(name)
    let talk = try talk(provider)
    let answer = try talk.ask(
      aim == .enabled ? .enableConnection : .disableConnection, ["id": Value(id), "options": .emptyObject])
    try talk.expireList()
    func status(_ member: String) throws -> UserStatus {
      guard let status = answer[member]?.string.flatMap(UserStatus.init(rawValue:)) else {
        throw Problem(
          .pluginFailed, "plugin '\(name)' failed", reason: "its response has no '\(member)'",
          hint: "Check its status with \(ifttt: "connections show \(name):\(id)").")
      }
      return status
    }
    return (try status("status"), try status("previous_status"))
  }

  /// Activates or configures a connection, and returns its row.
  package func set(_ values: Value, of id: String, _ name: PluginName, _ capability: Capability) throws -> ProvidedRow {
    let provider = try session.provider(name)
    let talk = try talk(provider)
    let answer = try talk.ask(capability, ["id": Value(id), "values": values])
    try talk.expireList()
    return try session.row(answer["connection"] ?? .null, by: provider)
  }

  package func talk(_ provider: InstalledProvider) throws -> ProviderSession {
    if let talk = talks.open[provider.name] { return talk }
    let talk = try ProviderSession(with: provider, in: session)
    talks.open[provider.name] = talk
    return talk
  }
}
