import PluginProtocol
import Text
import World

/// Named locks between processes: files in the state folder, which the system releases when this process exits.
final class PluginLocks {
  private let plugin: PluginName
  private let profile: String
  private let world: World
  private var held: [String: any FileLock] = [:]

  package init(of plugin: PluginName, profile: String, in world: World) {
    (self.plugin, self.profile, self.world) = (plugin, profile, world)
  }

  /// - Returns: false while another process holds the lock.
  func acquire(_ name: String) throws -> Bool {
    guard held[name] == nil else { throw PluginError("conflict", "this plugin already holds the lock '\(name)'") }
    guard held.count < 64 else { throw PluginError("refused", "a plugin cannot hold more than 64 locks") }
    guard let directories = AppDirectories(environment: world.environment) else {
      throw PluginError("store_unreadable", "there is no folder for locks")
    }
    let folder = "\(directories.state)/plugin-locks"
    try world.files.makeFolder(folder)
    // A plugin chooses the name, which may contain any characters; use its hash in the file name.
    let fingerprint = SHA256.hash(Array("\(profile)\0\(name)".utf8)).prefix(16)
      .map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
    guard let lock = try world.files.lock("\(folder)/\(plugin)-\(fingerprint)") else { return false }
    held[name] = lock
    return true
  }

  func release(_ name: String) throws(PluginError) {
    guard let lock = held.removeValue(forKey: name) else {
      throw .invalidParameters("the lock '\(name)' is not held")
    }
    lock.release()
  }

  func releaseAll() {
    for lock in held.values { lock.release() }
    held = [:]
  }
}
