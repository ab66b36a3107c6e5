import Foundation
import Support
import Testing

/// A Git repository on a server with TLS that demands a password, read with the user's own credentials and never a prompt.
@Suite(
  .enabled(
    if: ["git", "openssl", "python3"].allSatisfy(Tool.isInstalled), "skipped: needs git, openssl and python3"))
struct PrivateGitTests {
  private let published = PublishedFolder()
  private let server: Running
  private let repository: String
  private let port: String

  init() throws {
    try published.write("1.0.0")
    try published.tool("git", "init", "--quiet", in: "source")
    try published.tool("git", "add", "--all", in: "source")
    try published.tool("git", "commit", "--quiet", "--message", "x", in: "source")
    try published.tool("git", "tag", "v1.0.0", in: "source")
    try published.tool(
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
      "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", "server.key", "-out", "server.pem"
    )
    let script = try #require(Bundle.module.resourceURL).appendingPathComponent("Servers/private_git.py").path
    server = try Running(
      [
        "/usr/bin/env", "python3", "-u", script, published.folder["server.pem"], published.folder["server.key"],
        published.folder["source"], "ann:lantern-password",
      ],
      environment: [
        "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": published.folder["tmp"],
        "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
      ])
    server.read(until: "port ")
    port = String(server.read(until: " ").dropLast())
    repository = "git+https://localhost:\(port)/.git"
    published.home.environment["SSL_CERT_FILE"] = published.folder["server.pem"]
    published.home.environment["HOME"] = published.folder["home"]
    try FileManager.default.createDirectory(atPath: published.folder["home"], withIntermediateDirectories: true)
  }

  @Test func withoutCredentialsItFailsWithoutAPrompt() throws {
    let outcome = try published.run("plugin", "install", repository, "--yes")
    #expect(outcome.status == 1, "\(outcome.errors)")
    #expect(outcome.errors.contains("git needs a credential helper or ~/.netrc"), "\(outcome.errors)")
  }

  /// The user's helper is asked, but no other setting of the user has an effect.
  @Test func theUsersCredentialHelperIsUsed() throws {
    let marker = published.folder["marker"]
    published.folder.write("evil", "#!/bin/sh\ntouch \(marker)\n", mode: 0o755)
    published.folder.write(
      "home/.gitconfig",
      """
      [credential "https://localhost:\(port)"]
        helper = "!f() { test \\"$1\\" = get && echo username=ann && echo password=lantern-password; }; f"
      [core]
        fsmonitor = \(published.folder["evil"])
        sshCommand = \(published.folder["evil"])
        hooksPath = \(published.folder["home"])
      """)
    published.folder.write("home/reference-transaction", "#!/bin/sh\ntouch \(marker)\n", mode: 0o755)
    try published.succeed("plugin", "install", repository, "--yes")
    #expect(try published.succeed("try") == "1.0.0\n")
    #expect(!FileManager.default.fileExists(atPath: marker))
    #expect(published.leftovers == [])
  }

  /// A helper's command may contain a password, and all users of the system can read the arguments of a process.
  @Test func theUsersCredentialHelperIsNoArgument() throws {
    published.folder.write(
      "home/.gitconfig",
      """
      [credential "https://localhost:\(port)"]
        helper = "!f() { test \"$1\" = get && echo username=ann && echo password=lantern-password; }; f"
      """)
    try FileManager.default.createDirectory(atPath: published.folder["tools"], withIntermediateDirectories: true)
    let (git, log) = (try Tool.required("git").path, published.folder["calls"])
    published.folder.write("tools/git", "#!/bin/sh\necho \"$*\" >>'\(log)'\nexec '\(git)' \"$@\"\n", mode: 0o755)
    let path = published.home.environment["PATH"] ?? ""
    published.home.environment["PATH"] = "\(published.folder["tools"]):\(path)"
    try published.succeed("plugin", "install", repository, "--yes")
    let calls = try #require(published.folder.text("calls"))
    #expect(calls.contains("ls-remote") && calls.contains("fetch"), "\(calls)")
    #expect(!calls.contains("lantern-password"), "\(calls)")
  }

  @Test func theUsersNetrcIsUsed() throws {
    published.folder.write("home/.netrc", "machine localhost login ann password lantern-password\n")
    try published.succeed("plugin", "install", repository, "--yes")
    #expect(try published.succeed("try") == "1.0.0\n")
    published.folder.write("home/.netrc", "machine localhost login ann password another\n")
    #expect(try published.run("plugin", "outdated").status == 1)
  }
}
