import Output
import PluginProtocol

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
