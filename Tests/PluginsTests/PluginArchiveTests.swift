import Foundation
import Plugins
import Support
import Testing

/// Archives written by Python in every form of the formats, both intact and damaged.
@Suite(.enabled(if: Tool.isInstalled("python3"), "skipped: needs python3"))
struct PluginArchiveTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// The output of a Python script. Its helper functions write the same three files in each format.
  private func made(_ script: String, _ name: String = "x") throws -> [UInt8] {
    let helper = """
      import gzip, io, os, random, struct, sys, tarfile, zipfile, zlib
      os.chdir(sys.argv[1])
      random.seed(7)
      noise = random.getrandbits(8 * 70000).to_bytes(70000, "little")
      words = b" ".join(random.choice([b"kettle", b"fan", b"porch light"]) for n in range(9000))
      FILES = [("shelf/plugin.json", b"{}", 0o644), ("shelf/bin/run", words, 0o755), ("shelf/noise", noise, 0o600)]
      def tar(form, files=FILES, **more):
          out = io.BytesIO()
          with tarfile.open(fileobj=out, mode="w", format=form, **more) as t:
              for name, data, mode in files:
                  info = tarfile.TarInfo(name)
                  info.size, info.mode = len(data), mode
                  t.addfile(info, io.BytesIO(data))
          return out.getvalue()
      def zipped(method, level=None, files=FILES):
          out = io.BytesIO()
          with zipfile.ZipFile(out, "w", method, compresslevel=level) as z:
              for name, data, mode in files:
                  info = zipfile.ZipInfo(name)
                  info.compress_type, info.create_system, info.external_attr = method, 3, (0o100000 | mode) << 16
                  z.writestr(info, data, compresslevel=level)
          return out.getvalue()
      def write(data): open("x", "wb").write(data)
      for name, data, mode in FILES: open(os.path.basename(name), "wb").write(data)

      """
    let outcome = try Tool.required("python3").run(["-c", helper + script, folder.path], in: folder)
    try #require(outcome == Tool.Outcome(status: 0))
    return Array(try Data(contentsOf: folder.url.appendingPathComponent(name)))
  }

  private func reason(_ form: PluginArchive, _ bytes: [UInt8]) -> String? {
    do throws(PluginContentsError) {
      _ = try form.files(in: bytes)
      return nil
    } catch { return error.description }
  }

  static let forms: [(form: PluginArchive, script: String)] = [
    (.tar, "write(tar(tarfile.USTAR_FORMAT))"), (.tar, "write(tar(tarfile.GNU_FORMAT))"),
    (.tar, "write(tar(tarfile.PAX_FORMAT, pax_headers={'comment': 'made by hand'}))"),
    // Without the empty blocks at the end.
    (
      .tar,
      "t = tar(tarfile.USTAR_FORMAT); write(t.rstrip(b'\\0').ljust((len(t.rstrip(b'\\0')) + 511) // 512 * 512, b'\\0'))"
    ),
    (.compressedTar, "write(gzip.compress(tar(tarfile.USTAR_FORMAT), 0))"),
    (.compressedTar, "write(gzip.compress(tar(tarfile.USTAR_FORMAT), 1))"),
    (.compressedTar, "write(gzip.compress(tar(tarfile.USTAR_FORMAT), 9) + bytes(500))"),
    (
      .compressedTar,
      "t = tar(tarfile.USTAR_FORMAT); write(b''.join(gzip.compress(t[n:n + 30000]) for n in range(0, len(t), 30000)))"
    ),
    (
      .compressedTar,
      """
      c = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_FIXED)
      t = tar(tarfile.USTAR_FORMAT)
      h = b"\\x1f\\x8b\\x08\\x1e" + bytes(6) + b"\\x03\\0abcname\\0comment\\0"
      write(h + struct.pack("<H", zlib.crc32(h) & 0xffff) + c.compress(t) + c.flush()
            + struct.pack("<II", zlib.crc32(t), len(t)))
      """
    ),
    (.zip, "write(zipped(zipfile.ZIP_STORED))"), (.zip, "write(zipped(zipfile.ZIP_DEFLATED, 1))"),
    (.zip, "write(zipped(zipfile.ZIP_DEFLATED, 9))"),
  ]

  @Test(arguments: forms) func returnsTheArchivedFiles(form: PluginArchive, script: String) throws {
    let files = try form.files(in: made(script))
    #expect(files.map(\.path) == ["plugin.json", "bin/run", "noise"])
    #expect(files.map(\.isExecutable) == [false, true, false])
    for (file, name) in zip(files, ["plugin.json", "run", "noise"]) {
      #expect(Array(try Data(contentsOf: folder.url.appendingPathComponent(name))) == file.bytes)
    }
  }

  @Test(arguments: ["GNU", "PAX", "USTAR"]) func readsLongNames(form: String) throws {
    let name = "a/" + String(repeating: "x", count: 90) + "/" + String(repeating: "y", count: 60)
    let bytes = try made("write(tar(tarfile.\(form)_FORMAT, [('\(name)', b'1', 0o644), ('plugin.json', b'2', 0o644)]))")
    #expect(try PluginArchive.tar.files(in: bytes).map(\.path) == [name, "plugin.json"])
  }

  /// A truncated archive is either rejected or gives only complete files; for a tar these are its first ones.
  @Test(arguments: [
    (PluginArchive.tar, "write(tar(tarfile.PAX_FORMAT)[:6000])"),
    (.compressedTar, "write(gzip.compress(tar(tarfile.USTAR_FORMAT, FILES[:1])))"),
    (.zip, "write(zipped(zipfile.ZIP_DEFLATED, files=FILES[:1]))"),
  ])
  func truncatedArchivesGiveOnlyCompleteFiles(form: PluginArchive, script: String) throws {
    let bytes = try made(script)
    for count in bytes.indices {
      guard let files = try? form.files(in: Array(bytes[..<count])) else { continue }
      #expect(form == .tar && files.allSatisfy { $0.path == "plugin.json" && $0.bytes == Array("{}".utf8) })
    }
  }

  /// The checksum detects a changed byte.
  @Test func rejectsChangedData() throws {
    for (form, script) in [
      (PluginArchive.compressedTar, "write(gzip.compress(tar(tarfile.USTAR_FORMAT), 0))"),
      (.zip, "write(zipped(zipfile.ZIP_STORED))"),
    ] {
      var bytes = try made(script)
      bytes[bytes.count / 2] ^= 1
      #expect(reason(form, bytes) == "the archive is damaged, or has the wrong file name extension")
    }
  }

  static let rejected: [(form: PluginArchive, script: String, reason: String)] = [
    (.tar, "write(tar(tarfile.USTAR_FORMAT, FILES + FILES[:1]))", "the archive contains 'shelf/plugin.json' twice"),
    (.zip, "write(zipped(0, files=FILES + [('shelf/bin', b'', 0o644)]))", "the archive contains 'shelf/bin' twice"),
    (.tar, "write(tar(tarfile.USTAR_FORMAT, [('a', b'', 0), ('a/b', b'', 0)]))", "the archive contains 'a' twice"),
    (.zip, "write(zipped(0, files=[('../x', b'', 0)]))", "the archive contains a name outside its folder: '../x'"),
    (.zip, "write(zipped(0, files=[('a\\\\x', b'', 0)]))", "the archive contains a name outside its folder: 'a\\x'"),
    (
      .tar, "write(tar(tarfile.USTAR_FORMAT).replace(b'shelf/noise', b'shelf/noi\\xff\\xfe', 1))",
      "the archive is damaged, or has the wrong file name extension"
    ),
    (.zip, "write(zipped(zipfile.ZIP_BZIP2))", "the archive uses compression method 12, which is not supported"),
    (
      .zip, "z = bytearray(zipped(0)); z[z.index(b'PK\\1\\2') + 8] |= 1; write(z)", "the archive is encrypted"
    ),
    // The directory and the file's own header have different names.
    (
      .zip, "write(zipped(0).replace(b'shelf/noise', b'shelf/other', 1))",
      "the archive is damaged, or has the wrong file name extension"
    ),
    (.zip, "write(b'PK')", "the archive is damaged, or has the wrong file name extension"),
    (.tar, "write(bytes(range(256)) * 4)", "the archive is damaged, or has the wrong file name extension"),
    (
      .compressedTar, "write(tar(tarfile.USTAR_FORMAT))", "the archive is damaged, or has the wrong file name extension"
    ),
    (
      .tar,
      "write(tar(tarfile.USTAR_FORMAT, [(str(n) + '/a/b/c/d/e/f/g/h/i', b'', 0) for n in range(120)]))",
      "it has more than 1000 files"
    ),
  ]

  @Test(arguments: rejected) func rejectsInvalidArchives(form: PluginArchive, script: String, reason: String) throws {
    #expect(self.reason(form, try made(script)) == reason)
  }

  /// Swift takes a slash and a combining character after it for one character; a file system does not.
  @Test func aSlashBeforeACombiningCharacterEndsAFolder() throws {
    let inside = "write(tar(tarfile.USTAR_FORMAT, [('shelf/\\u0301a', b'', 0), ('shelf/b', b'', 0)]))"
    #expect(try PluginArchive.tar.files(in: made(inside)).map(\.path) == ["\u{301}a", "b"])
    let both = "write(zipped(0, files=[('a', b'', 0o644), ('a/\\u0338b', b'', 0o644)]))"
    #expect(reason(.zip, try made(both)) == "the archive contains 'a' twice")
    let hidden = "write(tar(tarfile.USTAR_FORMAT, [('.git/\\u0301x', b'', 0), ('a', b'', 0)]))"
    #expect(try PluginArchive.tar.files(in: made(hidden)).map(\.path) == ["a"])
  }

  @Test func skipsHiddenFiles() throws {
    let files = "[('./shelf/.git/config', b'x', 0), ('./shelf/plugin.json', b'{}', 0), ('.DS_Store', b'x', 0)]"
    #expect(
      try PluginArchive.tar.files(in: made("write(tar(tarfile.USTAR_FORMAT, \(files)))")).map(\.path) == [
        "plugin.json"
      ])
  }
}
