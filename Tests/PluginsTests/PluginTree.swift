import PluginProtocol
import Support
import Testing
import World

@testable import Plugins

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A folder with a plugin, a user's home folder and programs, whose files are those of the real file system.
struct PluginTree {
  let folder = TemporaryFolder()
  private let files = LiveFiles(interruption: TestInterruption())

  /// The files that contain credentials of the program.
  static let stored = [
    "home/.local/share/ifttt/ifttt.db", "home/.local/state/ifttt/store.key", "home/.config/ifttt/settings",
    "home/.cache/ifttt/cache.db",
  ]

  init() throws {
    for name in Self.stored + [
      "home/.netrc", "home/feeds.opml", "home/bin/tool", "home/.local/share/other", "home/work/a", "home/work/here/x",
      "notes/a", "tmp/a", "keys/store", "keys/other", "keys/bin/x", "opt/bin/ifttt",
    ] { try write(name) }
    link("link", to: folder["home"])
  }

  var path: String { folder.path }
  subscript(_ name: String) -> String { folder[name] }

  func write(_ name: String, _ text: String = "", mode: Int = 0o600) throws {
    try files.makeFolder(folder[String(name[..<(name.lastIndex(of: "/") ?? name.startIndex)])])
    folder.write(name, text, mode: mode)
  }

  func link(_ name: String, to target: String) { symlink(target, folder[name]) }

  func location(_ name: String) -> FileLocation? { FileLocation(folder[name], in: files) }

  func confinement(
    _ permitted: [FileAccess] = [], named: [String] = [], storeFiles: [String] = [], script: String = "#!/bin/sh\n",
    more: [String: String] = [:]
  ) throws -> Confinement {
    try write("plugin/ifttt-shelf", script)
    let given = ["HOME": folder["home"], "PATH": "", "IFTTT_HOME": "", "TMPDIR": folder["tmp"]]
    let test = TestWorld(environment: given.merging(more) { $1 }, folder: folder)
    test.processes.confines = true
    test.processes.program = folder["opt/bin/ifttt"]
    var world = test.world
    world.files = files
    world.workingFolder = folder["home/work"]
    return try #require(
      PluginConfinement(
        folder: folder["plugin"], executable: folder["plugin/ifttt-shelf"], permitted: permitted, named: named,
        storeFiles: Self.stored.prefix(2).map { folder[$0] } + storeFiles, world: world
      ).confinement)
  }

  /// Whether a file could be read or written, by the rules for it and for the folders that contain it.
  func opens(_ name: String, _ confinement: Confinement) -> Bool {
    guard let file = location(name) else { return false }
    return (confinement.readable + confinement.writable).contains {
      FileLocation($0, in: files)?.contains(file) ?? false
    }
  }
}
