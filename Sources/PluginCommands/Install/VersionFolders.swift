import CommandContext
import PluginHost
import Plugins
import Store
import World

/// The hidden folders beside the installed plugins: a version that is about to be installed, and the version that each
/// plugin replaced. A plugin cannot have such a name.
struct VersionFolders {
  /// The beginnings of the names of such folders. The second one is that of an earlier version of this program.
  private static let prefixes = [".version-", ".new-"]

  let shelf: PluginRegistry
  let session: Session

  /// The folder that contains them.
  var parent: String { shelf.catalog.folders.installed }
  /// The file that processes lock while they change plugins.
  var lock: String { parent + "/.lock" }

  func path(_ name: String) -> String { "\(parent)/\(name)" }

  func newName() -> String {
    Self.prefixes[0] + session.world.random.bytes(6).map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
  }

  /// What an installation does with the record of the previous version. A folder is kept only if its files are still
  /// those that were installed.
  func change(of name: String, to package: PluginPackage, keepingIn folder: String) -> PreviousPlugin.Change {
    guard let trust = try? session.store.trustedPlugin(name),
      hash(of: name) == trust.sha256
    else { return .removed }
    // Installing the same files again must not displace an older version.
    return trust.sha256 == package.sha256 ? .kept : .replaced(folder: folder)
  }

  /// The hash of a folder's files, all of which are read; nil if it is not the folder of a plugin.
  func hash(of name: String) -> String? {
    let files = session.world.files
    return try? ContentHash.of(PluginContents(of: path(name), in: files), in: path(name), files)
  }

  /// Removes the folders that no record names: those of interrupted installations, and versions that were displaced.
  /// The caller holds the lock. A failure is harmless, because the folders are not used.
  func removeUnused() {
    guard let used = try? session.store.previousPluginFolders(),
      let names = try? session.world.files.names(in: parent)
    else { return }
    for name in names where !used.contains(name) && Self.prefixes.contains(where: name.hasPrefix) {
      try? session.world.files.removeFolder(path(name))
    }
  }
}
