import Foundation
import Plugins
import Support
import Testing

/// Archives that the program writes: it and tar read them, and equal files give equal bytes.
@Suite struct PluginArchiveWritingTests {
  private let files = [
    PluginPackage.File(path: "bin/run", isExecutable: true, bytes: Array("#!/bin/sh\n".utf8)),
    PluginPackage.File(path: "empty", isExecutable: false, bytes: []),
    PluginPackage.File(path: "plugin.json", isExecutable: false, bytes: [UInt8](repeating: 0x7b, count: 100_000)),
    PluginPackage.File(
      path: "\(String(repeating: "d", count: 90))/\(String(repeating: "f", count: 95))", isExecutable: false, bytes: [1]
    ),
  ]

  @Test func isReadBack() throws {
    let tar = try TarWriter.archive(of: files, in: "tides-1.0.0")
    #expect(try PluginArchive.tar.files(in: tar).sorted { $0.path < $1.path } == files.sorted { $0.path < $1.path })
    let compressed = try #require(GzipWriter.compress(tar))
    #expect(compressed.count < 2000)
    #expect(try PluginArchive.compressedTar.files(in: compressed).count == files.count)
    #expect(GzipWriter.compress(tar) == compressed)
  }

  @Test(.enabled(if: Tool.isInstalled("tar"), "skipped: needs tar")) func tarReadsIt() throws {
    let folder = try ScratchFolder()
    try Data(try #require(GzipWriter.compress(TarWriter.archive(of: files, in: "tides-1.0.0"))))
      .write(to: folder.url.appendingPathComponent("a.tar.gz"))
    #expect(try Tool.required("tar").run(["-xzf", "a.tar.gz"], in: folder).status == 0)
    let run = folder.url.appendingPathComponent("tides-1.0.0/bin/run")
    #expect(try Array(Data(contentsOf: run)) == files[0].bytes)
    #expect(FileManager.default.isExecutableFile(atPath: run.path))
  }

  @Test func tooLongPathsAreRejected() {
    let file = PluginPackage.File(path: String(repeating: "x", count: 101), isExecutable: false, bytes: [])
    #expect(throws: PluginContentsError.self) { _ = try TarWriter.archive(of: [file], in: "a") }
  }
}
