import PluginProtocol
import Secrets
import World

/// Locks that hold across processes, by name: files in the state folder, which the system frees when this process ends.
final class PluginLocks {
  private let plugin: PluginName
  private let profile: String
  private let world: World
  private var held: [String: any HeldLock] = [:]

  init(of plugin: PluginName, profile: String, in world: World) {
    (self.plugin, self.profile, self.world) = (plugin, profile, world)
  }

  /// - Throws: ``PluginError`` with `conflict` once the time is up.
  func acquire(_ name: String, atMost limit: Duration) throws {
    guard held[name] == nil else { throw PluginError("conflict", "the lock '\(name)' is held already, by this plugin") }
    guard held.count < 64 else { throw PluginError("refused", "more than 64 locks are held") }
    guard let places = Places(environment: world.environment) else {
      throw PluginError("store_unreadable", "there is no folder for locks")
    }
    let folder = "\(places.state)/plugin-locks"
    try world.files.makeFolder(folder)
    // A name is the plugin's own and may hold anything.
    let fingerprint = SHA256.hash(Array("\(profile)\0\(name)".utf8)).prefix(16)
      .map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
    let path = "\(folder)/\(plugin)-\(fingerprint)"
    let end = world.clock.monotonic() + limit
    var pause = Duration.milliseconds(5)
    while true {
      if let lock = try world.files.lock(path) {
        held[name] = lock
        return
      }
      let left = end - world.clock.monotonic()
      guard !world.interruption.isInterrupted else { throw Problem.interrupted }
      guard left > .zero else {
        throw PluginError("conflict", "the lock '\(name)' was not to be had", reason: "another process holds it")
      }
      world.clock.sleep(for: min(pause, left))
      pause = min(pause * 2, .milliseconds(100))
    }
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
