import Plugins

/// The description shown to a user before a plugin is installed.
struct PluginDescription {
  let package: PluginPackage
  let origin: String
  let replacement: PluginReplacement

  var lines: [String] {
    let description = ManifestDescription(manifest: package.manifest, origin: origin)
    let files = package.files.count
    return [description.title] + description.permissions + [
      ManifestDescription.line("size", "\(files) file\(files == 1 ? "" : "s"), \(package.size) bytes"),
      ManifestDescription.line("SHA-256", package.sha256),
    ] + replacement.lines
  }
}
