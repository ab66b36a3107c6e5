import Plugins

/// A lock file of plugins permits exactly the versions and checksums that it pins, and is the same when it is written
/// and read again.
enum LockProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    guard let lock = try? PluginsLock(parsing: bytes) else { return nil }
    guard let again = try? PluginsLock(parsing: lock.bytes) else { return "a lock that cannot be read again" }
    guard again == lock, again.bytes == lock.bytes else { return "a lock that changes" }
    for (name, pin) in lock.pins {
      guard lock.problem(of: name, version: pin.version, sha256: pin.sha256) == nil else {
        return "a pin that forbids itself"
      }
      let other = String(pin.sha256.reversed())
      guard other == pin.sha256 || lock.problem(of: name, version: pin.version, sha256: other) != nil else {
        return "another checksum is permitted"
      }
      guard lock.problem(of: name, version: pin.version + "1", sha256: pin.sha256) != nil else {
        return "another version is permitted"
      }
    }
    return lock.problem(of: "not-in-it", version: "1", sha256: "") == nil ? "an unknown plugin is permitted" : nil
  }
}
