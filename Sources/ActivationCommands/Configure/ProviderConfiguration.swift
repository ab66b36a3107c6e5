import CommandContext
import Hints
import JSON
import PluginHost
import PluginProtocol

extension ProviderConnections {
  /// Sets fields of a connection through its provider, under the provider's own names, with the same output as
  /// `configure`. Only the provider has the meaning and the previous values of the fields.
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
    let rows = settings.map { setting -> [UInt8] in
      let row: JSONValue = [
        "field": JSONValue(setting.name), "label": nil, "type": nil, "required": false, "hidden": false,
        "value": JSONValue(setting.value), "shown": JSONValue(setting.value), "previous_value": nil,
        "change": "changed",
      ]
      return row.bytes
    }
    return .rows(rows, as: .configuration)
  }
}
