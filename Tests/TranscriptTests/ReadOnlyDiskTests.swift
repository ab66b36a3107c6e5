import Support
import Testing

/// A folder that cannot be written, met by the built program. Permission bits do not bind root, so it is a mount.
@Suite(.enabled(if: PrivateDisk.isPossible, Comment(rawValue: PrivateDisk.requirement))) struct ReadOnlyDiskTests {
  let server: Server
  let home: Home

  init() throws {
    server = try Server()
    home = Home(server, Known.asService)
  }

  private func run(_ script: String) throws -> [String] {
    let outcome = try PrivateDisk.run(
      "readonly_disk; " + script, home: home.folder.path, program: Home.program,
      environment: home.environment.merging(["IFTTT_USER_ID": Known.user, "IFTTT_ACCESS_TOKEN": Known.accessToken]) {
        $1
      })
    #expect(!outcome.errors.contains("mount"), "\(outcome.errors)")
    return outcome.output.split(separator: "\n").map(String.init)
      + outcome.errors.split(separator: "\n").map { "! \($0)" }
  }

  private func keepToken() throws {
    #expect(try home.run(["token", "set", "--user-token-file", "-"], input: Known.userToken + "\n").status == 0)
  }

  @Test(arguments: [true, false]) func anExchangeSpendsNothing(_ hasStore: Bool) throws {
    if hasStore { try keepToken() }
    let lines = try run("tell token exchange --json")
    #expect(lines.contains("exit 7"), "\(lines)")
    #expect(lines.contains { $0.contains(#""code":"store_read_only""#) }, "\(lines)")
    #expect(try server.requests().isEmpty)
  }

  @Test func whatWouldWriteIsRefusedAndChangesNothing() throws {
    try keepToken()
    #expect(try home.run("store", "backup", home.folder["b.db"]).status == 0)
    for words in [
      "store rekey", "store restore b.db --yes", "store backup c.db", "profile create more", "connections add c1",
      "token remove --all",
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
