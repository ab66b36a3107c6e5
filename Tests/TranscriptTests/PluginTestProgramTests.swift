import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `plugin test` of the built program on real plugins.
@Suite struct PluginTestProgramTests {
  let home = Home()

  init() { home.environment["PATH"] = ProcessInfo.processInfo.environment["PATH"] }

  private static let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Examples/plugins").path

  @Test func theSamplePasses() throws {
    let test = try home.run("plugin", "test", "\(Self.samples)/feeds", "--json", "--timeout", "1h")
    #expect(test.status == 0, "\(test.text) \(test.errors)")
    let rows = try #require(JSONSerialization.jsonObject(with: Data(test.output)) as? [[String: Any]])
    #expect(rows.count == 28 && rows.allSatisfy { $0["status"] as? String != "fail" })
    let schema = try home.run("schema", "plugin-test").text
    #expect(try JSONSchemaValidator.problems(in: [.init(schema: schema, documents: [test.text])]) == [])
  }

  /// A plugin that sends nothing and ignores SIGTERM, with a child process.
  private func stubborn() throws -> String {
    let folder = home.folder["stubborn"]
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    _ = home.folder.write(
      "stubborn/plugin.json",
      #"{"schema_version":1,"name":"stubborn","version":"1","summary":"s","kind":"provider","protocol":["1"]}"#)
    _ = home.folder.write(
      "stubborn/ifttt-stubborn",
      """
      #!/bin/sh
      trap '' TERM
      sleep 1000 &
      echo $$ $! > '\(folder)/new' && mv '\(folder)/new' '\(folder)/ids'
      echo started >&2
      while :; do wait; done
      """, mode: 0o700)
    return folder
  }

  @Test func ctrlCEndsTheWholeProcessGroup() throws {
    let folder = try stubborn()
    let running = try home.start(["plugin", "test", folder, "--check", "handshake"])
    waitUntil(FileManager.default.fileExists(atPath: "\(folder)/ids"))
    running.signal(SIGINT)
    #expect(running.wait() == 130)
    // Its stderr is shown as far as it was read.
    let errors = running.readToEnd(running.errors)
    #expect(errors.replacing("stubborn: started\n", with: "") == "ifttt: interrupted\n")
    let ids = try #require(home.folder.text("stubborn/ids")).split(whereSeparator: \.isWhitespace).compactMap {
      pid_t($0)
    }
    #expect(ids.count == 2)
    for id in ids { waitUntil(hasEnded(id)) }
  }

  @Test func aFailedWriteIsAFailure() throws {
    let words = ["plugin", "test", "\(Self.samples)/feeds", "--check", "handshake"]
    let test = try home.run(words, output: "/dev/full")
    #expect(test.status == 1)
    #expect(test.errors.hasPrefix("ifttt: cannot write the output\n"))
  }

  /// Whether a process has exited. A grandchild whose parent died may remain as a zombie for a while.
  private func hasEnded(_ id: pid_t) -> Bool {
    guard kill(id, 0) == 0 else { return true }
    guard let status = FileManager.default.contents(atPath: "/proc/\(id)/stat") else { return true }
    return String(decoding: status, as: UTF8.self).contains(") Z ")
  }
}
