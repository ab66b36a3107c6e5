import HTTP
import Plugins

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
