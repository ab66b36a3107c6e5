import Output
import PluginProtocol
import Store

/// The permissions that a plugin declares beyond those that the user granted. `--yes` does not cover them.
enum AddedPermissions {
  /// - Parameters:
  ///   - granted: what the user granted to the plugin that is replaced.
  ///   - hosts: the hosts that it declares. They are shown, but not part of the record.
  /// - Returns: one phrase for each, such as `host https://api.example.com`.
  static func of(_ new: Manifest, beyond granted: PluginTrust, hosts: [String]) -> [String] {
    var added = new.hosts.filter { !hosts.contains($0) }.map { "host \(ConfusableText.revealed($0))" }
    added += new.credentials.filter { name in !granted.credentials.contains { covers($0, name) } }
      .map { "credential \(ConfusableText.revealed($0))" }
    added += new.environment.filter { !granted.environment.contains($0) }.map { "variable \($0)" }
    if new.usesBrowser, !granted.usesBrowser { added.append("browser: opens pages") }
    added += new.files.filter { file in !covers(granted, file) }.map {
      "file access: \(ConfusableText.revealed($0.description))"
    }
    return added
  }

  /// Whether a name or prefix of credentials includes another.
  private static func covers(_ old: String, _ new: String) -> Bool {
    old == new || old.hasSuffix("*") && new.utf8.starts(with: old.dropLast().utf8)
  }

  /// Whether the granted paths include a path with the same access, as itself or below a folder.
  private static func covers(_ granted: PluginTrust, _ file: FileAccess) -> Bool {
    let paths = file.mode == .write ? granted.writePaths : granted.readPaths + granted.writePaths
    return paths.contains { path in
      let folder = path == "/" ? "/" : path + "/"
      return path == file.path || file.path.utf8.starts(with: folder.utf8)
    }
  }
}
