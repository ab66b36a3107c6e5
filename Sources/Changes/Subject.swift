package import IFTTT
package import PluginProtocol

/// One connection or Applet of one user at one provider.
package struct Subject: Sendable, Hashable {
  package enum Provider: Sendable, Hashable {
    case connect
    case applets
    case plugin(PluginName)
  }

  /// As its provider names it.
  package let id: String
  package let provider: Provider
  /// Nil for the profile's own user.
  package let userID: String?

  package init(id: String, provider: Provider = .connect, userID: String? = nil) {
    (self.id, self.provider, self.userID) = (id, provider, userID)
  }

  /// The id in rows and errors: `lamps:l1` for a connection of a plugin.
  package var name: String {
    if case .plugin(let plugin) = provider { "\(plugin):\(id)" } else { id }
  }

  /// The id with its user.
  var fullName: String { userID.map { "\(name) of user '\($0)'" } ?? name }

  /// The name of the provider plugin; nil for IFTTT.
  package var plugin: String? { if case .plugin(let name) = provider { name.description } else { nil } }

  /// Such as `connection 'a1B2c3D4'`.
  package var noun: String { "\(provider == .applets ? "Applet" : "connection") '\(name)'" }

  package var connectionID: ConnectionID? { ConnectionID(parsing: id) }
}

extension Subject: CustomStringConvertible {
  package var description: String { name }
}
