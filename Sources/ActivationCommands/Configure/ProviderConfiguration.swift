import CommandContext
import Connect
import Hints
import JSON
import PluginHost
import PluginProtocol

extension ProviderConnections {
  /// Sets fields of a connection through its provider, under the provider's own names, with the same output as
  /// `configure`. Only the provider knows what the fields mean and what their previous values were.
  func configure(_ id: String, of name: PluginName, _ options: Configure.Options) throws -> Output {
    let settings = options.settings
    guard !settings.isEmpty, options.file == nil, options.skips == nil,
      [options.added, options.enabled, options.disabled, options.removed].allSatisfy(\.isEmpty)
    else {
      throw Problem(
        .usage, "a provider's connection is configured with --set alone",
        hint: "Name the fields as provider '\(name)' does: --set FIELD=VALUE.")
    }
    if session.options.isDryRun {
      let fields = settings.map { "'\($0.name)'" }.joined(separator: ", ")
      return session.dryRun(change: "Would set \(fields) of '\(name):\(id)'.")
    }
    let values = Value(members: settings.map { (name: $0.name, value: Value($0.value)) })
    _ = try set(values, of: id, name, .configureConnection)
    return .rows(
      settings.map { ConfigurationRow(address: $0.name, value: .string($0.value), change: .changed) })
  }
}
