import CommandContext
import JSON
import PluginHost
import PluginProtocol
import Store

extension ProviderConnections {
  /// Activates a connection through its provider, with the same output as `connections activate`.
  func activate(_ id: String, of name: PluginName) throws -> Output {
    if session.options.isDryRun { return session.dryRun(change: "Would activate '\(name):\(id)'.") }
    let before = try status(of: id, name)
    let row = try set(.emptyObject, of: id, name, .activateConnection)
    let result: JSONValue = [
      "id": JSONValue("\(name):\(row.id)"), "name": JSONValue(row.name), "status": JSONValue(row.status),
      "previous_status": JSONValue(before), "pending": false, "token_saved": false, "user_login": nil, "url_kind": nil,
    ]
    return .one(result.bytes, as: .activation)
  }

  /// The status that the provider reports now; `unknown` if the provider cannot show single connections.
  private func status(of id: String, _ name: PluginName) throws -> String {
    let provider = try session.provider(name)
    guard provider.can(.showConnection) else { return "unknown" }
    let answer = try talk(provider).ask(.showConnection, ["id": Value(id)])
    return try session.row(answer["connection"] ?? .null, by: provider).status
  }
}
