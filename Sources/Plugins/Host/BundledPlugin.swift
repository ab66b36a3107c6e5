import Text
import World

extension PluginRegistry {
  /// The pin of a bundled plugin, in the lock file that was written when the program was built; nil if there is none.
  /// The file needs no more protection than the program itself: a user who can replace one can replace the other.
  package func bundledPin(of plugin: Plugin) -> PluginsLock.Pin? {
    guard plugin.isBundled, let path = catalog.folders.bundledLock,
      let bytes = try? world.files.readRegular(path, limit: PluginsLock.sizeLimit)
    else { return nil }
    return try? PluginsLock(parsing: bytes).pins[plugin.name]
  }

  /// Compares a bundled plugin that was read completely with its pin.
  func compared(_ verdict: PluginVerdict, of plugin: Plugin) -> PluginVerdict {
    guard verdict.status == .bundled, let sha256 = verdict.sha256, let pin = bundledPin(of: plugin),
      pin.sha256 != sha256
    else { return verdict }
    return PluginVerdict(
      .changed, "its files have changed since the program was built", advice: "Install the program again.",
      sha256: sha256)
  }
}
