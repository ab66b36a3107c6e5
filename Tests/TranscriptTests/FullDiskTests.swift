import Foundation
import Support
import Testing

/// The built program on a full disk: it exits with status 7, loses nothing, leaves nothing half done, and does not
/// use up a token.
@Suite(.enabled(if: PrivateDisk.isPossible, Comment(rawValue: PrivateDisk.requirement))) struct FullDiskTests {
  let server: Server
  let home: Home

  init() throws {
    server = try Server()
    home = Home(server, Known.asService)
  }

  @Test(arguments: [true, false]) func doesNotExchangeATokenItCannotSave(_ hasStore: Bool) throws {
    if hasStore { try home.keepUserToken() }
    let lines = try home.run(onPrivateDisk: "disk 200k; fill; tell token exchange --json")
    #expect(lines.contains("exit 7"), "\(lines)")
    #expect(lines.contains { $0.contains(#""code":"store_full""#) }, "\(lines)")
    #expect(try server.requests().isEmpty)
  }

  @Test func aListReportsThatItCannotBeCached() throws {
    #expect(try home.run(["connections", "add", "c1", "c2"]).status == 0)
    let lines = try home.run(
      onPrivateDisk:
        "disk 1m; fill; tell connections list --max-age 0 --json; free; tell connections list --max-age 0 -o jsonl; tell store check -q"
    )
    #expect(lines.filter { $0.hasPrefix("exit") } == ["exit 7", "exit 0", "exit 0"], "\(lines)")
    #expect(lines.contains { $0.contains(#""code":"store_full""#) }, "\(lines)")
  }

  @Test(arguments: [true, false]) func readingCommandsWork(_ hasCache: Bool) throws {
    try home.prepareToRead(hasCache: hasCache)
    home.expectReading(try home.run(onPrivateDisk: "disk 600k; fill; " + Home.readingScript), hasCache: hasCache)
  }

  @Test func aFailedMigrationKeepsTheOldSchema() throws {
    let sqlite = try Tool.required("sqlite3")
    home.folder.write("ifttt.db", "")
    let old = "PRAGMA application_id = 1229345876; CREATE TABLE filler (x); INSERT INTO filler VALUES (zeroblob(90000))"
    #expect(try sqlite.run([home.folder["ifttt.db"], old], in: ScratchFolder()).status == 0)
    let lines = try home.run(
      onPrivateDisk:
        "disk 160k; fill; tell profile list --json; tell profile list; free; sqlite3 $IFTTT_HOME/ifttt.db 'PRAGMA user_version; PRAGMA integrity_check; SELECT count(*) FROM sqlite_schema'; ls $IFTTT_HOME | grep new"
    )
    #expect(lines.filter { $0.hasPrefix("exit") } == ["exit 7", "exit 7"], "\(lines)")
    #expect(lines.contains { $0.contains("store_full") })
    #expect(Array(lines.drop { !$0.hasPrefix("0") }.prefix(3)) == ["0", "ok", "1"], "\(lines)")
  }

  @Test func aBackupIsCompleteOrAbsent() throws {
    try home.keepUserToken()
    let lines = try home.run(
      onPrivateDisk:
        """
        disk 400k; fill; tell store backup $HOME_FOLDER/b.db --json; tell store backup $HOME_FOLDER/b.db --force --json
        ls $HOME_FOLDER | grep '^b'; free; tell token show --print; tell store backup $HOME_FOLDER/b.db -q -o tsv --fields credentials --no-header
        """)
    #expect(lines.filter { $0.hasPrefix("exit") } == ["exit 7", "exit 7", "exit 0", "exit 0"], "\(lines)")
    #expect(!lines.contains { $0.hasPrefix("b.db") })
    #expect(lines.contains(Known.userToken))
    #expect(lines.filter { $0.contains("store_full") }.count == 2)
  }

  @Test func theDoctorReportsTheFullDisk() throws {
    try home.keepUserToken()
    let lines = try home.run(
      onPrivateDisk: """
        disk 400k; fill; tell doctor --offline -o tsv --no-header --fields check,status,found; free
        tell doctor --offline -o tsv --no-header --fields check,status; tell token show --print
        """)
    #expect(lines.contains { $0.hasPrefix("store\tfailure\t") && $0.contains("Free some space") }, "\(lines)")
    #expect(lines.contains("store\tok"), "\(lines)")
    #expect(lines.contains(Known.userToken), "\(lines)")
  }

  @Test func aFailedRestoreKeepsTheStore() throws {
    try home.keepUserToken()
    #expect(try home.run("store", "backup", home.folder["b.db"]).status == 0)
    #expect(try home.run("profile", "create", "later").status == 0)
    let lines = try home.run(
      onPrivateDisk:
        """
        disk 400k; fill; tell store restore $HOME_FOLDER/b.db --yes --json; free
        tell profile list -o tsv --no-header --fields name; tell token show --print; ls $HOME_FOLDER
        """)
    #expect(lines.filter { $0.hasPrefix("exit") } == ["exit 7", "exit 0", "exit 0"], "\(lines)")
    #expect(lines.contains("later"))
    #expect(lines.contains { $0.contains("store_full") })
    let names = lines.filter { !$0.hasPrefix("!") }
    #expect(!names.contains { $0.contains(".new-") || $0.contains("before-restore") }, "\(lines)")
  }

  @Test func aFailedRekeyKeepsTheOldKey() throws {
    try home.keepUserToken()
    let key = try #require(home.folder.text("store.key"))
    let lines = try home.run(
      onPrivateDisk:
        """
        disk 400k; fill; tell store rekey --json; free; tell token show --print; tell store check -q
        ls $HOME_FOLDER; cat $HOME_FOLDER/store.key; tell store rekey -q
        """)
    #expect(lines.filter { $0.hasPrefix("exit") } == ["exit 7", "exit 0", "exit 0", "exit 0"], "\(lines)")
    #expect(lines.contains(Known.userToken))
    #expect(lines.contains { $0.contains("store_full") })
    #expect(lines.contains(String(key.dropLast())))
    #expect(!lines.contains { $0.hasPrefix("store-") && $0.hasSuffix(".key") }, "\(lines)")
  }
}
