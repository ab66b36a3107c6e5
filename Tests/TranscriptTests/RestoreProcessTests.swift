import Foundation
import Support
import Testing

/// `store backup` and `store restore` while other programs have the database open.
@Suite struct RestoreProcessTests {
  let home = Home()
  private let backup: String

  init() throws {
    backup = home.folder["backup.db"]
    #expect(try home.run(["token", "set", "--user-token-file", "-"], input: Known.userToken + "\n").status == 0)
    #expect(try home.run("store", "backup", backup).status == 0)
    #expect(try home.run("profile", "create", "later").status == 0)
  }

  private var path: String { home.folder["ifttt.db"] }

  private func profiles() throws -> [String] {
    try home.run("profile", "list", "-o", "tsv", "--no-header", "--fields", "name").text.split(separator: "\n")
      .map(String.init)
  }

  /// The `sqlite3` shell with the database open, as an example of another program.
  private func holder() throws -> Running {
    let shell = try Running([Tool.required("sqlite3").path, path], environment: ["PATH": "/usr/bin:/bin"])
    shell.type("SELECT 'open' FROM profile LIMIT 1;\n")
    shell.read(until: "open\n")
    return shell
  }

  private func makeForeign() throws {
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seek(toOffset: 68)
    try file.write(contentsOf: Data([0, 0, 0, 7]))
    try file.close()
  }

  @Test(.enabled(if: Tool.isInstalled("sqlite3"), "skipped: needs sqlite3"))
  func aForeignFileInUseIsNotReplaced() throws {
    let shell = try holder()
    try makeForeign()
    let before = home.folder.text("ifttt.db")
    let refused = try home.run("store", "restore", backup, "--yes", "--json")
    #expect(refused.status == 7)
    #expect(refused.code == "store_locked", "\(refused.errors)")
    #expect(home.folder.text("ifttt.db") == before)
    #expect(!home.folder.names.contains { $0.contains("before-restore") || $0.contains(".new-") })
    shell.endInput()
    shell.wait()
    #expect(try home.run("store", "restore", backup, "--yes").status == 0)
    #expect(try profiles() == ["default", "sandbox"])
    #expect(try home.isIntact())
    #expect(home.folder.names.contains { $0.contains("before-restore") })
  }

  @Test(.enabled(if: Tool.isInstalled("sqlite3"), "skipped: needs sqlite3"))
  func anIntactStoreIsRestoredWhileOpen() throws {
    let shell = try holder()
    #expect(try home.run("store", "restore", backup, "--yes").status == 0)
    shell.type("SELECT count(*) || ' profile' FROM profile; PRAGMA integrity_check;\n")
    #expect(shell.read(until: "ok\n") == "1 profile\nok\n")
    shell.endInput()
    shell.wait()
    #expect(try home.isIntact())
  }

  @Test func asksForConfirmationFirst() throws {
    let asked = try home.start(onTerminal: ["store", "restore", backup])
    let question = asked.read(until: "[y/N] ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(question.contains("1 profile, 0 tracked connections, 1 credential of which 1 can be decrypted"))
    asked.type("n\n")
    #expect(asked.read(until: "status 1").hasSuffix("status 1"))
    asked.type("\n")
    #expect(try profiles().contains("later"))
    #expect(!home.folder.names.contains { $0.contains(".new-") })
    #expect(try home.run("store", "restore", backup, "--dry-run", "--exit-code").status == 8)
    #expect(try profiles().contains("later"))
  }

  @Test func backupsAndRestoresRunConcurrently() throws {
    let running = try (0..<16).map { number in
      try home.start(
        number % 2 == 0
          ? ["store", "backup", home.folder["b\(number).db"], "-q"] : ["store", "restore", backup, "--yes", "-q"])
    }
    for one in running {
      _ = one.readToEnd()
      #expect(one.wait() == 0, "\(one.readToEnd(one.errors))")
    }
    #expect(try home.isIntact())
    #expect(try home.run("token", "show", "--print").text == Known.userToken + "\n")
    for number in stride(from: 0, to: 16, by: 2) {
      #expect(try home.run("store", "restore", home.folder["b\(number).db"], "--yes").status == 0)
    }
    #expect(home.folder.names.filter { $0.contains("before-restore") }.count == 16)
  }
}
