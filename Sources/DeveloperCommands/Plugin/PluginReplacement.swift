import Output
import PluginProtocol
import Plugins
import Store
import Text
import World

/// The plugin that an installation replaces, and the credentials that the new plugin inherits.
final class PluginReplacement {
  /// The manifest of the old plugin; nil if none is installed or it cannot be read.
  let old: Manifest?
  let oldFiles: [PluginPackage.File]
  /// The permissions that the user granted to the old plugin; nil if none is installed.
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
    granted = try PluginRecords(registry.store).trusted(name)
    credentials = try PluginRecords(registry.store).credentialNames(of: name)
  }

  /// Whether the new plugin has another vendor than the old one or than the stored credentials.
  var isOfAnotherVendor: Bool {
    package.manifest.isOfAnotherVendor(than: old, hasCredentials: !credentials.isEmpty)
  }

  /// Whether the new plugin inherits the same credentials as in `other`, so that the user's confirmation of `other` is
  /// still valid. A concurrent installation may have changed the version that is replaced.
  func inheritsSameCredentials(as other: PluginReplacement) -> Bool {
    isOfAnotherVendor == other.isOfAnotherVendor
      && inherited.map { [$0.profile, $0.name] } == other.inherited.map { [$0.profile, $0.name] }
  }

  /// The permissions that the user has not granted to the old plugin; empty without an old plugin.
  var addedPermissions: [String] {
    granted.map { AddedPermissions.of(package.manifest, beyond: $0, hosts: old?.hosts ?? []) } ?? []
  }

  private enum VersionChange { case older, sameFiles, otherFiles, other }

  /// How the version differs from the old plugin's; nil without an old plugin.
  private var versionChange: VersionChange? {
    guard let old else { return nil }
    let new = package.manifest.version
    if VersionOrder.isOlder(new, than: old.version) == true { return .older }
    guard new == old.version else { return .other }
    return package.files == oldFiles ? .sameFiles : .otherFiles
  }

  /// The older or equal version that the user might not expect, phrased to follow the name of the plugin; nil for a
  /// newer version and for the same files.
  var unexpectedChange: String? {
    let new = package.manifest.version
    return switch versionChange {
    case .older: "version \(new) is older than the installed \(old?.version ?? "")"
    case .otherFiles: "version \(new) is installed with different files"
    case .sameFiles, .other, nil: nil
    }
  }

  /// The stored credentials that the new plugin could read.
  private var inherited: [(profile: String, name: String)] {
    isOfAnotherVendor ? [] : credentials.filter { package.manifest.mayAsk(for: $0.name) }
  }

  /// The confirmation prompt.
  /// - Parameter more: additional facts.
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
    if versionChange == .older { facts.append("a downgrade") }
    if versionChange == .otherFiles { facts.append("the same version with different files") }
    if let old, isOfAnotherVendor {
      facts.append("vendor \(Self.vendor(of: package.manifest)) instead of \(Self.vendor(of: old))")
    }
    if !inherited.isEmpty { facts.append("inherits \(Self.count(inherited))") }
    if let removal { facts.append("removes \(removal)") }
    return facts
  }

  /// The stored credentials that are removed because the new plugin must not receive them; nil if none are removed.
  private var removal: String? {
    guard isOfAnotherVendor, !credentials.isEmpty else { return nil }
    return "\(Self.count(credentials)) of \(old == nil ? "an unknown" : "the other") vendor"
  }

  /// The changes, one per line, shown below the plugin's description.
  var lines: [String] {
    let exists = old != nil || !oldFiles.isEmpty
    guard exists else { return removal.map { ["It removes \($0)."] } ?? [] }
    let downgrade = versionChange == .older ? " and is older" : ""
    return ["It replaces \(old?.version ?? "an unreadable plugin")\(downgrade):"] + changes
  }

  private var changes: [String] {
    var lines: [String] = []
    if let old {
      let new = package.manifest
      if isOfAnotherVendor {
        lines += ["  + vendor \(Self.vendor(of: new))", "  - vendor \(Self.vendor(of: old))"]
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
    if let removal { lines.append("  - \(removal)") }
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
      \(credentials.count.counted("stored credential")) \
      (profile\(profiles.count == 1 ? "" : "s") \(profiles.joined(separator: ", ")))
      """
  }
}

/// The permissions that a plugin declares in addition to the granted ones. `--yes` does not cover them.
enum AddedPermissions {
  /// - Parameters:
  ///   - granted: the permissions that the user granted to the replaced plugin.
  ///   - hosts: the hosts that the replaced plugin declares, which its record does not contain.
  /// - Returns: one phrase per permission, such as `host https://api.example.com`.
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

  /// Whether a credential's name, or a prefix with `*`, includes another.
  private static func covers(_ old: String, _ new: String) -> Bool {
    old == new || old.hasSuffix("*") && new.utf8.starts(with: old.dropLast().utf8)
  }

  /// Whether the granted paths include the file, itself or below a folder, with the same access.
  private static func covers(_ granted: PluginTrust, _ file: FileAccess) -> Bool {
    let paths = file.mode == .write ? granted.writePaths : granted.readPaths + granted.writePaths
    return paths.contains { path in
      let folder = path == "/" ? "/" : path + "/"
      return path == file.path || file.path.utf8.starts(with: folder.utf8)
    }
  }
}

/// The description shown to a user before a plugin is installed.
struct PluginDescription {
  let candidate: PluginCandidate
  let replacement: PluginReplacement
  /// Whether the system enforces the declared file access.
  let enforcesFiles: Bool

  var lines: [String] {
    let package = candidate.package
    let description = ManifestDescription(
      manifest: package.manifest, origin: candidate.origin, enforcesFiles: enforcesFiles)
    let files = package.files.count
    return [description.title] + description.permissions + [
      line("size", "\(files.counted("file")), \(package.size) bytes"), line("SHA-256", package.sha256),
    ] + originLines + replacement.lines
  }

  /// The facts that exist only for some origins.
  private var originLines: [String] {
    let provenance = candidate.provenance
    var lines: [String] = []
    if let index = provenance.index { lines.append(line("index", index)) }
    if let commit = provenance.commit { lines.append(line("commit", commit)) }
    if let archive = provenance.archiveSHA256 {
      lines += [line("archive", archive), line("signed by", candidate.signature.text)]
    }
    return lines
  }

  private func line(_ label: String, _ value: String) -> String { ManifestDescription.line(label, value) }
}

/// The description of a plugin from its manifest, as shown to the user before the plugin may run.
struct ManifestDescription {
  let manifest: Manifest
  let origin: String
  /// Whether the system enforces the declared file access.
  let enforcesFiles: Bool

  var title: String {
    let vendor = manifest.vendor.map { " by \($0)" } ?? ""
    return ConfusableText.revealed(
      "\(manifest.name) \(manifest.version), a \(manifest.kind.rawValue) plugin\(vendor): \(manifest.summary)")
  }

  /// The requested permissions, one per line.
  var permissions: [String] {
    [
      Self.line("from", origin), Self.line("hosts", declared(manifest.hosts, "declared, not enforced")),
      Self.line("credentials", list(manifest.credentials)), Self.line("environment", list(manifest.environment)),
      Self.line("browser", manifest.usesBrowser ? "opens pages in your browser" : "none"),
      Self.line("file access", declared(manifest.files.map(\.description), fileRemark)),
    ]
  }

  static func line(_ label: String, _ value: String) -> String {
    "  \(label)" + String(repeating: " ", count: 13 - label.utf8.count) + value
  }

  private var fileRemark: String { enforcesFiles ? "no others" : "declared, not enforced on this system" }

  /// - Parameter remark: how the list is enforced.
  private func declared(_ texts: [String], _ remark: String) -> String {
    list(texts.map(ConfusableText.revealed)) + (texts.isEmpty ? "" : " (\(remark))")
  }

  private func list(_ texts: [String]) -> String { texts.isEmpty ? "none" : texts.joined(separator: ", ") }
}
