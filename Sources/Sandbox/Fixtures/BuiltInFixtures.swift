import World

/// The services, connections and Applets of a built-in seed: those of the catalog, with the seed's own texts.
///
/// Unchecked: all mutable state is guarded by `lock`.
final class BuiltInFixtures: @unchecked Sendable {
  static let plain = BuiltInFixtures(.plain)
  static let unusual = BuiltInFixtures(.unchanged)

  let services: [SandboxFixtures.Service]
  private let texts: FixtureTexts
  private var connections: [String: SeededConnection] = [:]
  private var applets: [String: [SeededApplet]] = [:]
  private let lock = Mutex()

  private init(_ texts: FixtureTexts) {
    self.texts = texts
    services = SandboxFixtures.Service.all.map(texts.service)
  }

  /// The connection, which is built on first use.
  func connection(_ id: String) -> SeededConnection? {
    lock.withLock {
      if let built = connections[id] { return built }
      guard let connection = SandboxFixtures.connection(id) else { return nil }
      let built = SeededConnection(texts.connection(connection))
      connections[id] = built
      return built
    }
  }

  var allConnections: [SeededConnection] { SandboxFixtures.allConnectionIDs.compactMap(connection) }

  /// The service's Applets, which are built on first use; nil if there is no such partner.
  func applets(of service: String) -> [SeededApplet]? {
    lock.withLock {
      if let built = applets[service] { return built }
      let built = SandboxFixtures.applets(of: service)?.map { SeededApplet(texts.applet($0)) }
      applets[service] = built
      return built
    }
  }
}
