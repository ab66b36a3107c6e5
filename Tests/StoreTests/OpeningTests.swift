import Foundation
import Store
import Testing
import Text
import World

@Suite struct OpeningTests {
  let home = TestHome()

  @Test func readingAMissingStoreCreatesNothing() throws {
    let store = home.store()
    #expect(try store.profiles() == [])
    #expect(try store.currentProfile() == nil)
    #expect(try store.credential(.userToken, userID: "", profile: "default") == nil)
    #expect(try store.credentials(profile: "default") == [])
    #expect(try store.trackedCount(profile: "default") == 0)
    #expect(try store.trackedIDs(profile: "default") == [])
    #expect(try store.tracked(fetchedBefore: Timestamp(milliseconds: 1), profile: "default") == [])
    #expect(try store.untrack(["a"], profile: "default") == [])
    #expect(try !store.removeProfile("default"))
    try store.forEachCached(profile: "default") { _ in Issue.record("unexpected row") }
    #expect(CompletionQueries(store).profileNames() == [])
    #expect(home.connectionNames().isEmpty)
    #expect(try !store.facts().exists)
    #expect(try store.check().allSatisfy(\.passed))
    #expect(!FileManager.default.fileExists(atPath: home.path))
  }

  @Test func filesAndFoldersArePrivate() throws {
    let nested = TestHome()
    let store = Store(directories: AppDirectories(all: "\(nested.path)/a/b"), world: nested.world)
    try store.save(token, as: .userToken, userID: "", profile: "default")
    _ = try store.track(["one"], profile: "default")
    for folder in ["", "a", "a/b"] { #expect(try nested.mode(of: folder) == 0o700) }
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(nested.path)/a/b")
    #expect(Set(names).isSuperset(of: ["ifttt.db", "ifttt.db-wal", "ifttt.db-shm", "cache.db", "store.key"]))
    for name in names { #expect(try nested.mode(of: "a/b/\(name)") == 0o600, "\(name)") }
  }

  @Test(arguments: [0o640, 0o604, 0o620, 0o602, 0o610], ["ifttt.db", "cache.db"])
  func rejectsAFileAccessibleToOthers(mode: Int, name: String) throws {
    _ = try home.store().track(["one"], profile: "default")
    try home.setMode(mode, of: name)
    let error = failure { _ = try home.store().trackedIDs(profile: "default") }
    #expect(error?.code == .unsafePermissions)
    #expect(error?.hint.text == "Run: chmod 600 \(home.path)/\(name)")
  }

  @Test(arguments: [0o750, 0o705, 0o711])
  func rejectsAFolderAccessibleToOthers(mode: Int) throws {
    try home.store().save(Profile(name: "work"))
    try home.setMode(mode)
    #expect(failure { _ = try home.store().profiles() }?.hint.text == "Run: chmod 700 \(home.path)")
    #expect(failure { try home.store().save(Profile(name: "more")) }?.code == .unsafePermissions)
    #expect(CompletionQueries(home.store()).profileNames() == [])
  }

  @Test func commandInTheHintIsQuoted() throws {
    let folder = "\(home.path)/it's here"
    let store = Store(directories: AppDirectories(all: folder), world: home.world)
    try store.save(Profile(name: "work"))
    try home.setMode(0o755, of: "it's here")
    let error = failure { _ = try Store(directories: AppDirectories(all: folder), world: home.world).profiles() }
    #expect(error?.hint.text == "Run: chmod 700 '\(home.path)/it'\\''s here'")
  }

  @Test(.enabled(if: geteuid() == 0, "needs root to give a file away"), arguments: ["ifttt.db", ""])
  func rejectsFilesOfOtherUsers(name: String) throws {
    try home.store().save(Profile(name: "work"))
    chown("\(home.path)/\(name)", 12345, 12345)
    let error = failure { _ = try home.store().profiles() }
    #expect(error?.code == .unsafePermissions)
    #expect(error?.message.contains("12345") == true)
  }

  @Test(arguments: ["ifttt.db", "cache.db"])
  func rejectsASymbolicLink(name: String) throws {
    _ = try home.store().track(["one"], profile: "default")
    try FileManager.default.moveItem(atPath: "\(home.path)/\(name)", toPath: "\(home.path)/elsewhere")
    try FileManager.default.createSymbolicLink(atPath: "\(home.path)/\(name)", withDestinationPath: "elsewhere")
    #expect(failure { _ = try home.store().trackedIDs(profile: "default") }?.code == .unsafePermissions)
    #expect(failure { _ = try home.store().track(["two"], profile: "default") }?.code == .unsafePermissions)
  }

  @Test func rejectsAFileInPlaceOfTheFolder() throws {
    try Data().write(to: URL(fileURLWithPath: home.path))
    #expect(failure { _ = try home.store().profiles() }?.code == .unreadable)
    #expect(failure { try home.store().save(Profile(name: "work")) }?.code == .unreadable)
  }

  @Test func filesHaveApplicationIDAndWriteAheadLog() throws {
    let store = home.store()
    _ = try store.track(["one"], profile: "default")
    for (schema, id) in [(Schema.store, 0x4946_5454), (.cache, 0x4946_5443)] as [(Schema, Int64)] {
      let database = try home.database(schema)
      #expect(try database.integer("PRAGMA application_id") == id)
      #expect(try database.integer("PRAGMA user_version") == Int64(schema.migrations.count))
      #expect(try database.text("PRAGMA journal_mode") == "wal")
      #expect(
        try database.integer(
          "SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND NOT strict AND name NOT LIKE 'sqlite_%'")
          == 0)
    }
    #expect(try store.facts().journalMode == "wal")
  }

  @Test func connectionsHaveSafetySettings() throws {
    try home.store().save(Profile(name: "work"))
    let file = DatabaseFile(folder: home.path, schema: .store)
    let database = try #require(try file.open(home.world))
    #expect(try database.integer("PRAGMA foreign_keys") == 1)
    #expect(try database.integer("PRAGMA trusted_schema") == 0)
    #expect(try database.integer("PRAGMA cell_size_check") == 1)
    try database.write(in: home.world) { _ in }
    #expect(try database.integer("PRAGMA synchronous") == 2)
    #expect(try database.integer("PRAGMA secure_delete") == 1)
    // In defensive mode, the schema table cannot be written to.
    #expect(failure { try database.execute("PRAGMA writable_schema = ON; DELETE FROM sqlite_schema") } != nil)
  }

  @Test func aNegativeSchemaNumberIsDamage() throws {
    try home.store().save(Profile(name: "work"))
    try home.database().execute("PRAGMA user_version = -1")
    #expect(failure { _ = try home.store().profiles() }?.code == .damaged)
  }

  @Test func writeAheadModeIsRestored() throws {
    try home.store().save(Profile(name: "work"))
    try home.database().execute("PRAGMA journal_mode = DELETE")
    try home.store().save(Profile(name: "more"))
    #expect(try home.store().facts().journalMode == "wal")
    #expect(try home.store().profiles().map(\.name) == ["more", "work"])
  }
}
