import Support
import Testing

/// The built program in a read-only folder. Permission bits do not restrict root, so the folder is a read-only mount.
@Suite(.enabled(if: PrivateDisk.isPossible, Comment(rawValue: PrivateDisk.requirement))) struct ReadOnlyDiskTests {
  let server: Server
  let home: Home

  init() throws {
    server = try Server()
    home = Home(server, Known.asService)
  }

  private func run(_ script: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> [String] {
    try home.run(onPrivateDisk: "readonly_disk; " + script, sourceLocation: sourceLocation)
  }

  @Test(arguments: [true, false]) func doesNotExchangeATokenItCannotSave(_ hasStore: Bool) throws {
    if hasStore { try home.keepUserToken() }
    let lines = try run("tell token exchange --json")
    #expect(lines.contains("exit 7"), "\(lines)")
    #expect(lines.contains { $0.contains(#""code":"store_read_only""#) }, "\(lines)")
    #expect(try server.requests().isEmpty)
  }

  @Test func theDoctorReportsTheReadOnlyFolder() throws {
    try home.keepUserToken()
    let lines = try run("tell doctor --offline -o tsv --no-header --fields check,status,found")
    #expect(lines.contains { $0.hasPrefix("store\tfailure\t") && $0.contains("and its folder writable") }, "\(lines)")
    #expect(lines.contains("exit 1"), "\(lines)")
  }

  @Test(arguments: [true, false]) func readingCommandsWork(_ hasCache: Bool) throws {
    try home.prepareToRead(hasCache: hasCache)
    home.expectReading(try run(Home.readingScript), hasCache: hasCache)
  }

  @Test func writingCommandsFailAndChangeNothing() throws {
    try home.keepUserToken()
    #expect(try home.run("store", "backup", home.folder["b.db"]).status == 0)
    for words in [
      "store rekey", "store restore b.db --yes", "store backup c.db", "profile create more", "connections add c1",
      "token remove --all --yes",
    ] {
      let lines = try run("tell \(words) --json")
      #expect(lines.contains("exit 7"), "\(words): \(lines)")
      #expect(lines.contains { $0.contains(#""code":"store_read_only""#) }, "\(words): \(lines)")
    }
    #expect(
      home.folder.names.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") } == ["b.db", "ifttt.db", "store.key"])
    #expect(try home.run("token", "show", "--print").text == Known.userToken + "\n")
  }
}
