import Session
import Text
package import World

/// The path and the contents of `ifttt-plugins.lock`.
package struct PluginsLockFile {
  private let world: World
  package let path: String
  /// Whether the path was set explicitly; the file is then required.
  private let isNamed: Bool

  package init(_ world: World) {
    self.world = world
    let named = world.environment[.pluginsLock].flatMap { $0.isEmpty ? nil : $0 }
    isNamed = named != nil
    path = named ?? (world.workingFolder == "." ? "" : world.workingFolder + "/") + PluginsLock.fileName
  }

  /// The lock; nil if absent.
  /// - Throws: `refused` if the file is unreadable, because its restrictions are then unknown.
  package func lock() throws -> PluginsLock? {
    guard isNamed || (try? world.files.facts(path)) != nil else { return nil }
    do {
      return try PluginsLock(parsing: world.files.readRegular(path, limit: PluginsLock.sizeLimit))
    } catch {
      throw Problem(
        .refused, "\(path) cannot be read", reason: String(describing: error),
        hint: isNamed
          ? "\(EnvironmentVariable.pluginsLock.name) names it." : "It lists the plugins that may be used here.")
    }
  }

  package func write(_ lock: PluginsLock) throws { try world.files.replace(path, with: lock.bytes, mode: 0o644) }
}
