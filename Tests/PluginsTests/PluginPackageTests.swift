import Foundation
import PluginProtocol
import Plugins
import Support
import Testing
import World

/// A plugin as read before its installation, and as written afterwards.
@Suite struct PluginPackageTests {
  let home = PluginFolder()

  @Test func theWrittenFilesHaveTheHashThatWasShown() throws {
    let path = try home.add("shelf")
    try home.files.makeFolder(path + "/lib")
    home.folder.write("plugins/shelf/lib/a", "1", mode: 0o644)
    home.folder.write("plugins/shelf/.hidden", "1")
    try home.files.makeFolder(path + "/.git")
    home.folder.write("plugins/shelf/.git/config", "1")
    let package = try PluginPackage(folder: path, in: home.files)
    #expect(package.files.map(\.path) == ["lib/a", "plugin.json", "run"])
    let target = home.folder["new"]
    try home.files.makeNewFolder(target)
    try package.write(to: target, in: home.files)
    #expect(try ContentHash.of(home.contents(target), in: target, home.files) == package.sha256)
    #expect(try home.files.status(target + "/run").mode == 0o700)
    #expect(try home.files.status(target + "/lib/a").mode == 0o600)
  }

  @Test func makesTheExecutableExecutable() throws {
    let path = try home.add("shelf")
    let before = try PluginPackage(folder: path, in: home.files)
    chmod(path + "/run", 0o600)
    #expect(try PluginPackage(folder: path, in: home.files).sha256 == before.sha256)
  }

  @Test func followsALinkToTheFolder() throws {
    let path = try home.add("shelf")
    symlink(path, home.folder["way"])
    #expect(try PluginPackage(folder: home.folder["way"], in: home.files).files.count == 2)
  }

  @Test func rejectsFoldersThatAreNotPlugins() throws {
    let path = try home.add("shelf")
    unlink(path + "/run")
    #expect(throws: PluginContentsError("its executable 'run' is missing", isUnbuilt: true)) {
      _ = try PluginPackage(folder: path, in: home.files)
    }
    unlink(path + "/plugin.json")
    #expect(throws: PluginContentsError("it has no plugin.json")) {
      _ = try PluginPackage(folder: path, in: home.files)
    }
  }
}
