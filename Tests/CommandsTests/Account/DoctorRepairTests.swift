import Foundation
import JSON
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// The repairs that `doctor --fix` makes, and the problems that it leaves unchanged.
@Suite struct DoctorRepairTests {
  private let home: Home

  init() {
    let home = Home()
    home.environment = [
      "HOME": home.folder["user"], "SHELL": "/bin/bash", "PATH": home.folder["user/.local/bin"], "LC_ALL": "C.UTF-8",
    ]
    home.prepare = { world in
      world.files.failure = { operation, path in
        path.hasPrefix(home.folder.path) ? nil : SystemError(number: 2, call: "\(operation) \(path)")
      }
    }
    self.home = home
  }

  private struct Row {
    var status: String?
    var found: String?
    var repair: String?
    var isRepaired: Bool
  }

  private func row(_ check: String, _ line: String = "--profile sandbox doctor") throws -> Row {
    let run = home.run("\(line) --json")
    let rows = try #require(JSONValue(parsing: Array(run.output.utf8)).array, "\(run.errors)")
    let row = try #require(rows.first { $0["check"]?.string == check })
    return Row(
      status: row["status"]?.string, found: row["found"]?.string, repair: row["repair"]?.string,
      isRepaired: row["repaired"] == true)
  }

  @Test func unsafePermissionsAreRepaired() throws {
    home.sandbox("connections list")
    let paths = ["ifttt.db", "cache.db"].map { home.folder[$0] }
    for path in paths { chmod(path, 0o644) }
    chmod(home.folder.path, 0o755)
    let before = try row("permissions")
    #expect(before.status == "failure")
    #expect(before.repair?.contains("chmod 700 \(home.folder.path) && chmod 600 \(paths[0])") == true)
    #expect(try row("store").status == "skipped", "the store is not opened")
    let planned = try row("permissions", "--profile sandbox doctor --fix --dry-run")
    #expect(planned.status == "failure" && !planned.isRepaired && planned.repair == before.repair)
    let repaired = try row("permissions", "--profile sandbox doctor --fix")
    #expect(repaired.status == "ok" && repaired.isRepaired)
    #expect(home.sandbox("connections list").exit == .success)
    for path in paths {
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
    let again = try row("permissions", "--profile sandbox doctor --fix")
    #expect(again.status == "ok" && !again.isRepaired && again.repair == nil)
  }

  @Test func aDamagedCacheIsRecreated() throws {
    home.sandbox("connections list")
    for name in ["cache.db-wal", "cache.db-shm"] { try? FileManager.default.removeItem(atPath: home.folder[name]) }
    try Data(repeating: 0x55, count: 20_000).write(to: URL(fileURLWithPath: home.folder["cache.db"]))
    chmod(home.folder["cache.db"], 0o600)
    #expect(try row("cache").status == "warning")
    let repaired = try row("cache", "--profile sandbox doctor --fix")
    #expect(repaired.status == "ok" && repaired.isRepaired)
    #expect(home.sandbox("connections list --fields id --no-header").lines.count == 9)
  }

  @Test func aDamagedStoreIsNotChanged() throws {
    home.sandbox("connections list")
    try UnusableStore.make("damaged", in: home)
    let before = FileManager.default.contents(atPath: home.folder["ifttt.db"])
    let store = try row("store", "--profile sandbox doctor --fix")
    #expect(store.status == "failure" && store.repair == nil)
    #expect(FileManager.default.contents(atPath: home.folder["ifttt.db"]) == before)
    #expect(home.run("doctor --offline").exit == .failure)
  }

  @Test(
    arguments: [
      ("/bin/bash", "user/.local/share/bash-completion/completions/ifttt", "ok"),
      ("/usr/bin/fish", "user/.config/fish/completions/ifttt.fish", "ok"),
      ("/bin/zsh", "user/.local/share/zsh/site-functions/_ifttt", "warning"),
    ]) func theCompletionScriptIsInstalled(_ shell: String, _ path: String, _ status: String) throws
  {
    home.environment["SHELL"] = shell
    #expect(try row("completion").status == "warning")
    #expect(!FileManager.default.fileExists(atPath: home.folder[path]))
    let written = try row("completion", "--profile sandbox doctor --fix")
    #expect(written.status == status && written.isRepaired)
    #expect(written.repair == "write \(home.folder[path])")
    let name = try #require(shell.split(separator: "/").last)
    #expect(home.folder.text(path) == home.run("completion \(name)").output)
    #expect(home.folder.text("user/.\(name)rc") == nil, "no startup file is created")
    home.folder.write(path, "# of another version\n")
    #expect(try row("completion").found == "\(home.folder[path]) is from another version")
    #expect(try row("completion", "--profile sandbox doctor --fix").isRepaired)
  }

  @Test func zshPassesOnceFpathHasTheFolder() throws {
    home.environment["SHELL"] = "/bin/zsh"
    _ = try row("completion", "--profile sandbox doctor --fix")
    home.folder.write("user/.zshrc", "fpath=(~/.local/share/zsh/site-functions $fpath)\n")
    #expect(try row("completion").status == "ok")
  }

  @Test func aStartupFileMayLoadTheScript() throws {
    try FileManager.default.createDirectory(atPath: home.folder["user"], withIntermediateDirectories: true)
    home.folder.write("user/.bashrc", "source <(ifttt completion bash)\n")
    #expect(try row("completion").found == "\(home.folder["user/.bashrc"]) loads it")
    home.environment["SHELL"] = "/bin/tcsh"
    #expect(try row("completion").status == "skipped")
  }

  @Test func theManPagesAreInstalledInTheSearchPath() throws {
    #expect(try row("man").status == "warning")
    let written = try row("man", "--profile sandbox doctor --fix")
    #expect(written.status == "ok" && written.isRepaired)
    #expect(home.folder.text("user/.local/share/man/man1/ifttt-connections-watch.1")?.hasPrefix(".") == true)
    home.environment["PATH"] = "/usr/bin"
    #expect(try row("man").status == "warning", "the folder is not in man's search path")
  }

  /// The released pages include the bundled plugin.
  @Test(arguments: ["", " --no-plugins"]) func theReleasedPagesAreCurrent(_ options: String) throws {
    let manifest = try Checkout.text("Sources/ifttt-grab/plugin.json")
    for folder in ["bin", "libexec/ifttt/grab", "share/man/man1", "share/fish/vendor_completions.d"] {
      try FileManager.default.createDirectory(atPath: home.folder[folder], withIntermediateDirectories: true)
    }
    home.folder.write("libexec/ifttt/grab/plugin.json", manifest, mode: 0o644)
    home.folder.write("libexec/ifttt/grab/ifttt-grab", "#!/bin/sh\n", mode: 0o755)
    let page = try Checkout.text("man/man1/ifttt.1")
    #expect(page.contains("grab"))
    let path = home.folder.write("share/man/man1/ifttt.1", page, mode: 0o644)
    home.environment["PATH"] = home.folder["bin"]
    let prepare = home.prepare
    home.prepare = { [home] world in
      prepare(world)
      world.processes.program = home.folder["bin/ifttt"]
    }
    let line = "--profile sandbox doctor\(options)"
    let found = try row("man", line)
    #expect(found.status == "ok", "\(found)")
    #expect(found.found == path)
    home.folder.write("share/man/man1/ifttt.1", page + ".\\\" of another version\n", mode: 0o644)
    #expect(try row("man", line).found == "\(path) is from another version")
  }

  @Test func theFilesOfAnInterruptedRekeyAreRemoved() throws {
    home.run("token set --user-token-file -", input: .text("user-token-0123456789-abcdef"))
    let old = try #require(home.folder.text("store.key"))
    home.run("store rekey")
    let name = try #require(home.folder.names.first { $0.hasPrefix("store-") && $0.hasSuffix(".key") })
    // The state after a kill between the commit and the removal of the old key.
    home.folder.write("store.key", old)
    let id = name.dropFirst("store-".count).dropLast(".key".count)
    let oldID = try #require(oldKeyID(old))
    home.folder.write("store-rekey.json", #"{"keys":["\#(id)","\#(oldID)"]}"#)
    let before = try row("key")
    #expect(before.status == "warning", "\(before)")
    #expect(before.found == "an interrupted 'store rekey' left \(home.folder["store.key"])")
    #expect(try !row("key", "--profile sandbox doctor --fix --dry-run").isRepaired)
    #expect(home.folder.text("store.key") == old)
    let repaired = try row("key", "--profile sandbox doctor --fix")
    #expect(repaired.status == "ok" && repaired.isRepaired, "\(repaired)")
    #expect(home.folder.names.filter { $0.hasPrefix("store") } == [name])
    #expect(home.run("token show --print", reveals: true).output == "user-token-0123456789-abcdef\n")
  }

  /// The id of a key, as shown by a store that uses it.
  private func oldKeyID(_ key: String) -> String? {
    let other = Home()
    let path = other.folder.write("my.key", key)
    other.environment["IFTTT_STORE_KEY_FILE"] = path
    other.run("token set --user-token-file -", input: .text("another-token"))
    return other.run("store info -o tsv --no-header --fields key_id").lines.first
  }

  @Test func aFailedRepairIsReported() throws {
    home.prepare = { world in
      world.files.failure = { operation, path in
        operation == "replace" && !path.hasSuffix("/sandbox.json") || !path.hasPrefix(home.folder.path)
          ? SystemError(number: 28, call: path) : nil
      }
    }
    let run = home.run("--profile sandbox doctor --fix -o tsv --no-header --fields check,status,advice,repaired")
    #expect(run.output.contains("completion\twarning\tThe repair failed: a system call failed: "))
    #expect(run.exit == .success)
  }
}
