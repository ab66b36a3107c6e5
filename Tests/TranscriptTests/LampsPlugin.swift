import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The provider of `Servers/lamps.sh`, with the connections `l1`, `l2` and `l3`.
final class LampsPlugin {
  static let name = "lamps"
  static let ids = ["l1", "l2", "l3"]
  private let folder = TemporaryFolder()
  /// The reading end of a pipe that has a writer as long as a process of the plugin runs.
  private let alive: Int32
  /// The descriptor that becomes readable when a request is held.
  let held: Int32
  private let go: Int32

  /// Installs the plugin.
  init(in home: Home) throws {
    for name in ["alive", "asked", "go"] { mkfifo(folder[name], 0o600) }
    alive = open(folder["alive"], O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    // With a writer of its own, neither side waits for the other to open a pipe.
    held = open(folder["asked"], O_RDWR | O_NONBLOCK | O_CLOEXEC)
    go = open(folder["go"], O_RDWR | O_NONBLOCK | O_CLOEXEC)
    folder.write("changes", Self.ids.map { "\($0) enable\n" }.joined())
    release()

    let script = try #require(Bundle.module.resourceURL).appendingPathComponent("Servers/lamps.sh")
    let text = try String(contentsOf: script, encoding: .utf8).replacing("cd 'FOLDER'", with: "cd '\(folder.path)'")
    let source = try ScratchFolder()
    try source.write(text, to: "ifttt-lamps", isExecutable: true)
    try source.write(
      #"{"schema_version":1,"name":"lamps","version":"1","summary":"S","kind":"provider","protocol":["1"],"#
        + #""capabilities":["connections/list","connections/show","connections/enable","connections/disable"],"#
        + #""files":[{"path":"\#(folder.path)","access":"write"}]}"#, to: "plugin.json")
    let installed = try home.run("plugin", "install", source.path, "--yes")
    try #require(installed.status == 0, "\(installed.errors)")
  }

  deinit { for descriptor in [alive, held, go] { close(descriptor) } }

  /// Hold a request of the next process, where the first one has the number 2.
  /// - Parameter moment: how far it comes: `before` or `after`; `die` to end the plugin instead, `die-after` once the
  ///   change is made.
  func hold(_ number: Int, _ moment: String) { folder.write("hold", "\(number) \(moment)\n") }

  /// End the process whose request is held, and hold nothing any longer.
  func release() {
    hold(0, "none")
    _ = write(go, "\n", 1)
    waitForEnd()
    for pipe in [held, go] { drain(pipe) }
  }

  /// Wait until no process of the plugin runs.
  private func waitForEnd() {
    var byte: UInt8 = 0
    while read(alive, &byte, 1) < 0 { usleep(500) }
  }

  private func drain(_ pipe: Int32) {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(pipe, &bytes, bytes.count) > 0 {}
  }

  private func verb(_ id: String, in lines: [[String]]) -> String { lines.last { $0[0] == id }?[1] ?? "" }

  /// The changes since the last report, and the states now.
  func report() -> (changes: [ChangesServer.Change], states: [ChangesServer.Subject: ChangesServer.State]) {
    let lines = (folder.text("changes") ?? "").split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    folder.write("changes", Self.ids.map { "\($0) \(verb($0, in: lines))\n" }.joined())
    let states = Self.ids.map { id in
      (ChangesServer.Subject(user: Self.name, id: id), ChangesServer.State(status: verb(id, in: lines) + "d"))
    }
    let changes = lines.dropFirst(Self.ids.count)
      .map { ChangesServer.Change(user: Self.name, id: $0[0], verb: $0[1]) }
    return (changes, Dictionary(uniqueKeysWithValues: states))
  }
}
