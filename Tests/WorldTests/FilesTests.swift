import Support
import Testing
import Text
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct FilesTests {
  let folder = TemporaryFolder()
  let files = LiveFiles(interruption: TestInterruption())

  @Test func readAcceptsUpToTheLimit() throws {
    folder.write("five", "12345")
    #expect(try files.read(folder["five"], limit: 5) == Array("12345".utf8))
    #expect(throws: SystemError(number: EFBIG, call: "read \(folder["five"])")) {
      try files.read(folder["five"], limit: 4)
    }
  }

  /// The name of a file may have any bytes, which its text keeps.
  @Test(arguments: [[0x63, 0x61, 0x66, 0xe9], [0xff, 0x2e, 0xc3, 0xa9], Array("\u{10FFE9}".utf8)])
  func aNameMayHaveAnyBytes(_ bytes: [UInt8]) throws {
    let name = FileName.text(of: bytes)
    #expect(FileName.bytes(of: name) == bytes)
    try files.makeNewFolder(folder["new/\(name)"])
    try files.replace(folder["new/\(name)/\(name)"], with: Array("mine".utf8), mode: 0o600)
    #expect(try files.read(folder["new/\(name)/\(name)"], limit: 10) == Array("mine".utf8))
    #expect(try files.names(in: folder["new"]) == [name])
    #expect(try files.status(folder["new/\(name)/\(name)"]).size == 4)
    // The system knows the name as it was given.
    let path = Array(folder["new/"].utf8) + bytes + [0x2f] + bytes + [0]
    #expect(
      path.withUnsafeBufferPointer { access($0.withMemoryRebound(to: CChar.self) { $0.baseAddress! }, R_OK) } == 0)
    try files.removeFolder(folder["new"])
    #expect(throws: SystemError.self) { try files.status(folder["new"]) }
  }

  @Test func makeNewFolderRequiresANewOrEmptyFolder() throws {
    let path = folder["above/new"]
    try files.makeNewFolder(path)
    #expect(try files.status(path).mode == 0o700)
    chmod(path, 0o755)
    try files.makeNewFolder(path)
    #expect(try files.status(path).mode == 0o700)
    folder.write("above/new/file", "mine")
    #expect(throws: SystemError.self) { try files.makeNewFolder(path) }
    #expect(folder.text("above/new/file") == "mine")
    #expect(throws: SystemError.self) { try files.makeNewFolder(folder["above/new/file"]) }
    #expect(throws: SystemError.self) { try files.makeNewFolder("a\0b") }
  }

  @Test func removesAFolderWithItsContentsOnly() throws {
    try files.makeFolder(folder["gone/deep"])
    folder.write("kept", "mine")
    folder.write("gone/deep/file", "x")
    symlink(folder.path, folder["gone/link"])
    try files.removeFolder(folder["gone"])
    #expect(folder.names == ["kept"])
    #expect(throws: SystemError.self) { try files.removeFolder(folder["gone"]) }
    #expect(throws: SystemError.self) { try files.removeFolder(folder["kept"]) }
  }

  @Test func readFollowsALink() throws {
    folder.write("target", "text")
    symlink("target", folder["link"])
    #expect(try files.read(folder["link"], limit: 10) == Array("text".utf8))
    #expect(try files.status(folder["link"]).kind == .link)
  }

  /// The target of a link may belong to another user.
  @Test func removesALinkToAFolderButNotItsTarget() throws {
    try files.makeFolder(folder["far"])
    folder.write("far/kept", "x")
    symlink(folder["far"], folder["link"])
    try files.removeFolder(folder["link"])
    #expect(folder.names == ["far", "far/kept"])
  }

  /// The read blocks neither when it opens a pipe nor at its end.
  @Test func readRegularRejectsPipesDevicesAndFolders() throws {
    folder.write("target", "text")
    symlink("target", folder["link"])
    for name in ["target", "link"] {
      #expect(try files.readRegular(folder[name], limit: 4) == Array("text".utf8))
      #expect(throws: SystemError(number: EFBIG, call: "read \(folder[name])")) {
        try files.readRegular(folder[name], limit: 3)
      }
    }
    mkfifo(folder["pipe"], 0o600)
    symlink("pipe", folder["way"])
    symlink("/dev/zero", folder["zeros"])
    for name in ["pipe", "way", "zeros", ""] {
      let error = SystemError(number: SystemError.notRegular, call: "read \(folder[name])")
      #expect(throws: error) { try files.readRegular(folder[name], limit: 1 << 20) }
      #expect(error.description == "read \(folder[name]): not a regular file")
    }
  }

  @Test(arguments: [("missing", ENOENT, "open"), ("", EISDIR, "read")])
  func readErrorNamesThePath(name: String, number: Int32, call: String) {
    let path = folder[name]
    #expect(throws: SystemError(number: number, call: "\(call) \(path)")) { try files.read(path, limit: 10) }
  }

  @Test func rejectsAPathWithNUL() {
    folder.write("secret", "text")
    let path = folder["secret\0.txt"]
    #expect(throws: SystemError(number: EINVAL, call: "open")) { try files.read(path, limit: 10) }
    #expect(throws: SystemError(number: EINVAL, call: "open")) { try files.remove(path) }
    #expect(folder.names == ["secret"])
  }

  @Test func interruptEndsARead() {
    mkfifo(folder["pipe"], 0o600)
    let writer = open(folder["pipe"], O_RDWR | O_CLOEXEC)
    defer { close(writer) }
    let interruption = TestInterruption()
    interruption.interrupt()
    #expect(throws: SystemError(number: EINTR, call: "read \(folder["pipe"])")) {
      try LiveFiles(interruption: interruption).read(folder["pipe"], limit: 10)
    }
  }

  @Test func makeFolderCreatesPrivateFolders() throws {
    try files.makeFolder(folder["a/b//c/"])
    try files.makeFolder(folder["a/b/c"])
    for name in ["a", "a/b", "a/b/c"] {
      let facts = try files.status(folder[name])
      #expect(facts.kind == .folder)
      #expect(facts.mode == 0o700)
    }
    folder.write("file", "")
    #expect(throws: SystemError(number: ENOTDIR, call: "mkdir \(folder["file"])")) {
      try files.makeFolder(folder["file"])
    }
  }

  @Test func statusReportsKindModeOwnerAndSize() throws {
    folder.write("file", "12345", mode: 0o640)
    let status = try files.status(folder["file"])
    #expect(status.kind == .file && status.mode == 0o640 && status.owner == FileStatus.user && status.size == 5)
    #expect(try files.status("/dev/null").kind == .other)
    #expect(throws: SystemError(number: ENOENT, call: "lstat \(folder["none"])")) { try files.status(folder["none"]) }
  }

  @Test func removesAFile() throws {
    folder.write("file", "")
    try files.remove(folder["file"])
    #expect(folder.names.isEmpty)
    #expect(throws: SystemError(number: ENOENT, call: "unlink \(folder["file"])")) { try files.remove(folder["file"]) }
  }
}
