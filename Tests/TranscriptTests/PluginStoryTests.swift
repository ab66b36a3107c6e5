import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An author writes a plugin in an empty folder and publishes it, and a user on another machine finds, installs and
/// upgrades it: every command of the way, with a real web server and the real ssh-keygen.
@Suite(
  .enabled(if: Tool.isInstalled("python3") && Tool.isInstalled("ssh-keygen"), "skipped: needs python3 and ssh-keygen"))
struct PluginStoryTests {
  private let author = PublishedFolder()
  private let user = PublishedFolder()
  private var source: String { author.folder["ifttt-tides"] }

  private func edit(_ name: String, _ old: String, _ new: String, sourceLocation: SourceLocation = #_sourceLocation)
    throws
  {
    let text = try #require(author.folder.text("ifttt-tides/\(name)"), sourceLocation: sourceLocation)
    #expect(text.contains(old), "\(text)", sourceLocation: sourceLocation)
    let isProgram = name != "plugin.json"
    author.folder.write("ifttt-tides/\(name)", text.replacing(old, with: new), mode: isProgram ? 0o755 : 0o644)
  }

  private func publish() throws {
    try author.succeed(
      "plugin", "package", source, "--directory", "site", "--index", "site/index.json", "--sign", "key")
  }

  private func serve() throws -> (server: Running, url: String) {
    let server = try Running(
      [
        "/usr/bin/env", "python3", "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", author.site,
      ], environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"])
    server.read(until: "port ")
    return (server, "http://127.0.0.1:\(server.read(until: " ").dropLast())")
  }

  @Test func fromAnEmptyFolderToAnotherMachine() throws {
    // The author's day: a template, an edit, runs in place with a trace, the conformance tests.
    try author.succeed("plugin", "new", "tides")
    try edit("plugin.json", "\"version\": \"0.1.0\"", "\"version\": \"1.0.0\"")
    author.folder.write("ifttt-tides/ifttt-tides", "#!/bin/sh\necho high\n", mode: 0o755)
    try author.succeed("plugin", "link", source, "--yes")
    #expect(
      try author.succeed("plugin", "list", "-o", "tsv", "--no-header", "--fields", "name,status").contains(
        "tides\tlinked\n"))
    #expect(try author.succeed("tides") == "high\n")
    author.folder.write("ifttt-tides/ifttt-tides", "#!/bin/sh\necho low\n", mode: 0o755)
    #expect(try author.succeed("tides") == "low\n")
    let onServer = try author.home.run(["tides"], ["CI": "1"])
    #expect(onServer.status != 0 && onServer.errors.contains("linked"), "\(onServer.errors)")
    try author.succeed("plugin", "test", source)

    // Publication: an archive, an index and a signature on any web server.
    try author.tool("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "acme", "-f", author.folder["key"])
    try publish()
    let (server, url) = try serve()
    defer { server.signal(SIGTERM) }

    // The user's side.
    user.folder.write("acme.pub", try #require(author.folder.text("key.pub")))
    try user.succeed("plugin", "trust", "add", "acme", "acme.pub")
    try user.succeed("plugin", "index", "add", "acme", "\(url)/index.json")
    #expect(try user.succeed("plugin", "search", "tides").contains("1.0.0"))
    try user.succeed("plugin", "install", "tides", "--yes")
    #expect(try user.succeed("tides") == "low\n")
    #expect(try user.succeed("plugin", "show", "tides").contains("acme"))

    // An upgrade asks for one more permission, and says so first.
    try edit(
      "plugin.json", "\"version\": \"1.0.0\"",
      "\"version\": \"1.1.0\", \"files\": [{\"path\": \".\", \"access\": \"read\"}]")
    author.folder.write("ifttt-tides/ifttt-tides", "#!/bin/sh\ncat notes\n", mode: 0o755)
    try publish()
    #expect(try !user.succeed("plugin", "outdated").contains("1.1.0"))
    try user.succeed("plugin", "index", "update")
    #expect(try user.succeed("plugin", "outdated").contains("1.1.0"))
    let question = try user.run("plugin", "upgrade", "tides", "--dry-run").errors
    #expect(question.contains("+ file access: read the current folder"), "\(question)")
    try user.succeed("plugin", "upgrade", "tides", "--yes", "--allow-new-permissions")
    user.folder.write("notes", "mine\n")
    #expect(try user.succeed("tides") == "mine\n")
    try user.succeed("plugin", "rollback", "tides", "--yes")
    #expect(try user.succeed("tides") == "low\n")
    #expect(try user.run("plugin", "rollback", "tides", "--yes").status == 1)
  }

  /// The messages of a provider in Python are visible to its author, without its secrets.
  @Test func theAuthorSeesTheMessages() throws {
    try author.succeed("plugin", "new", "shelf", "--language", "python")
    try author.succeed("plugin", "link", author.folder["ifttt-shelf"], "--yes")
    let outcome = try author.home.run(
      ["--profile", "default", "connections", "list", "--provider", "shelf", "--trace-plugins", "--json"])
    #expect(
      outcome.errors.contains(#""plugin":"shelf","direction":"host","message":{"jsonrpc":"2.0""#), "\(outcome.errors)")
    #expect(outcome.errors.contains(#""direction":"plugin""#))
  }
}
