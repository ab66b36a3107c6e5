package import PluginProtocol
package import World

/// Finds the plugins there are. It reads manifests and runs nothing.
///
/// Nothing is looked for before somebody asks, and a name that is asked for alone costs one file.
package final class PluginCatalog: @unchecked Sendable {
  // Unchecked: the program asks from one thread.
  private let files: any Files
  package let folders: PluginFolders
  package let rules: ReservedNames

  package init(files: any Files, folders: PluginFolders, rules: ReservedNames) {
    (self.files, self.folders, self.rules) = (files, folders, rules)
  }

  /// The plugin that a name stands for; nil where there is none, and where the name is one of the program's own commands.
  package func plugin(named name: String) -> Plugin? {
    guard PluginName(parsing: name) != nil, rules.problem(ofName: name, isBundled: true) == nil else { return nil }
    if let bundled = folders.bundled, let plugin = read(name, in: bundled, isBundled: true) { return plugin }
    return rules.problem(ofName: name) == nil ? read(name, in: folders.installed, isBundled: false) : nil
  }

  /// Those that a name stands for, in order of name.
  package func found() -> [Plugin] { all().filter { $0.shadow == nil } }

  /// All that lie in the folders, those that nobody can reach among them, in order of name.
  package func all() -> [Plugin] {
    spots().map { spot in
      Plugin(
        name: spot.name, folder: spot.folder, isBundled: spot.isBundled,
        manifest: manifest(of: spot.name, in: spot.folder), shadow: spot.shadow)
    }
  }

  /// As ``all()``, the manifests read only as far as a list of commands shows them: what is wrong further on is told to
  /// whoever uses a plugin, or lists plugins.
  ///
  /// - Parameter withShadowed: whether those that nobody can reach are among them.
  package func outlines(withShadowed: Bool) -> [OutlinedPlugin] {
    spots().filter { withShadowed || $0.shadow == nil }.map { spot in
      let outline = (try? Manifest.bytes(inFolder: spot.folder, files)).flatMap { try? ManifestOutline(parsing: $0) }
      return OutlinedPlugin(name: spot.name, outline: outline?.name.description == spot.name ? outline : nil)
    }
  }

  /// Where a plugin lies, and what has its name before it.
  private typealias Spot = (name: String, folder: String, isBundled: Bool, shadow: String?)

  private func spots() -> [Spot] {
    let bundled = folders.bundled.map { spots(in: $0, isBundled: true, behind: []) } ?? []
    let installed = spots(in: folders.installed, isBundled: false, behind: bundled.map(\.name))
    return (bundled + installed).sorted { $0.name < $1.name }
  }

  private func spots(in parent: String, isBundled: Bool, behind others: [String]) -> [Spot] {
    let names = (try? files.names(in: parent)) ?? []
    return names.compactMap { name in
      let folder = "\(parent)/\(name)"
      guard !name.hasPrefix("."), isFolderOrLink(folder) else { return nil }
      let shadow =
        rules.problem(ofName: name, isBundled: isBundled) ?? (others.contains(name) ? ReservedNames.isBundledName : nil)
      return (name, folder, isBundled, shadow)
    }
  }

  /// A link is found so that it can be said why it is not followed.
  private func isFolderOrLink(_ path: String) -> Bool {
    switch try? files.facts(path).kind {
    case .folder: true
    case .link: (try? files.facts(path + "/."))?.kind == .folder
    default: false
    }
  }

  /// Nil where no folder has this name.
  private func read(_ name: String, in parent: String, isBundled: Bool) -> Plugin? {
    let folder = "\(parent)/\(name)"
    guard isFolderOrLink(folder) else { return nil }
    return Plugin(name: name, folder: folder, isBundled: isBundled, manifest: manifest(of: name, in: folder))
  }

  private func manifest(of name: String, in folder: String) -> Result<Manifest, ManifestError> {
    do throws(ManifestError) {
      guard (try? files.facts(folder).kind) != .link else {
        throw ManifestError("its folder is a symbolic link, which is not followed")
      }
      let manifest = try Manifest(inFolder: folder, files)
      guard manifest.name.description == name else {
        throw ManifestError("its manifest calls it '\(manifest.name)', and its folder '\(name)'")
      }
      if let problem = rules.problem(of: manifest) { throw problem }
      return .success(manifest)
    } catch {
      return .failure(error)
    }
  }
}

extension Manifest {
  /// Reads the manifest that lies in a folder.
  package init(inFolder folder: String, _ files: any Files) throws(ManifestError) {
    try self.init(parsing: Manifest.bytes(inFolder: folder, files))
  }

  static func bytes(inFolder folder: String, _ files: any Files) throws(ManifestError) -> [UInt8] {
    let path = "\(folder)/\(Manifest.fileName)"
    do throws(SystemError) {
      // A link is not followed: the manifest belongs to the folder that is checked.
      guard try files.facts(path).kind == .file else { throw SystemError(number: SystemError.notRegular, call: path) }
      return try files.readRegular(path, limit: Manifest.sizeLimit + 1)
    } catch {
      throw ManifestError(
        error.isNotRegular
          ? "\(Manifest.fileName) is not a regular file" : "\(Manifest.fileName) cannot be read: \(error)")
    }
  }
}
