import JSON
import PluginProtocol
package import Store
import Text
package import World

/// Decides whether a plugin may be run: it is unchanged since the user installed it, and no other user could change
/// it.
package struct TrustCheck {
  private let files: any Files
  /// The allowed owners of the files of bundled plugins: the owner of the program, and root.
  private let owners: () -> Set<UInt32>
  /// Whether to read the content even if all file attributes match.
  private let isThorough: Bool

  package init(files: any Files, owners: @escaping () -> Set<UInt32>, isThorough: Bool) {
    (self.files, self.owners, self.isThorough) = (files, owners, isThorough)
  }

  /// - Parameter record: the stored trust record; nil if absent.
  package func verdict(on plugin: Plugin, _ record: PluginTrust?) -> PluginVerdict {
    if let shadow = plugin.shadow { return PluginVerdict(.shadowed, shadow, advice: plugin.removal) }
    if plugin.isLinked { return LinkCheck(files: files).verdict(on: plugin, record) }
    let contents: PluginContents
    do {
      let manifest = try plugin.manifest.get()
      contents = try PluginContents(of: plugin.folder, in: files)
      guard contents.files.contains(where: { $0.path == manifest.executable && $0.isExecutable }) else {
        throw PluginContentsError("'\(manifest.executable)' is missing or not executable")
      }
    } catch {
      return PluginVerdict(.broken, String(describing: error), advice: plugin.removal)
    }
    var verdict = verdict(on: plugin, contents, record)
    verdict.contents = contents
    return verdict
  }

  private func verdict(
    on plugin: Plugin, _ contents: PluginContents, _ record: PluginTrust?
  ) -> PluginVerdict {
    let owners = plugin.isBundled ? owners() : [FileStatus.user, 0]
    if let exposure = exposure(of: contents, in: plugin, owners) {
      return PluginVerdict(.unsafe, exposure.problem, advice: advice(on: exposure, of: plugin))
    }
    if plugin.isBundled {
      return PluginVerdict(
        .bundled, sha256: isThorough ? try? ContentHash.of(contents, in: plugin.folder, files) : nil)
    }
    guard let record else {
      return PluginVerdict(
        .untrusted, "it is in \(plugin.folder) but was not installed",
        advice: "Inspect it, then run: \(ifttt: "plugin install \(path: plugin.folder)")")
    }
    return verdict(on: contents, in: plugin, record)
  }

  /// The reason why another user could change a plugin.
  private enum Exposure {
    case writable(String), foreign(String), link(String)

    var problem: String {
      switch self {
      case .writable(let path): "other users can write to \(path)"
      case .foreign(let path): "\(path) belongs to another user"
      case .link(let path): PluginFolders.linkProblem(path)
      }
    }
  }

  /// The first exposure found. It also checks the parent folder, in which the plugin could be replaced.
  private func exposure(of contents: PluginContents, in plugin: Plugin, _ owners: Set<UInt32>) -> Exposure? {
    let parent = parentFolder(of: plugin)
    let status = try? files.status(parent)
    // For bundled plugins, the installer of the program chose the parent folder.
    if let status, status.kind == .link, !plugin.isBundled { return .link(parent) }
    if let status, status.kind == .folder, status.mode & 0o022 != 0 { return .writable(parent) }
    if let exposed = contents.exposed(toAllBut: owners) {
      let path = exposed.path.isEmpty ? plugin.folder : "\(plugin.folder)/\(exposed.path)"
      return exposed.stamp.mode & 0o022 != 0 ? .writable(path) : .foreign(path)
    }
    if let status, status.kind == .folder, !owners.contains(status.owner) { return .foreign(parent) }
    return nil
  }

  private func parentFolder(of plugin: Plugin) -> String { String(plugin.folder.dropLast(plugin.name.utf8.count + 1)) }

  private func advice(on exposure: Exposure, of plugin: Plugin) -> Hint {
    switch exposure {
    case .writable(let path): "Run: \(shell: "chmod go-w \(path: path)")"
    case .link(let path): PluginFolders.linkAdvice(path)
    case .foreign where plugin.isBundled:
      "Install the program again, or run: \(shell: "sudo chown -R root \(path: plugin.folder)")"
    // All files belong to one user, who runs the command as root.
    case .foreign where FileStatus.user == 0 && (try? files.status(parentFolder(of: plugin)).owner) != 0:
      "Run ifttt as the user who installed it, without sudo."
    case .foreign(let path):
      "Remove it with \(ifttt: "plugin remove \(plugin.name)"). If you trust its content instead, run: "
        + (FileStatus.user == 0
          ? "\(shell: "chown -R \(FileStatus.user) \(path: path)")"
          : "\(shell: "sudo chown -R \(FileStatus.user) \(path: path)")")
    }
  }

  private func verdict(on contents: PluginContents, in plugin: Plugin, _ record: PluginTrust) -> PluginVerdict {
    let (current, trusted) = (TrustedFiles(contents), TrustedFiles(stored: record.files))
    if current == trusted, !isThorough { return PluginVerdict(.ready, sha256: record.sha256) }
    do {
      let sha256 = try ContentHash.of(contents, in: plugin.folder, files)
      guard sha256 == record.sha256 else {
        return PluginVerdict(
          .changed, "its files have changed since it was installed",
          advice: "Check what changed, then install it again: \(ifttt: "plugin install PATH")", sha256: sha256)
      }
      var verdict = PluginVerdict(.ready, sha256: sha256)
      if current != trusted { verdict.changedAttributes = current }
      return verdict
    } catch {
      return PluginVerdict(.broken, String(describing: error), advice: plugin.removal)
    }
  }
}

extension Plugin {
  /// The advice for an unusable plugin.
  fileprivate var removal: Hint {
    isLinked
      ? "Run: \(ifttt: "plugin unlink \(name)")"
      : isBundled ? "Install the program again." : "Install it again, or run: \(ifttt: "plugin remove \(name)")"
  }
}

/// Decides whether a linked plugin may be run: the user linked this folder, and no other user could change the program.
/// The content may have changed, because its author is working on it.
struct LinkCheck {
  let files: any Files

  /// - Parameter record: the stored permissions; nil if the user did not link the plugin.
  func verdict(on plugin: Plugin, _ record: PluginTrust?) -> PluginVerdict {
    let manifest: Manifest
    do { manifest = try plugin.manifest.get() } catch {
      return PluginVerdict(.broken, error.description, advice: "Fix it in \(plugin.folder), or \(Self.unlink(plugin))")
    }
    guard let record, record.origin == plugin.folder else {
      return PluginVerdict(
        .untrusted, "its link leads to \(plugin.folder), which was not linked with 'plugin link'",
        advice: "Inspect that folder, then run: \(ifttt: "plugin link \(path: plugin.folder)")")
    }
    // The executable may be a link to the product of a build.
    let named = "\(plugin.folder)/\(manifest.executable)"
    let executable = (try? files.resolved(named)) ?? named
    for path in [plugin.folder, "\(plugin.folder)/\(Manifest.fileName)", executable] {
      if let problem = exposure(of: path) { return problem }
    }
    guard let facts = try? files.status(executable), facts.kind == .file, facts.mode & 0o100 != 0 else {
      return PluginVerdict(
        .broken, "'\(manifest.executable)' is missing or not executable",
        advice: "Fix it in \(plugin.folder), or \(Self.unlink(plugin))")
    }
    return PluginVerdict(.linked)
  }

  /// Returns the verdict on a path that another user could change; nil if none could. The group may have write access,
  /// because many systems give each user a separate group with write access.
  private func exposure(of path: String) -> PluginVerdict? {
    guard let stamp = try? files.status(path) else { return nil }
    if stamp.mode & 0o002 != 0 {
      return PluginVerdict(
        .unsafe, "other users can write to \(path)", advice: "Run: \(shell: "chmod o-w \(path: path)")")
    }
    guard [FileStatus.user, 0].contains(stamp.owner) else {
      return PluginVerdict(
        .unsafe, "\(path) belongs to another user", advice: "Copy the plugin to a folder of yours, and link it there.")
    }
    return nil
  }

  private static func unlink(_ plugin: Plugin) -> Hint { "run: \(ifttt: "plugin unlink \(plugin.name)")" }
}

/// The file-system attributes of a trusted plugin's files. While they match, the files are unchanged: a file cannot
/// be modified without updating its change time.
package struct TrustedFiles: Sendable, Equatable {
  private let json: String

  package init(_ contents: PluginContents) {
    var writer = JSONWriter()
    writer.beginArray()
    for file in contents.files {
      writer.beginObject()
      writer.member("path", file.path)
      // As text: a device number may exceed the integers that JSON readers support.
      writer.member("device", String(file.stamp.device))
      writer.member("inode", String(file.stamp.inode))
      writer.member("size", file.stamp.size)
      writer.member("modified", Int(file.stamp.modified))
      writer.member("changed", Int(file.stamp.changed))
      writer.member("mode", Int(file.stamp.mode))
      writer.endObject()
    }
    writer.endArray()
    json = String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Creates the attributes from their stored form.
  package init(stored: String) { json = stored }

  package var stored: String { json }
}
