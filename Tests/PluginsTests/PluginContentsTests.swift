import Foundation
import Plugins
import Support
import Testing
import World

/// The files and folders that a plugin's folder may contain.
@Suite struct PluginContentsTests {
  let home = PluginFolder()

  private func reason(_ path: String) -> String? {
    do throws(PluginContentsError) {
      _ = try PluginContents(of: path, in: home.files)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func listsFilesInByteOrderOfTheirPaths() throws {
    let path = try home.add("shelf")
    try home.files.makeFolder(path + "/a")
    for name in ["a/z", "a.b", "é", "Z"] { home.folder.write("plugins/shelf/\(name)", "1234") }
    let contents = try home.contents(path)
    #expect(contents.files.map(\.path) == ["Z", "a.b", "a/z", "plugin.json", "run", "é"])
    #expect(contents.folders.map(\.path) == ["", "a"])
    #expect(contents.files.first?.stamp.size == 4)
    #expect(contents.files.map(\.isExecutable) == [false, false, false, false, true, false])
  }

  @Test func rejectsLinksAndSpecialFiles() throws {
    let path = try home.add("shelf")
    symlink("/etc/passwd", path + "/link")
    #expect(reason(path) == "'link' is neither a file nor a folder")
    unlink(path + "/link")
    mkfifo(path + "/pipe", 0o600)
    #expect(reason(path) == "'pipe' is neither a file nor a folder")
    unlink(path + "/pipe")
    symlink(path, home.folder["way"])
    #expect(reason(home.folder["way"]) == "\(home.folder["way"]) is neither a file nor a folder")
    #expect(reason(path) == nil)
    #expect(reason(home.folder["nothing"])?.hasPrefix("lstat") == true)
  }

  @Test func rejectsTooManyOrTooLargeFiles() throws {
    let path = try home.add("shelf")
    for number in 0..<PluginContents.fileLimit { home.folder.write("plugins/shelf/\(number)", "") }
    #expect(reason(path) == "it has more than 1000 files")
    let other = try home.add("heavy")
    truncate(other + "/run", PluginContents.sizeLimit)
    #expect(reason(other) == "it is larger than 64 MiB")
  }

  @Test func findsFilesThatOtherUsersCouldChange() throws {
    let path = try home.add("shelf")
    let own: Set<UInt32> = [FileStatus.user]
    #expect(try home.contents(path).exposed(toAllBut: own) == nil)
    chmod(path + "/run", 0o770)
    #expect(try home.contents(path).exposed(toAllBut: own)?.path == "run")
    chmod(path + "/run", 0o755)
    #expect(try home.contents(path).exposed(toAllBut: own) == nil)
    #expect(try home.contents(path).exposed(toAllBut: [FileStatus.user + 1])?.path == "")
    chmod(path, 0o702)
    #expect(try home.contents(path).exposed(toAllBut: own)?.path == "")
  }

  @Test func findsNamesThatDifferOnlyInCase() throws {
    let path = try home.add("shelf")
    #expect(try PluginContents.twins(among: home.contents(path).files.map(\.path)) == nil)
    home.folder.write("plugins/shelf/RUN", "")
    try #require(home.folder.names.contains("plugins/shelf/run") && home.folder.names.contains("plugins/shelf/RUN"))
    let twins = try #require(try PluginContents.twins(among: home.contents(path).files.map(\.path)))
    #expect([twins.0, twins.1] == ["RUN", "run"])
  }
}
