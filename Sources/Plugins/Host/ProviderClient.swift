package import PluginProtocol
package import Session

/// Requests to a provider plugin. They share one process, which starts with the first of them, and again after it has
/// died.
package final class ProviderClient {
  private let plugin: () throws -> InstalledProvider
  private let session: Session
  private var running: ProviderSession?

  /// - Parameter plugin: finds the plugin, on first use.
  package init(_ plugin: @escaping () throws -> InstalledProvider, in session: Session) {
    (self.plugin, self.session) = (plugin, session)
  }

  deinit { running?.close() }

  /// Whether the last request left the process alive. A process that died may have changed something.
  package var isRunning: Bool { running != nil }

  /// Sends a request. Any but that for one connection may change the list of connections, whose cache then expires.
  package func request(_ capability: Capability, _ params: Value) throws -> Value {
    let provider = try running ?? ProviderSession(with: plugin(), in: session)
    running = provider
    do {
      let result = try provider.ask(capability, params)
      if capability != .showConnection { try provider.expireList() }
      return result
    } catch {
      if !provider.isAlive {
        provider.close()
        running = nil
      }
      throw error
    }
  }
}
