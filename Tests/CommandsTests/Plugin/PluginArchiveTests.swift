import Foundation
import Support
import Testing
import World

@testable import Commands

/// Archives, unpacked by the system's own programs: good ones, and ones that would do something else.
@Suite(
  .enabled(
    if: Tool.isInstalled("tar") && Tool.isInstalled("unzip") && Tool.isInstalled("python3"),
    "skipped: needs tar, unzip and python3"))
struct PluginArchiveTests {
  let plugins = PluginHome()
  private let advice = "  See ifttt-plugin(5) for what its folder may hold."

  /// Really runs what unpacks.
  private func install(_ archive: String) -> Home.Outcome {
    plugins.home.adapt = { world in
      world.processes = Programs(interruption: world.interruption)
    }
    return plugins.run("plugin install '\(plugins.folder[archive])' --yes")
  }

  /// Makes an archive by Python, which writes whatever it is told.
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
  func ofEachForm(archive: String) throws {
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
    (#"t.addfile(*entry("../escaped"))"#, "the archive has a name that leads elsewhere: '../escaped'"),
    (#"t.addfile(*entry("/tmp/ifttt-escaped"))"#, "the archive has a name that leads elsewhere: '/tmp/ifttt-escaped'"),
    (
      #"t.addfile(*entry("a", tarfile.SYMTYPE, "/etc")); t.addfile(*entry("a/b"))"#,
      "the archive has a link or a device: 'a'"
    ),
    (#"t.addfile(*entry("a", tarfile.LNKTYPE, "/etc/passwd"))"#, "the archive has a link or a device: 'a'"),
    (#"t.addfile(*entry("a", tarfile.FIFOTYPE))"#, "the archive has a link or a device: 'a'"),
    (#"[t.addfile(*entry(str(n))) for n in range(1001)]"#, "it has more than 1000 files"),
    (#"t.addfile(*entry("a\nb"))"#, "the archive has a name that leads elsewhere: 'a\\nb'"),
  ]

  @Test(arguments: hostile) func isRefusedBeforeItIsUnpacked(script: String, reason: String) throws {
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

  @Test func aLinkInAZipIsRefused() throws {
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
      install("evil.zip").notes.suffix(2) == ["  the archive has a link or a device: 'run'", advice])
  }

  /// A few kilobytes that would become gigabytes.
  @Test func aBombIsRefused() throws {
    try plugins.write("shelf")
    try pack(
      """
      with tarfile.open("bomb.tgz", "w:gz") as t:
          t.add("source/shelf", "shelf")
          t.addfile(*entry("shelf/large", data=bytes(70 << 20)))
      """)
    #expect(install("bomb.tgz").notes.dropLast().last?.hasSuffix("too large") == true)
  }

  @Test func whatIsNoArchive() throws {
    plugins.folder.write("odd.tar.gz", "not an archive")
    let outcome = install("odd.tar.gz")
    #expect(outcome.exit == .failure)
    #expect(outcome.errors.contains("cannot be unpacked"))
    #expect(install("none.zip").exit == .notFound)
  }

  @Test func withoutTheProgramItSaysWhatToDo() throws {
    plugins.folder.write("shelf.zip", "x")
    plugins.home.prepare = { _ in }
    plugins.home.adapt = { $0.processes = Programs(interruption: nil) }
    let outcome = plugins.run("plugin install \(plugins.folder["shelf.zip"]) --yes")
    #expect(outcome.notes.last == "  Install 'unzip', or unpack it yourself and name the folder.")
  }

  /// The system's own programs, or none; of this one nothing is known.
  private final class Programs: Processes {
    let id: Int32 = 1
    private let live: LiveProcesses?

    init(interruption: (any Interruption)?) {
      live = interruption.map { LiveProcesses(interruption: $0, environment: .live) }
    }

    func run(_ arguments: [String], input: [UInt8], limit: Duration) throws(SystemError) -> ProcessResult {
      guard let live else { throw SystemError(number: ENOENT, call: arguments[0]) }
      return try live.run(arguments, input: input, limit: limit)
    }

    func openBrowser(_ url: String, with command: String?) throws(SystemError) {}
    func startAgain(_ arguments: [String]) throws(SystemError) {}
  }
}
