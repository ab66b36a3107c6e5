import Output
import PluginProtocol
import Plugins
import Store
import World

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
      line("size", "\(files) file\(files == 1 ? "" : "s"), \(package.size) bytes"), line("SHA-256", package.sha256),
    ] + originLines + replacement.lines
  }

  /// The facts that only some origins have.
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

/// What a manifest says of its plugin, as shown to a user before the plugin may run.
struct ManifestDescription {
  let manifest: Manifest
  let origin: String
  /// Whether the system enforces the declared file access.
  let enforcesFiles: Bool

  var title: String {
    let maker = manifest.vendor.map { " by \($0)" } ?? ""
    return ConfusableText.revealed(
      "\(manifest.name) \(manifest.version), a \(manifest.kind.rawValue) plugin\(maker): \(manifest.summary)")
  }

  /// What it asks for, one line each.
  var permissions: [String] {
    [
      Self.line("from", origin), Self.line("hosts", declared(manifest.hosts, "declared, not enforced")),
      Self.line("credentials", list(manifest.credentials)), Self.line("environment", list(manifest.environment)),
      Self.line("browser", manifest.usesBrowser ? "opens pages in your browser" : "none"),
      Self.line("file access", declared(manifest.files.map(\.description), files)),
    ]
  }

  static func line(_ label: String, _ value: String) -> String {
    "  \(label)" + String(repeating: " ", count: 13 - label.utf8.count) + value
  }

  private var files: String { enforcesFiles ? "no others" : "declared, not enforced on this system" }

  /// - Parameter remark: whether the list is enforced.
  private func declared(_ texts: [String], _ remark: String) -> String {
    list(texts.map(ConfusableText.revealed)) + (texts.isEmpty ? "" : " (\(remark))")
  }

  private func list(_ texts: [String]) -> String { texts.isEmpty ? "none" : texts.joined(separator: ", ") }
}
