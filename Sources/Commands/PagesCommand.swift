import CommandLine
import PluginProtocol
import Plugins
import Session
import World

/// Writes every committed file that is generated from the tree; run by `script/pages`.
enum PagesCommand: Command {
  struct Options: Sendable {
    var folder = Required<String>()
  }

  static let name = "__pages"
  static let summary = "Write completions, man pages and the README's table"
  static var positionals: [Positional<Options>] {
    [.required(.directory, into: \.folder, help: "The checkout")]
  }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let files = session.world.files
    let folder = options.folder.value
    let readme = try String(decoding: files.read(folder + "/README.md", limit: 1 << 20), as: UTF8.self)
    let manifest = try Manifest(parsing: files.read("\(folder)/\(bundledManifest)", limit: Manifest.sizeLimit))
    let bundle = try PagesBundle(root: session.tree.ownSchema.with([manifest]), facts: .program, readme: readme)
    for part in ["completions", "man/man1"] { try files.makeFolder("\(folder)/\(part)") }
    for file in bundle.files {
      try files.replace("\(folder)/\(file.path)", with: Array(file.text.utf8), mode: 0o644)
    }
    return .nothing
  }

  /// The manifest of the bundled plugin in the checkout.
  static let bundledManifest = "Sources/ifttt-grab/plugin.json"
}
