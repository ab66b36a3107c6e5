import PluginProtocol
package import Store
import Text
import World

/// Changes of the plugins on this machine: the files and the record of a plugin change together, even if the process is
/// killed in between.
///
/// A hidden folder beside the installed plugins has a version that is about to be installed, and after that the version
/// that it replaced. A plugin cannot have such a name.
package struct PluginChanges {
  /// The beginnings of the names of hidden folders. The second one is that of an earlier version of this program.
  private static let prefixes = [".version-", ".new-"]

  private let store: Store
  private let world: World
  private let locations: PluginFolders
  private var files: any Files { world.files }

  package init(of registry: PluginRegistry) {
    (store, world, locations) = (registry.store, registry.world, registry.catalog.folders)
  }

  /// The file that processes lock while they change plugins.
  private var lock: String { path(".lock") }

  package func path(_ name: String) -> String { "\(locations.installed)/\(name)" }

  package func newName() -> String {
    Self.prefixes[0] + world.random.bytes(6).hex
  }

  /// The hash of a folder's files, all of which are read; nil if it is not the folder of a plugin.
  package func hash(of name: String) -> String? {
    try? ContentHash.of(PluginContents(of: path(name), in: files), in: path(name), files)
  }

  /// Runs `body` while no other process changes plugins, and after all earlier changes are completed or abandoned.
  package func exclusively<Result>(_ body: () throws -> Result) throws -> Result {
    try files.makeFolder(locations.installed)
    return try files.locked(lock) {
      for change in try PluginRecords(store).unfinishedChanges() { try resolve(change) }
      return try body()
    }
  }

  /// Changes the files of a plugin and then its record. If a step fails, the files are restored.
  ///
  /// The change is saved before the first file is changed. The caller holds the lock.
  package func perform(_ change: PluginChange) throws {
    try PluginRecords(store).begin(change)
    var undo: () throws -> Void = {}
    do {
      undo = try changeFiles(for: change)
      try complete(change)
    } catch {
      try? undo()
      // If this fails too, the next start finds the files as they were.
      try? PluginRecords(store).abandon(change)
      throw error
    }
    removeUnused()
  }

  /// - Returns: An action that restores the files.
  private func changeFiles(for change: PluginChange) throws -> () throws -> Void {
    let (folder, hidden) = (path(change.plugin.name), path(change.folder))
    switch change.outcome {
    case .installed, .reinstalled, .installedAlone, .rolledBack:
      _ = try files.exchange(hidden, with: folder)
      return { _ = try files.exchange(folder, with: hidden) }
    case .removed:
      guard exists(folder) else { return {} }
      _ = try files.exchange(folder, with: hidden)
      return { _ = try files.exchange(hidden, with: folder) }
    case .linked, .unlinked:
      guard let link = link(of: change) else { return {} }
      let before = link.folder(in: files)
      if case .linked = change.outcome {
        try link.write(change.plugin.origin, in: files)
      } else if exists(link.path) {
        try files.remove(link.path)
      }
      return { if let before { try link.write(before, in: files) } else { try files.remove(link.path) } }
    }
  }

  private func complete(_ change: PluginChange) throws {
    let name = change.plugin.name
    // The cached connections may be those of another vendor's plugin, or of the plugin that a link hid. They are removed
    // first: after a kill, this is done again.
    switch change.outcome {
    case .linked, .unlinked: try ProviderCache.forget(name, in: store)
    default: if !change.keepsCredentials { try ProviderCache.forget(name, in: store) }
    }
    switch change.outcome {
    case .installed, .reinstalled, .installedAlone, .rolledBack:
      try PluginRecords(store).complete(change, files: TrustedFiles(PluginContents(of: path(name), in: files)).stored)
    case .removed, .linked, .unlinked: try PluginRecords(store).complete(change)
    }
  }

  /// Completes or abandons the changes of processes that were killed, and removes their folders. A failure is left to the
  /// next start; until then, such a plugin is rejected.
  package func recover() {
    // Another process may be in the middle of a change, which takes moments.
    for attempt in 0..<100 {
      let isUnfinished = isUnfinished
      guard isUnfinished || attempt == 0 && !unused.isEmpty else { return }
      do {
        let result: Void? = try files.lockedAtOnce(lock) {
          for change in try PluginRecords(store).unfinishedChanges() { try? resolve(change) }
          removeUnused()
        }
        if result != nil { return }
      } catch { return }
      guard isUnfinished else { return }
      world.clock.sleep(for: .milliseconds(20))
    }
  }

  private var isUnfinished: Bool { (try? PluginRecords(store).unfinishedChanges())?.isEmpty == false }

  /// Completes a change whose files were changed, and abandons any other.
  private func resolve(_ change: PluginChange) throws {
    let (folder, hidden) = (path(change.plugin.name), path(change.folder))
    // This file exists only if the exchange was not atomic and its second or third step is missing.
    let aside = hidden + ".aside"
    if exists(aside) { _ = try files.exchange(aside, with: exists(folder) ? hidden : folder) }
    if hasHappened(change) { try complete(change) } else { try PluginRecords(store).abandon(change) }
  }

  /// Whether the files are those after the change.
  private func hasHappened(_ change: PluginChange) -> Bool {
    switch change.outcome {
    case .installed, .reinstalled, .installedAlone, .rolledBack:
      hash(of: change.plugin.name) == change.plugin.sha256
    case .removed: !exists(path(change.plugin.name))
    case .linked: link(of: change)?.folder(in: files) == change.plugin.origin
    case .unlinked: link(of: change).map { !exists($0.path) } ?? true
    }
  }

  private func link(of change: PluginChange) -> PluginLinkFile? {
    PluginName(parsing: change.plugin.name).map { PluginLinkFile(of: $0, in: locations) }
  }

  private func exists(_ path: String) -> Bool { files.exists(path) }

  /// The hidden folders that the records do not name: those of interrupted installations, of removed plugins, and of
  /// replaced versions. Empty if the records cannot be read.
  private var unused: [String] {
    let hidden = ((try? files.names(in: locations.installed)) ?? []).filter { name in
      Self.prefixes.contains(where: name.hasPrefix)
    }
    guard !hidden.isEmpty, let used = try? PluginRecords(store).hiddenFolders() else { return [] }
    return hidden.filter { !used.contains($0) }
  }

  /// Removes the unused folders. The caller holds the lock. A failure is harmless, because the folders are not used.
  package func removeUnused() {
    for name in unused { try? files.removeFolder(path(name)) }
  }
}
