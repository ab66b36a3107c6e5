import Foundation
import Support
import Testing

/// Published plugins on a real web server that serves a folder, as users would try it on their machine.
@Suite(.enabled(if: Tool.isInstalled("python3"), "skipped: needs python3"))
struct WebPluginTests {
  private let published = PublishedFolder()
  private let server: Running
  private let url: String

  init() throws {
    try published.publish("1.0.0")
    server = try Running(
      [
        "/usr/bin/env", "python3", "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", published.site,
      ],
      environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"])
    server.read(until: "port ")
    url = "http://127.0.0.1:\(server.read(until: " ").dropLast())"
  }

  @Test func anIndexAndItsArchivesAreFetched() throws {
    try published.succeed("plugin", "index", "add", "local", "\(url)/index.json")
    try published.succeed("plugin", "install", "try", "--yes")
    #expect(try published.succeed("try") == "1.0.0\n")
    #expect(try published.value("origin,index") == "\(url)/try-1.0.0-any.tar.gz\tlocal")
    try published.publish("1.1.0")
    try published.succeed("plugin", "index", "update")
    try published.succeed("plugin", "upgrade", "--all", "--yes")
    #expect(try published.succeed("try") == "1.1.0\n")
    try published.succeed("plugin", "rollback", "try", "--yes")
    #expect(try published.succeed("try") == "1.0.0\n")
  }

  @Test func aURLNeedsAChecksum() throws {
    let archive = "\(url)/try-1.0.0-any.tar.gz"
    try published.succeed("plugin", "install", archive, "--yes")
    #expect(try published.succeed("try") == "1.0.0\n")
    try FileManager.default.removeItem(atPath: published.folder["site/SHA256SUMS"])
    let outcome = try published.run("plugin", "install", archive, "--yes", "--json")
    #expect(outcome.status == 1 && outcome.code == "refused", "\(outcome.errors)")
    published.folder.write("site/SHA256SUMS", "\(String(repeating: "0", count: 64))  try-1.0.0-any.tar.gz\n")
    let wrong = try published.run("plugin", "install", archive, "--yes")
    #expect(wrong.status == 1 && wrong.errors.contains("has a different SHA-256 than expected"))
  }
}
