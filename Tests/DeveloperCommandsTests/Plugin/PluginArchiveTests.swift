import Foundation
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// Installing from good and hostile archives. No external program reads them: the test's world permits none.
@Suite(.enabled(if: Tool.isInstalled("python3"), "skipped: needs python3"))
struct PluginArchiveTests {
  let plugins = PluginHome()
  private let advice = "  See ifttt-plugin(5) for the files that a plugin may contain."

  private func install(_ archive: String, _ option: String = "--yes") -> Home.Outcome {
    plugins.run("plugin install '\(plugins.folder[archive])' \(option)")
  }

  /// Creates an archive with Python, which can write any content.
  private func pack(_ script: String) throws {
    let helper = """
      import io, os, sys, tarfile, zipfile
      os.chdir(sys.argv[1])
      def entry(name, kind=tarfile.REGTYPE, link="", data=b"x"):
          info = tarfile.TarInfo(name)
          info.type, info.linkname, info.size = kind, link, len(data) if kind == tarfile.REGTYPE else 0
          return info, io.BytesIO(data)

      """
    let outcome = try Tool.required("python3").run(["-c", helper + script, plugins.folder.path], in: ScratchFolder())
    #expect(outcome == Tool.Outcome(status: 0))
  }

  @Test(arguments: ["shelf.tar", "shelf.tar.gz", "shelf.tgz", "flat.tar", "shelf.zip", "-C odd:name.tar"])
  func installsEveryArchiveFormat(archive: String) throws {
    try plugins.write("shelf")
    try pack(
      """
      for name, mode in [("shelf.tar", "w"), ("shelf.tar.gz", "w:gz"), ("shelf.tgz", "w:gz"), ("-C odd:name.tar", "w")]:
          with tarfile.open(name, mode) as tar: tar.add("source/shelf", "shelf")
      with tarfile.open("flat.tar", "w") as tar: tar.add("source/shelf", ".")
      with zipfile.ZipFile("shelf.zip", "w", zipfile.ZIP_DEFLATED) as z:
          for name in ["plugin.json", "run"]: z.write("source/shelf/" + name, "shelf/" + name)
      """)
    let outcome = install(archive)
    #expect(outcome.exit == .success, "\(outcome.errors)")
    #expect(try plugins.listed() == [["shelf", "ready", nil]])
    #expect(plugins.folder.names.filter { $0.hasPrefix("plugins/.") } == ["plugins/.lock"])
  }

  static let hostile: [(script: String, reason: String)] = [
    (#"t.addfile(*entry("../escaped"))"#, "the archive contains a name outside its folder: '../escaped'"),
    (
      #"t.addfile(*entry("/tmp/ifttt-escaped"))"#,
      "the archive contains a name outside its folder: '/tmp/ifttt-escaped'"
    ),
    (
      #"t.addfile(*entry("a", tarfile.SYMTYPE, "/etc")); t.addfile(*entry("a/b"))"#,
      "the archive contains a link or a device: 'a'"
    ),
    (#"t.addfile(*entry("a", tarfile.LNKTYPE, "/etc/passwd"))"#, "the archive contains a link or a device: 'a'"),
    (#"t.addfile(*entry("a", tarfile.FIFOTYPE))"#, "the archive contains a link or a device: 'a'"),
    (#"[t.addfile(*entry(str(n))) for n in range(1001)]"#, "it has more than 1000 files"),
    (#"t.addfile(*entry("a\nb"))"#, "the archive contains a name outside its folder: 'a\\nb'"),
  ]

  @Test(arguments: hostile) func hostileArchivesAreRejectedBeforeUnpacking(script: String, reason: String) throws {
    try plugins.write("shelf")
    try pack(
      """
      with tarfile.open("evil.tar", "w") as t:
          t.add("source/shelf", "shelf")
          \(script)
      """)
    let outcome = install("evil.tar")
    #expect(outcome.exit == .failure)
    #expect(outcome.notes.suffix(2) == ["  \(reason)", advice])
    #expect(
      !plugins.folder.names.contains { $0.hasPrefix("plugins/s") || $0.hasPrefix("plugins/.u") || $0 == "escaped" })
  }

  @Test func aLinkInAZipIsRejected() throws {
    try plugins.write("shelf")
    try pack(
      """
      with zipfile.ZipFile("evil.zip", "w") as z:
          z.write("source/shelf/plugin.json", "plugin.json")
          link = zipfile.ZipInfo("run")
          link.create_system, link.external_attr = 3, 0o120777 << 16
          z.writestr(link, "/bin/sh")
      """)
    #expect(
      install("evil.zip").notes.suffix(2) == ["  the archive contains a link or a device: 'run'", advice])
  }

  static let bombs: [(name: String, script: String)] = [
    (
      "bomb.tgz",
      """
      with tarfile.open("bomb.tgz", "w:gz") as t:
          t.add("source/shelf", "shelf")
          t.addfile(*entry("shelf/large", data=bytes(90 << 20)))
      """
    ),
    // A listing shows the owner's name before the size: this name contains a size.
    (
      "owner.tar",
      """
      with tarfile.open("owner.tar", "w") as t:
          t.add("source/shelf", "shelf")
          info, data = entry("shelf/large", data=bytes(66 << 20))
          info.uname = info.gname = "a/b 1 2 3"
          t.addfile(info, data)
      """
    ),
    // Many files, each of them small.
    (
      "many.tgz",
      """
      with tarfile.open("many.tgz", "w:gz") as t:
          t.add("source/shelf", "shelf")
          for n in range(900): t.addfile(*entry("shelf/%d" % n, data=bytes(100 << 10)))
      """
    ),
    (
      "bomb.zip",
      """
      with zipfile.ZipFile("bomb.zip", "w", zipfile.ZIP_DEFLATED) as z:
          for name in ["plugin.json", "run"]: z.write("source/shelf/" + name, name)
          z.writestr("large", bytes(70 << 20))
      """
    ),
  ]

  /// A few kilobytes that would expand to much more. A dry run must reject them too.
  @Test(arguments: bombs) func decompressionBombsAreRejected(name: String, script: String) throws {
    try plugins.write("shelf")
    try pack(script)
    let before = plugins.folder.names
    for option in ["--yes", "--dry-run"] {
      let outcome = install(name, option)
      #expect(outcome.exit == .failure, "\(option)")
      #expect(outcome.notes.suffix(2) == ["  it is larger than 64 MiB", advice], "\(option)")
      #expect(plugins.folder.names == before, "\(option)")
    }
  }

  /// The directory of a zip file states the size of each file; this one states 10 bytes for 70 MiB.
  @Test func aZipWithAFalseSizeIsRejected() throws {
    try plugins.write("shelf")
    try pack(
      """
      import struct
      with zipfile.ZipFile("lies.zip", "w", zipfile.ZIP_DEFLATED) as z:
          for name in ["plugin.json", "run"]: z.write("source/shelf/" + name, name)
          z.writestr("large", bytes(70 << 20))
      data = open("lies.zip", "rb").read()
      open("lies.zip", "wb").write(data.replace(struct.pack("<I", 70 << 20), struct.pack("<I", 10)))
      """)
    let before = plugins.folder.names
    for option in ["--yes", "--dry-run"] {
      #expect(install("lies.zip", option).notes.suffix(2) == ["  it is larger than 64 MiB", advice], "\(option)")
      #expect(plugins.folder.names == before, "\(option)")
    }
  }

  /// The archive is read before the prompt, and nothing is written.
  @Test func aDryRunWritesNothing() throws {
    try plugins.write("shelf")
    try pack("with tarfile.open('shelf.tgz', 'w:gz') as t: t.add('source/shelf', 'shelf')")
    let before = plugins.folder.names
    #expect(install("shelf.tgz", "--dry-run").errors.hasSuffix("Would install plugin 'shelf'.\n"))
    #expect(plugins.folder.names == before)
  }

  @Test func invalidArchivesAreReported() throws {
    plugins.folder.write("odd.tar.gz", "not an archive")
    let outcome = install("odd.tar.gz")
    #expect(outcome.exit == .failure)
    #expect(outcome.errors.contains("the archive is damaged, or has the wrong file name extension"))
    #expect(install("none.zip").exit == .notFound)
    mkfifo(plugins.folder["pipe.zip"], 0o600)
    #expect(install("pipe.zip").errors.contains("not a regular file"))
  }
}
