import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An unusable store: the program exits with status 7, names the store and the remedy, and does not change a byte of
/// it.
@Suite struct StoreFaultTests {
  let home = Home(nil, ["IFTTT_PROFILE": "sandbox"])

  private func expectFailure(
    _ code: String, _ words: [String] = ["connections", "list"], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let outcome = try home.run(words + ["--json"])
    #expect(outcome.status == 7, "\(outcome.text)\(outcome.errors)", sourceLocation: sourceLocation)
    #expect(outcome.code == code, "\(outcome.errors)", sourceLocation: sourceLocation)
    let plain = try home.run(words)
    #expect(plain.status == 7, sourceLocation: sourceLocation)
    #expect(plain.errors.hasPrefix("ifttt: "), sourceLocation: sourceLocation)
    // The remedy is printed too.
    #expect(plain.errors.split(separator: "\n").count >= 2, "\(plain.errors)", sourceLocation: sourceLocation)
  }

  private func makeStore() throws { #expect(try home.run("connections", "list").status == 0) }

  private func sqlite(_ statement: String) throws {
    let outcome = try Tool.required("sqlite3").run([home.folder["ifttt.db"], statement], in: ScratchFolder())
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  private func store() -> Data? { FileManager.default.contents(atPath: home.folder["ifttt.db"]) }

  @Test(arguments: [0o755, 0o777, 0o750, 0o701])
  func rejectsAFolderThatOthersCanUse(_ mode: mode_t) throws {
    try makeStore()
    chmod(home.folder.path, mode)
    try expectFailure("store_permissions")
    #expect(try home.run("connections", "list").errors.contains("chmod"))
    chmod(home.folder.path, 0o700)
    try makeStore()
  }

  @Test(arguments: [0o644, 0o666, 0o604])
  func rejectsAFileThatOthersCanRead(_ mode: mode_t) throws {
    try makeStore()
    chmod(home.folder["ifttt.db"], mode)
    try expectFailure("store_permissions")
    #expect(try home.run("connections", "list").errors.contains("chmod 600"))
  }

  /// Permission bits restrict everyone but root; for root, the folder is a read-only mount.
  @Test(.enabled(if: geteuid() != 0 || PrivateDisk.isPossible, Comment(rawValue: PrivateDisk.requirement)))
  func reportsAnUnwritableFolder() throws {
    guard geteuid() == 0 else {
      chmod(home.folder.path, 0o500)
      let outcome = try home.run("connections", "list", "--json")
      #expect(outcome.status == 7, "\(outcome.errors)")
      chmod(home.folder.path, 0o700)
      return
    }
    let lines = try home.run(onPrivateDisk: "readonly_disk; tell connections list --json")
    #expect(lines.first == "exit 7", "\(lines)")
    #expect(lines.contains { $0.contains(#""code":"store_read_only""#) })
  }

  @Test func reportsAnImpossibleFolder() throws {
    home.environment["IFTTT_HOME"] = "/dev/null/ifttt"
    let outcome = try home.run("connections", "list", "--json")
    #expect(outcome.status == 7, "\(outcome.errors)")
  }

  @Test func leavesAForeignDatabaseUnchanged() throws {
    try makeStore()
    try sqlite("PRAGMA journal_mode=DELETE; PRAGMA application_id=42")
    let before = store()
    try expectFailure("store_foreign")
    #expect(store() == before)
  }

  @Test func leavesANewerDatabaseUnchanged() throws {
    try makeStore()
    try sqlite("PRAGMA journal_mode=DELETE; PRAGMA user_version=999")
    let before = store()
    try expectFailure("store_newer")
    #expect(store() == before)
  }

  @Test(arguments: ["", "SQLite format 3\u{0}", "no database", String(repeating: "garbage ", count: 4096)])
  func leavesOtherFilesUnchanged(_ text: String) throws {
    home.folder.write("ifttt.db", text)
    let outcome = try home.run("connections", "list", "--json")
    // SQLite treats an empty file as a database without tables, so it becomes a new store.
    #expect(text.isEmpty ? [0, 7].contains(outcome.status) : outcome.status == 7, "\(outcome.errors)")
    if !text.isEmpty { #expect(home.folder.text("ifttt.db") == text) }
  }

  @Test func reportsATruncatedStore() throws {
    try makeStore()
    #expect(try home.run(["token", "set", "--user-token-file", "-"], input: Known.userToken + "\n").status == 0)
    try sqlite("PRAGMA journal_mode=DELETE")
    truncate(home.folder["ifttt.db"], 6000)
    let before = store()
    let outcome = try home.run("token", "list", "--json")
    #expect(outcome.status == 7, "\(outcome.errors)")
    #expect(store() == before)
  }

  @Test func rebuildsADamagedCache() throws {
    try makeStore()
    home.folder.write("cache.db", "no database")
    let outcome = try home.run("connections", "list", "-o", "tsv", "--no-header")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.text.split(separator: "\n").count == 9)
  }

  @Test(arguments: ["", "not a key\n", "wrong"])
  func reportsAMismatchedKey(_ text: String) throws {
    #expect(try home.run(["token", "set", "--user-token-file", "-"], input: Known.userToken + "\n").status == 0)
    let key = try #require(home.folder.names.first { $0.hasSuffix("store.key") })
    let storedKey = try #require(home.folder.text(key))
    let wrong = text == "wrong" ? String(storedKey.reversed()).replacing("\n", with: "") + "\n" : text
    try Data(wrong.utf8).write(to: URL(fileURLWithPath: home.folder[key]))
    let outcome = try home.run("token", "show", "--json")
    #expect(outcome.status == 7, "\(outcome.errors)")
    try FileManager.default.removeItem(atPath: home.folder[key])
    #expect(try home.run("token", "show", "--json").status == 7)
    home.folder.write(key, storedKey)
    #expect(try home.run("token", "show", "--print").text == Known.userToken + "\n")
  }

  @Test func rejectsAKeyThatOthersCanRead() throws {
    #expect(try home.run(["token", "set", "--user-token-file", "-"], input: Known.userToken + "\n").status == 0)
    let key = try #require(home.folder.names.first { $0.hasSuffix("store.key") })
    chmod(home.folder[key], 0o644)
    try expectFailure("store_permissions", ["token", "show"])
  }
}
