import PluginProtocol
import Plugins
import World

/// What a user is told before a plugin is installed.
struct PluginDescription {
  let package: PluginPackage
  let origin: String
  /// What it takes the place of.
  let old: Manifest?
  let oldFiles: [PluginPackage.File]

  var lines: [String] {
    let manifest = package.manifest
    let maker = manifest.vendor.map { " by \($0)" } ?? ""
    var lines = [
      "\(manifest.name) \(manifest.version), a \(manifest.kind.rawValue) plugin\(maker): \(manifest.summary)"
    ]
    lines += [
      line("from", origin),
      line("hosts", list(manifest.hosts)),
      line("credentials", list(manifest.credentials)),
      line("environment", list(manifest.environment)),
      line("size", "\(package.files.count) file\(package.files.count == 1 ? "" : "s"), \(package.size) bytes"),
      line("SHA-256", package.sha256),
    ]
    if old != nil || !oldFiles.isEmpty { lines += ["It replaces \(old?.version ?? "what lies there"):"] + changes }
    return lines
  }

  private func line(_ label: String, _ value: String) -> String {
    "  \(label)" + String(repeating: " ", count: 13 - label.utf8.count) + value
  }

  private func list(_ texts: [String]) -> String { texts.isEmpty ? "none" : texts.joined(separator: ", ") }

  private var changes: [String] {
    var lines: [String] = []
    if let old {
      for (what, before, after) in [
        ("host", old.hosts, package.manifest.hosts), ("credential", old.credentials, package.manifest.credentials),
        ("variable", old.environment, package.manifest.environment),
      ] {
        lines += after.filter { !before.contains($0) }.map { "  + \(what) \($0)" }
        lines += before.filter { !after.contains($0) }.map { "  - \(what) \($0)" }
      }
    }
    func files(_ sign: String, _ paths: [String]) -> [String] {
      let shown = paths.prefix(10).map { "  \(sign) file \($0)" }
      return paths.count > 10 ? shown + ["  \(sign) \(paths.count - 10) more files"] : shown
    }
    let (new, before) = (package.files, oldFiles)
    lines += files("+", new.filter { file in !before.contains { $0.path == file.path } }.map(\.path))
    lines += files("-", before.filter { file in !new.contains { $0.path == file.path } }.map(\.path))
    lines += files("~", new.filter { file in before.contains { $0.path == file.path && $0 != file } }.map(\.path))
    return lines.isEmpty ? ["  nothing changes"] : lines
  }
}
