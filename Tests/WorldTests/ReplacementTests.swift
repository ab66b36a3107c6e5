import Support
import Testing
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension LiveTests {
  @Suite struct ReplacementTests {
    let folder = TemporaryFolder()
    let files = LiveFiles(interruption: TestInterruption())

    @Test(arguments: [0o600, 0o644] as [UInt32])
    func replacesContentAndMode(mode: UInt32) throws {
      folder.write("file", "old", mode: 0o666)
      try files.replace(folder["file"], with: Array("new".utf8), mode: mode)
      #expect(folder.text("file") == "new")
      #expect(try files.status(folder["file"]).mode == mode)
      #expect(folder.names == ["file"])
    }

    @Test func replacesALinkButNotItsTarget() throws {
      folder.write("target", "old")
      symlink("target", folder["link"])
      try files.replace(folder["link"], with: [], mode: 0o600)
      #expect(try files.status(folder["link"]).kind == .file)
      #expect(folder.text("target") == "old")
    }

    @Test func failureLeavesOnlyTheOldFile() throws {
      try files.makeFolder(folder["occupied/inside"])
      #expect(throws: SystemError.self) { try files.replace(folder["occupied"], with: [1], mode: 0o600) }
      #expect(folder.names == ["occupied", "occupied/inside"])
      #expect(throws: SystemError(number: ENOENT, call: "open a new file in \(folder["none"])")) {
        try files.replace(folder["none/file"], with: [1], mode: 0o600)
      }
    }

    @Test func readerNeverSeesAPartialFile() throws {
      for _ in 0..<3 {
        let probe = try Probe(["replace", folder["file"]])
        #expect(probe.read(until: "begun\n") == "begun\n")
        for _ in 0..<100 {
          let bytes = try files.read(folder["file"], limit: 200_000)
          #expect(isWhole(bytes))
        }
        kill(probe.id, SIGKILL)
        #expect(probe.wait() == -SIGKILL)
        let bytes = try files.read(folder["file"], limit: 200_000)
        #expect(isWhole(bytes))
      }
    }

    private func isWhole(_ bytes: [UInt8]) -> Bool {
      let messages = [UInt8(ascii: "a"), UInt8(ascii: "b")]
      return messages.contains { bytes == [UInt8](repeating: $0, count: 100_000) }
    }
  }
}
