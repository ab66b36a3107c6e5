import PluginProtocol
import Text
import World

/// Decides whether a linked plugin may be run: the user linked this folder, and no other user could change the program.
/// The content may have changed, since its author is at work on it.
struct LinkCheck {
  let files: any Files

  /// - Parameter record: the stored permissions; nil if the user did not link the plugin.
  func verdict(on plugin: Plugin, _ record: PluginTrustRecord?) -> PluginVerdict {
    let manifest: Manifest
    do { manifest = try plugin.manifest.get() } catch {
      return PluginVerdict(.broken, error.description, advice: "Fix it in \(plugin.folder), or \(Self.unlink(plugin))")
    }
    guard let record, record.linkedFolder == plugin.folder else {
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
    guard let facts = try? files.facts(executable), facts.kind == .file, facts.mode & 0o100 != 0 else {
      return PluginVerdict(
        .broken, "'\(manifest.executable)' is missing or not executable",
        advice: "Fix it in \(plugin.folder), or \(Self.unlink(plugin))")
    }
    return PluginVerdict(.linked)
  }

  /// A group may write, because many systems give each user a group and let it write. Everyone may not.
  private func exposure(of path: String) -> PluginVerdict? {
    guard let stamp = try? files.stamp(path) else { return nil }
    if stamp.mode & 0o002 != 0 {
      return PluginVerdict(
        .unsafe, "other users can write to \(path)", advice: "Run: \(shell: "chmod o-w \(path: path)")")
    }
    guard [FileStamp.user, 0].contains(stamp.owner) else {
      return PluginVerdict(
        .unsafe, "\(path) belongs to another user", advice: "Copy the plugin to a folder of yours, and link it there.")
    }
    return nil
  }

  private static func unlink(_ plugin: Plugin) -> Hint { "run: \(ifttt: "plugin unlink \(plugin.name)")" }
}
