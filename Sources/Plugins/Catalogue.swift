package import PluginProtocol
package import World

/// Finds the plugins there are. It reads manifests and runs nothing.
///
/// Nothing is looked for before somebody asks, and a name that is asked for alone costs one file.
package final class Catalogue: @unchecked Sendable {
  // Unchecked: the program asks from one thread.
  private let files: any Files
  package let folders: PluginFolders
  package let rules: HostRules

  package init(files: any Files, folders: PluginFolders, rules: HostRules) {
    (self.files, self.folders, self.rules) = (files, folders, rules)
  }

  /// The plugin that a name stands for; nil where there is none, and where the name is one of the program's own commands.
  package func plugin(named name: String) -> Plugin? {
    guard PluginName(parsing: name) != nil, !rules.commands().contains(name) else { return nil }
    if let bundled = folders.bundled, let plugin = read(name, in: bundled, isBundled: true) { return plugin }
    return read(name, in: folders.installed, isBundled: false)
  }

  /// Those that a name stands for, in order of name.
  package func found() -> [Plugin] { all().filter { $0.shadow == nil } }

  /// All that lie in the folders, those that nobody can reach among them, in order of name.
  package func all() -> [Plugin] {
    let commands = rules.commands()
    let bundled = folders.bundled.map { list($0, isBundled: true, commands, behind: []) } ?? []
    let installed = list(folders.installed, isBundled: false, commands, behind: bundled.map(\.name))
    return (bundled + installed).sorted { $0.name < $1.name }
  }

  private func list(_ folder: String, isBundled: Bool, _ commands: [String], behind others: [String]) -> [Plugin] {
    let names = (try? files.names(in: folder)) ?? []
    return names.filter { !$0.hasPrefix(".") }.compactMap { name in
      let shadow: String? =
        if commands.contains(name) {
          "'ifttt \(name)' is a command of the program itself"
        } else if others.contains(name) { "a plugin of this name came with the program" } else { nil }
      return read(name, in: folder, isBundled: isBundled, shadow: shadow)
    }
  }

  /// Nil where no folder has this name.
  private func read(_ name: String, in parent: String, isBundled: Bool, shadow: String? = nil) -> Plugin? {
    let folder = "\(parent)/\(name)"
    guard let kind = try? files.facts(folder).kind, kind == .folder else { return nil }
    return Plugin(
      name: name, folder: folder, isBundled: isBundled, manifest: manifest(of: name, in: folder), shadow: shadow)
  }

  private func manifest(of name: String, in folder: String) -> Result<Manifest, ManifestError> {
    do throws(ManifestError) {
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
    let path = "\(folder)/\(Manifest.fileName)"
    let bytes: [UInt8]
    do throws(SystemError) {
      // Nothing that could be waited for, such as a pipe, and nothing that lies elsewhere.
      guard try files.facts(path).kind == .file else { throw SystemError(number: 0, call: path) }
      bytes = try files.read(path, limit: Manifest.sizeLimit + 1)
    } catch {
      throw ManifestError(
        error.number == 0 ? "\(Manifest.fileName) is no file" : "there is no readable \(Manifest.fileName): \(error)")
    }
    try self.init(parsing: bytes)
  }
}
