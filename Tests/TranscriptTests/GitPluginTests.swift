import Foundation
import Support
import Testing

/// Plugins in Git repositories, read with the real git. Whatever a repository contains, nothing in it is run.
@Suite(.enabled(if: Tool.isInstalled("git"), "skipped: needs git"))
struct GitPluginTests {
  private let published = PublishedFolder()
  private var repository: String { "git+file://\(published.folder["source"])" }

  init() throws {
    try published.write("1.0.0")
    try published.tool("git", "init", "--quiet", in: "source")
    try commit(tag: "v1.0.0")
  }

  private func commit(tag: String? = nil) throws {
    try published.tool("git", "add", "--all", in: "source")
    try published.tool("git", "commit", "--quiet", "--message", "x", in: "source")
    if let tag { try published.tool("git", "tag", tag, in: "source") }
  }

  @Test func theNewestVersionIsInstalledAndPinned() throws {
    try published.write("1.1.0")
    try commit(tag: "v1.1.0")
    try published.write("2.0.0-rc.1")
    try commit(tag: "v2.0.0-rc.1")
    try published.succeed("plugin", "install", repository, "--yes")
    #expect(try published.succeed("try") == "1.1.0\n")
    let commit = try published.tool("git", "rev-parse", "v1.1.0", in: "source")
    #expect(try published.value("origin,tag,commit") == "\(repository)@v1.1.0\tv1.1.0\t\(commit)")
    try published.succeed("plugin", "verify", "--write-lock")
    let lock = try #require(published.folder.text("ifttt-plugins.lock"))
    #expect(lock.contains(#""origin":"\#(repository)@v1.1.0","commit":"\#(commit)"}"#))
    #expect(published.leftovers == [])
  }

  /// The repository of a plugin in Go or Swift has only its source code.
  @Test func aRepositoryWithoutItsProgramSaysWhatToDo() throws {
    try FileManager.default.removeItem(atPath: published.folder["source/ifttt-try"])
    try commit(tag: "v1.1.0")
    let outcome = try published.run("plugin", "install", repository, "--yes")
    #expect(outcome.status == 1 && outcome.errors.contains("its executable 'ifttt-try' is missing"), "\(outcome)")
    #expect(
      outcome.errors.contains("install an archive of its releases, or clone its repository, build it"), "\(outcome)")
    #expect(published.leftovers == [])
  }

  @Test func upgradesFollowTheTags() throws {
    try published.succeed("plugin", "install", repository + "@v1.0.0", "--yes")
    #expect(try published.succeed("plugin", "outdated", "--json") == "[]\n")
    try published.write("1.1.0")
    try commit()
    try published.tool("git", "tag", "--annotate", "--message", "x", "v1.1.0", in: "source")
    #expect(
      try published.succeed("plugin", "outdated", "-o", "tsv", "--no-header", "--fields", "version,latest")
        == "1.0.0\t1.1.0\n")
    try published.succeed("plugin", "upgrade", "try", "--yes")
    #expect(try published.succeed("try") == "1.1.0\n")
    try published.succeed("plugin", "rollback", "try", "--yes")
    #expect(try published.succeed("try") == "1.0.0\n")
    #expect(try published.value("tag") == "v1.0.0")
    try published.succeed("plugin", "upgrade", "try@1.1.0", "--yes")
    // An older version only if it is named.
    #expect(
      try published.succeed("plugin", "upgrade", "try", "-o", "tsv", "--no-header", "--fields", "status") == "current\n"
    )
    try published.succeed("plugin", "upgrade", "try@1.0.0", "--yes")
    #expect(published.leftovers == [])
  }

  @Test func aMovedTagIsRejected() throws {
    try published.succeed("plugin", "install", repository + "@v1.0.0", "--yes")
    try published.write("1.0.0-evil")
    try commit()
    try published.tool("git", "tag", "--force", "v1.0.0", in: "source")
    try published.write("1.1.0")
    try commit(tag: "v1.1.0")
    for words in [["upgrade", "try", "--yes"], ["outdated"], ["install", repository + "@v1.0.0", "--yes"]] {
      let outcome = try published.home.run(["plugin"] + words)
      #expect(outcome.status == 1, "\(words)")
      #expect(
        outcome.errors.contains("tag 'v1.0.0' of file://\(published.folder["source"]) was moved"), "\(outcome.errors)")
    }
    #expect(try published.succeed("try") == "1.0.0\n")
  }

  /// Hooks, filters, attributes and the settings of a repository could run programs; so could those of a repository in
  /// the working folder, and a git there.
  @Test func nothingOfTheRepositoryIsRun() throws {
    let marker = published.folder["marker"]
    let script = "#!/bin/sh\ntouch \(marker)\n"
    published.folder.write("source/.gitattributes", "* filter=evil export-subst diff=evil\nignored export-ignore\n")
    published.folder.write("source/ignored", "$Format:%H$\n")
    published.folder.write(
      "source/.gitmodules", "[submodule \"x\"]\n\tpath = x\n\turl = file://\(published.folder["source"])\n")
    try commit(tag: "v1.0.1")
    for hook in [
      "post-checkout", "post-merge", "reference-transaction", "post-index-change", "pre-auto-gc", "fsmonitor",
    ] {
      published.folder.write("source/.git/hooks/\(hook)", script, mode: 0o755)
    }
    published.folder.write("evil", script, mode: 0o755)
    published.folder.write("git", script, mode: 0o755)
    let evil = published.folder["evil"]
    try published.tool("git", "init", "--quiet", in: ".")
    for folder in ["source", "."] {
      for setting in [
        "filter.evil.smudge", "filter.evil.clean", "filter.evil.process", "core.fsmonitor", "core.sshCommand",
        "uploadpack.packObjectsHook", "credential.helper", "core.pager",
      ] { try published.tool("git", "config", setting, evil, in: folder) }
      try published.tool("git", "config", "core.hooksPath", published.folder["source/.git/hooks"], in: folder)
    }
    published.home.environment["PATH"] = ".:" + (published.home.environment["PATH"] ?? "")
    published.home.environment["GIT_CONFIG_GLOBAL"] = evil
    published.home.environment["GIT_SSH_COMMAND"] = evil
    try published.succeed("plugin", "install", repository + "@v1.0.1", "--yes")
    try published.run("plugin", "outdated")
    #expect(!FileManager.default.fileExists(atPath: marker))
    // The content is that of the commit, without the substitutions of an archive or a checkout.
    #expect(published.home.folder.text("plugins/try/ignored") == "$Format:%H$\n")
    #expect(published.leftovers == [])
  }

  @Test func linksAndSubmodulesAreRejected() throws {
    try FileManager.default.createSymbolicLink(
      atPath: published.folder["source/link"], withDestinationPath: "/etc/passwd")
    try commit(tag: "v2.0.0")
    try FileManager.default.removeItem(atPath: published.folder["source/link"])
    let id = try published.tool("git", "rev-parse", "HEAD", in: "source")
    try published.tool("git", "update-index", "--add", "--cacheinfo", "160000,\(id),sub", in: "source")
    try published.tool("git", "commit", "--quiet", "--message", "x", in: "source")
    try published.tool("git", "tag", "v3.0.0", in: "source")
    for tag in ["v2.0.0", "v3.0.0"] {
      let outcome = try published.run("plugin", "install", "\(repository)@\(tag)", "--yes")
      #expect(outcome.status == 1 && outcome.errors.contains("is a link or a submodule"), "\(outcome.errors)")
    }
    #expect(published.leftovers == [])
  }

  /// A file that a small pack expands to. With filters, it is not even sent.
  @Test(arguments: [true, false]) func aLargeFileIsRejectedCheaply(withFilter: Bool) throws {
    try published.tool("git", "config", "uploadpack.allowFilter", "\(withFilter)", in: "source")
    try published.tool("truncate", "-s", "80M", "big", in: "source")
    try commit(tag: "v4.0.0")
    let outcome = try published.run("plugin", "install", "\(repository)@v4.0.0", "--yes")
    #expect(outcome.status == 1, "\(outcome.errors)")
    #expect(outcome.errors.contains(withFilter ? "a file in it is larger than 64 MiB" : "64 MiB"), "\(outcome.errors)")
    #expect(published.leftovers == [])
  }

  /// git is ended if it writes a file of more than 128 MiB, whatever the server sends.
  @Test func aLargePackEndsGit() throws {
    try published.tool("git", "config", "core.compression", "0", in: "source")
    try published.tool("git", "config", "core.bigFileThreshold", "1m", in: "source")
    for number in 1...3 { try published.tool("sh", "-c", "head -c 50M /dev/urandom >big\(number)", in: "source") }
    try commit(tag: "v5.0.0")
    let outcome = try published.run("plugin", "install", "\(repository)@v5.0.0", "--yes")
    #expect(outcome.status == 1, "\(outcome.errors)")
    #if os(Linux)
      #expect(outcome.errors.contains("it is too large: git was limited to 128 MiB per file"), "\(outcome.errors)")
    #endif
    #expect(published.leftovers == [])
  }

  /// A stand-in for ssh runs the command on this machine, as a server would.
  @Test func sshIsUsedWithoutPrompts() throws {
    let log = published.folder["ssh.log"]
    try FileManager.default.createDirectory(atPath: published.folder["bin"], withIntermediateDirectories: true)
    published.folder.write(
      "bin/ssh",
      """
      #!/bin/sh
      echo "$*" >>\(log)
      env | grep -c -e SSH_ASKPASS -e GIT_ASKPASS >>\(log)
      for last; do :; done
      exec sh -c "$last"
      """, mode: 0o755)
    published.home.environment["PATH"] = "\(published.folder["bin"]):\(published.home.environment["PATH"] ?? "")"
    published.home.environment["SSH_ASKPASS"] = "/bin/false"
    let address = "git+ssh://git@git.test\(published.folder["source"])@v1.0.0"
    try published.succeed("plugin", "install", address, "--yes")
    #expect(try published.succeed("try") == "1.0.0\n")
    let lines = try #require(published.folder.text("ssh.log")).split(separator: "\n")
    #expect(lines.first { $0.contains("upload-pack") }?.hasPrefix("-oBatchMode=yes") == true, "\(lines)")
    #expect(lines.contains("0"))
    published.folder.write("bin/ssh", "#!/bin/sh\necho 'Permission denied (publickey).' >&2; exit 255\n", mode: 0o755)
    let denied = try published.run("plugin", "outdated")
    #expect(denied.status == 1 && denied.errors.contains("ssh-add"), "\(denied.errors)")
    #expect(published.leftovers == [])
  }

  @Test func missingRepositoriesAndTagsAreReported() throws {
    let tag = try published.run("plugin", "install", repository + "@v9", "--yes")
    #expect(tag.status == 3 && tag.errors.contains("has no tag 'v9'"))
    let missing = try published.run("plugin", "install", "git+file:///nowhere@v9", "--yes")
    #expect(missing.status == 1 && missing.errors.contains("cannot be read"))
    let offline = try published.run("plugin", "install", "git+https://127.0.0.1:1/x@v9", "--yes", "--offline")
    #expect(offline.status == 5)
    published.home.environment["PATH"] = "."
    let tool = try published.run("plugin", "install", repository, "--yes")
    #expect(tool.status == 1 && tool.errors.contains("git was not found"))
  }
}
