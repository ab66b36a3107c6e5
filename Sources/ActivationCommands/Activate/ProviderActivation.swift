import API
import CommandContext
import PluginHost
import PluginProtocol
import Store

extension ProviderConnections {
  /// Activates a connection through its provider, with the same output as `connections activate`.
  func activate(_ id: String, of name: PluginName) throws -> Output {
    if session.options.isDryRun { return session.dryRun(change: "Would activate '\(name):\(id)'.") }
    let before = try status(of: id, name)
    let row = try set(.emptyObject, of: id, name, .activateConnection)
    return .one(
      ActivationRow(
        id: "\(name):\(row.id)", name: row.name, status: UserStatus(rawValue: row.status) ?? .unknown,
        previous: UserStatus(rawValue: before) ?? .unknown))
  }

  /// The status that the provider reports now; `unknown` if the provider cannot show single connections.
  private func status(of id: String, _ name: PluginName) throws -> String {
    let provider = try session.provider(name)
    guard provider.can(.showConnection) else { return "unknown" }
    let answer = try talk(provider).ask(.showConnection, ["id": Value(id)])
    return try session.row(answer["connection"] ?? .null, by: provider).status
  }
}
