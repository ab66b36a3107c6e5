import Foundation
import Support
import Testing
import World

/// Folder operations: listing names, stamping files, and exchanging folders.
@Suite struct FoldersTests {
  let folder = TemporaryFolder()
  let files = LiveFiles(interruption: TestInterruption())

  @Test func namesAreInByteOrder() throws {
    for name in ["b", "é", "Z", ".hidden", "a b"] { folder.write(name, "") }
    #expect(try files.names(in: folder.path) == [".hidden", "Z", "a b", "b", "é"])
    #expect(throws: SystemError.self) { try files.names(in: folder["none"]) }
  }

  @Test func statusChangesWithTheFile() throws {
    let path = folder.write("a", "1234", mode: 0o640)
    let before = try files.status(path)
    #expect(before.kind == .file)
    #expect(before.mode == 0o640)
    #expect(before.size == 4)
    #expect(before.owner == FileStatus.user)
    #expect(try files.status(path) == before)
    // A new file with the same name and content has a different stamp.
    try files.replace(path, with: Array("1234".utf8), mode: 0o640)
    let after = try files.status(path)
    #expect(after.inode != before.inode || after.changed != before.changed)
    symlink(path, folder["link"])
    #expect(try files.status(folder["link"]).kind == .link)
    #expect(try files.status(folder.path).kind == .folder)
  }

  @Test func exchangesTwoFolders() throws {
    for name in ["one", "other"] {
      try files.makeNewFolder(folder[name])
      folder.write("\(name)/what", name)
    }
    #expect(try files.exchange(folder["one"], with: folder["other"]))
    #expect(folder.text("other/what") == "one")
    #expect(folder.text("one/what") == "other")
    #expect(try !files.exchange(folder["one"], with: folder["third"]))
    #expect(folder.text("third/what") == "other")
    #expect(folder.names == ["other", "other/what", "third", "third/what"])
    #expect(throws: SystemError.self) { _ = try files.exchange(folder["none"], with: folder["other"]) }
    #expect(folder.text("other/what") == "one")
  }
}
