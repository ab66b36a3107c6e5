import Display
import PluginProtocol
import Plugins
import Store
import World

/// The description shown to a user before a plugin is installed.
struct PluginDescription {
  let candidate: PluginCandidate
  let replacement: PluginReplacement

  var lines: [String] {
    let package = candidate.package
    let manifest = package.manifest
    let maker = manifest.vendor.map { " by \($0)" } ?? ""
    let title = "\(manifest.name) \(manifest.version), a \(manifest.kind.rawValue) plugin\(maker): \(manifest.summary)"
    return [
      ConfusableText.revealed(title),
      line("from", candidate.origin),
      line("hosts", list(manifest.hosts.map(ConfusableText.revealed))),
      line("credentials", list(manifest.credentials)),
      line("environment", list(manifest.environment)),
      line("size", "\(package.files.count) file\(package.files.count == 1 ? "" : "s"), \(package.size) bytes"),
      line("SHA-256", package.sha256),
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

  private func line(_ label: String, _ value: String) -> String {
    "  \(label)" + String(repeating: " ", count: 13 - label.utf8.count) + value
  }

  private func list(_ texts: [String]) -> String { texts.isEmpty ? "none" : texts.joined(separator: ", ") }
}
