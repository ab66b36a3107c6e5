import API
import Display
import Hints
import JSON
import PluginProtocol
import Store
import World

/// Shows and changes connections of providers that are named by their ids.
struct ProvidedConnections {
  let session: Session
  private let talks = Talks()

  /// One process a provider, however many of its connections are asked about.
  private final class Talks {
    var open: [PluginName: ProviderTalk] = [:]
    deinit { for talk in open.values { talk.close() } }
  }

  init(in session: Session) { self.session = session }

  /// The row of `connections show`.
  func show(_ id: String, of name: PluginName) throws -> [UInt8] {
    let provider = try session.provider(name)
    let cached = try session.isCutOff ? remembered(id, of: name) : nil
    if let cached, !cached.isExpired { return cached.row }
    do { return try fetched(id, by: provider) } catch {
      // A provider that needs the network fails here.
      guard let cached else { throw error }
      return cached.row
    }
  }

  private func fetched(_ id: String, by provider: InstalledProvider) throws -> [UInt8] {
    let name = provider.name
    let row: ProvidedRow
    if provider.can(.showConnection) {
      let answer = try talk(provider, isAttended: false).ask(.showConnection, ["id": Value(id)])
      row = try session.row(answer["connection"] ?? .null, by: provider)
      guard row.id == id else {
        throw Problem(
          .pluginFailed, "plugin '\(name)' failed", reason: "it was asked for '\(id)' and answered with '\(row.id)'")
      }
    } else {
      row = try listed(id, by: provider)
    }
    return ConnectionRow.complete(row.document, tracked: true, stale: false, fetchedAt: session.world.clock.now())
  }

  /// Of a provider that only lists.
  private func listed(_ id: String, by provider: InstalledProvider) throws -> ProvidedRow {
    var found: ProvidedRow?
    _ = try talk(provider, isAttended: false).ask(.listConnections, ["status": nil]) { item in
      if item["id"]?.string == id { found = try session.row(item, by: provider) }
    }
    guard let found else { throw Problem(.notFound, "provider '\(provider.name)' has no connection '\(id)'") }
    return found
  }

  private func remembered(_ id: String, of name: PluginName) throws -> (row: [UInt8], isExpired: Bool)? {
    guard let list = try session.store.provided(by: name.description, profile: session.profile.name),
      let row = list.rows.first(where: { $0.id == id })
    else { return nil }
    let whole = ConnectionRow.complete(row.document, tracked: true, stale: true, fetchedAt: list.fetchedAt)
    return (whole, list.fetchedAt == .expired)
  }

  /// What became of enabling or disabling one.
  func change(_ id: String, of name: PluginName, to aim: UserStatus) throws -> (
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
          .pluginFailed, "plugin '\(name)' failed", reason: "its answer has no '\(member)'",
          hint: "See what is true with \(ifttt: "connections show \(name):\(id)").")
      }
      return status
    }
    return (try status("status"), try status("previous_status"))
  }

  /// Activates or configures one, and gives its row.
  func set(_ values: Value, of id: String, _ name: PluginName, _ capability: Capability) throws -> ProvidedRow {
    let provider = try session.provider(name)
    let talk = try talk(provider)
    let answer = try talk.ask(capability, ["id": Value(id), "values": values])
    try talk.expireList()
    return try session.row(answer["connection"] ?? .null, by: provider)
  }

  /// - Parameter isAttended: whether requests may follow that need a person.
  func talk(_ provider: InstalledProvider, isAttended: Bool = true) throws -> ProviderTalk {
    if let talk = talks.open[provider.name] { return talk }
    let talk = try ProviderTalk(with: provider, isAttended: isAttended, in: session)
    talks.open[provider.name] = talk
    return talk
  }
}
