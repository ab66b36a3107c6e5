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
