import Output
import PluginProtocol
import Plugins
import Store
import World

/// The plugin that an installation replaces, and the credentials that the new plugin inherits.
struct PluginReplacement {
  /// The old plugin's manifest; nil if there is none or it cannot be read.
  let old: Manifest?
  let oldFiles: [PluginPackage.File]
  /// What the user granted to the old plugin; nil if none is installed.
  private let granted: PluginTrust?
  /// The stored credentials of plugins of this name.
  let credentials: [(profile: String, name: String)]
  let package: PluginPackage

  init(of package: PluginPackage, on registry: PluginRegistry) throws {
    let name = package.manifest.name.description
    let plugin = registry.catalog.all().first { $0.name == name && !$0.isBundled && !$0.isLinked }
    self.package = package
    old = try? plugin?.manifest.get()
    oldFiles = plugin.flatMap { try? PluginPackage(folder: $0.folder, in: registry.world.files).files } ?? []
    granted = try registry.store.trustedPlugin(name)
    credentials = try registry.store.pluginCredentialNames(of: name)
  }

  /// Whether the new manifest has another vendor. False if the old manifest cannot be read.
  var isOfAnotherVendor: Bool {
    guard let old else { return false }
    return Array((old.vendor ?? "").utf8) != Array((package.manifest.vendor ?? "").utf8)
  }

  /// The permissions that the user has not granted to the old plugin; empty without an old plugin.
  var addedPermissions: [String] {
    granted.map { AddedPermissions.of(package.manifest, beyond: $0, hosts: old?.hosts ?? []) } ?? []
  }

  /// The older or equal version that the user might not expect, phrased to follow the name of the plugin; nil for a
  /// newer version and for the same files.
  var unexpectedChange: String? {
    guard let old else { return nil }
    let new = package.manifest.version
    if VersionOrder.isOlder(new, than: old.version) == true {
      return "version \(new) is older than the installed \(old.version)"
    }
    return new == old.version && package.files != oldFiles ? "version \(new) is installed with different files" : nil
  }

  /// The stored credentials that the new plugin could read.
  private var inherited: [(profile: String, name: String)] {
    isOfAnotherVendor ? [] : credentials.filter { package.manifest.mayAsk(for: $0.name) }
  }

  /// The confirmation prompt.
  /// - Parameter more: facts that do not follow from the replacement.
  func question(adding more: [String] = []) -> String {
    let name = package.manifest.name.description
    let (old, facts) = (old?.version, facts + more)
    let change =
      old.map { "Replace plugin '\(name)' \($0) with \(package.manifest.version)" } ?? "Install plugin '\(name)'"
    return facts.isEmpty ? "\(change)?" : "\(change) (\(facts.joined(separator: "; ")))?"
  }

  /// The facts that the confirmation prompt mentions.
  private var facts: [String] {
    var facts: [String] = []
    if let old {
      let new = package.manifest
      if VersionOrder.isOlder(new.version, than: old.version) == true { facts.append("a downgrade") }
      if new.version == old.version, package.files != oldFiles { facts.append("the same version with different files") }
      if isOfAnotherVendor { facts.append("vendor \(Self.vendor(of: new)) instead of \(Self.vendor(of: old))") }
    }
    if !inherited.isEmpty { facts.append("inherits \(Self.count(inherited))") }
    if isOfAnotherVendor, !credentials.isEmpty {
      facts.append("removes \(Self.count(credentials)) of the other vendor")
    }
    return facts
  }

  /// The changes, one per line, shown below the plugin's description.
  var lines: [String] {
    let exists = old != nil || !oldFiles.isEmpty
    guard exists else { return inherited.isEmpty ? [] : ["It inherits \(Self.count(inherited))."] }
    let isDowngrade = old.flatMap { VersionOrder.isOlder(package.manifest.version, than: $0.version) } == true
    return ["It replaces \(old?.version ?? "an unreadable plugin")\(isDowngrade ? " and is older" : ""):"] + changes
  }

  private var changes: [String] {
    var lines: [String] = []
    if let old {
      let new = package.manifest
      if isOfAnotherVendor {
        lines += ["  + vendor \(Self.vendor(of: new))", "  - vendor \(Self.vendor(of: old))"]
        if !credentials.isEmpty { lines.append("  - \(Self.count(credentials)) of the other vendor") }
      }
      for (kind, before, after) in [
        ("host", old.hosts, new.hosts), ("credential", old.credentials, new.credentials),
        ("variable", old.environment, new.environment),
        ("file access:", old.files.map(\.description), new.files.map(\.description)),
        ("browser", old.usesBrowser ? ["use"] : [], new.usesBrowser ? ["use"] : []),
        ("capability", old.capabilities, new.capabilities), ("command", old.commandLines, new.commandLines),
      ] {
        lines += after.filter { !before.contains($0) }.map { "  + \(kind) \(ConfusableText.revealed($0))" }
        lines += before.filter { !after.contains($0) }.map { "  - \(kind) \(ConfusableText.revealed($0))" }
      }
    }
    if !inherited.isEmpty { lines.append("  = \(Self.count(inherited)), inherited") }
    func files(_ sign: String, _ paths: [String]) -> [String] {
      let shown = paths.prefix(10).map { "  \(sign) file \(ConfusableText.revealed($0))" }
      return paths.count > 10 ? shown + ["  \(sign) \(paths.count - 10) more files"] : shown
    }
    let (new, before) = (package.files, oldFiles)
    lines += files("+", new.filter { file in !before.contains { $0.path == file.path } }.map(\.path))
    lines += files("-", before.filter { file in !new.contains { $0.path == file.path } }.map(\.path))
    lines += files("~", new.filter { file in before.contains { $0.path == file.path && $0 != file } }.map(\.path))
    return lines.isEmpty ? ["  no changes"] : lines
  }

  private static func vendor(of manifest: Manifest) -> String {
    manifest.vendor.map { "'\(ConfusableText.revealed($0))'" } ?? "none"
  }

  /// The count with its profiles: `2 stored credentials (profiles default, work)`.
  private static func count(_ credentials: [(profile: String, name: String)]) -> String {
    let profiles = credentials.reduce(into: [String]()) { if $0.last != $1.profile { $0.append($1.profile) } }
    return """
      \(credentials.count) stored credential\(credentials.count == 1 ? "" : "s") \
      (profile\(profiles.count == 1 ? "" : "s") \(profiles.joined(separator: ", ")))
      """
  }
}

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
