import HTTP
import JSON
import ProgramDriver
import Support
import Testing

@testable import Session

/// `connections show` and `connections list` for many users.
@Suite struct UserConnectionsTests {
  private func home(_ users: String) -> Home {
    let home = Home()
    _ = home.folder.write("users", users)
    home.environment["IFTTT_SERVICE_KEY"] = "key-of-the-tests-0123456789"
    home.secrets.append("key-of-the-tests-0123456789")
    return home
  }

  private func path(_ home: Home) -> String { home.folder.path + "/users" }

  @Test func eachUserHasARow() {
    let home = home("user_id\nu-1\nu-2\nu-1\n")
    let server = Server().answering(200, Server.connection("a1")).answering(
      200, Server.connection("a1", status: "disabled"))
    let shown = home.run(
      "connections show a1 --users \(path(home)) --json --fields user_id,id,status,tracked", answers: server)
    #expect(
      shown.output == """
        [
        {"user_id":"u-1","id":"a1","status":"enabled","tracked":false},
        {"user_id":"u-2","id":"a1","status":"disabled","tracked":false}
        ]

        """)
    #expect(shown.exit == .success)
    #expect(shown.errors == "Skipped 1 line that repeats a user.\n")
    #expect(
      server.asked == [
        "GET connect.ifttt.com/v2/connections/a1?user_id=u-1", "GET connect.ifttt.com/v2/connections/a1?user_id=u-2",
      ])
    #expect(
      !server.requests.isEmpty && server.requests.allSatisfy { $0.headers.contains { $0.name == "IFTTT-Service-Key" } })
  }

  /// Parts of the response that no field shows are not read. The others are as in the whole row.
  @Test func fieldsHaveTheValuesOfTheWholeRow() throws {
    let name = "ConnectSDK-Android__main__connect-button__connection_enabled.json"
    let connection = try Checkout.text("Tests/IFTTTTests/Fixtures/\(name)")
    let id = try #require(try JSONValue(parsing: Array(connection.utf8))["id"]?.string)
    let home = home("user_id\nu-1\n")
    func row(_ fields: String) throws -> JSONValue {
      let server = Server().answering(200, connection)
      let shown = home.run("connections show \(id) --users \(path(home)) -o jsonl \(fields)", answers: server)
      #expect(shown.exit == .success, "\(shown.errors)")
      return try JSONValue(parsing: Array(shown.output.utf8))
    }
    let whole = try #require(try row("").object)
    for (field, value) in whole.members where field != "fetched_at" {
      #expect(try row("--fields \(field)") == .object([field: value]))
    }
    #expect(whole.members.count > 14)
  }

  /// A file with text and without users is probably a wrong file. An empty one is not.
  @Test(arguments: [("", ""), ("user_id,name\n", "has no users"), ("\n\n", "has no users")])
  func aFileWithoutUsersIsANote(_ text: String, _ note: String) {
    let home = home(text)
    for more in ["", " --dry-run"] {
      let shown = home.run("connections show a1 --users \(path(home))\(more)")
      #expect(shown.exit == .success)
      #expect(note.isEmpty ? !shown.errors.contains("no users") : shown.errors.contains(note), "\(shown.errors)")
    }
  }

  /// Another user's state is not the state of the profile's user.
  @Test func nothingIsCachedOrTracked() {
    let home = home("user_id\nu-1\n")
    home.run("connections show a1 --users \(path(home))", answers: Server().answering(200, Server.connection("a1")))
    #expect(home.run("connections list --offline --json").output == "[]\n")
    home.run("connections add a2 --offline")
    home.run("connections list --users \(path(home))", answers: Server().answering(200, Server.connection("a2")))
    #expect(home.run("connections list --offline --json --fields id,status").output == "[]\n")
  }

  @Test func listFetchesTrackedConnectionsForEachUser() {
    let home = home("{\"user_id\":\"u-1\"}\n{\"user_id\":\"u-2\"}\n")
    home.run(
      "connections add a1 a2 --as anonymous",
      answers: Server().answering(200, Server.connection("a1")).answering(200, Server.connection("a2")))
    let server = ["enabled", "disabled", "disabled", "enabled"].enumerated().reduce(Server()) {
      $0.answering(200, Server.connection($1.offset % 2 == 0 ? "a1" : "a2", status: $1.element))
    }
    let listed = home.run(
      "connections list --users \(path(home)) --status enabled -o csv --fields user_id,id,tracked", answers: server)
    #expect(listed.output == "user_id,id,tracked\nu-1,a1,true\nu-2,a2,true\n")
    #expect(listed.errors == "")
  }

  /// A token that is given for one user is not used for others.
  @Test func aGivenUserTokenIsNotUsed() {
    let home = home("user_id\nu-1\n")
    home.environment["IFTTT_USER_TOKEN"] = "token-of-one-user-0123456789"
    let server = Server().answering(200, Server.connection("a1"))
    home.run("connections show a1 --users \(path(home))", answers: server)
    #expect(server.requests[0].headers.contains { $0.name == "IFTTT-Service-Key" })
    let missing = home.run("connections show a1 --users \(path(home)) --as user")
    #expect(missing.exit == .credentials)
    #expect(missing.errors.contains("no user token of user 'u-1' is stored"))
  }

  @Test func storedTokensAreUsedWithAsUser() {
    let home = home("user_id\nu-1\nu-2\nu-3\n")
    home.secrets += ["stored-token-one-0123456789", "stored-token-two-0123456789"]
    home.run("token set --user-id u-1 --user-token-file -", input: .bytes(Array("stored-token-one-0123456789\n".utf8)))
    home.run("token set --user-id u-3 --user-token-file -", input: .bytes(Array("stored-token-two-0123456789\n".utf8)))
    let server = Server().answering(200, Server.connection("a1")).answering(
      401, Server.error("unauthorized", "stored-token-two-0123456789 is not valid"))
    let shown = home.run(
      "connections show a1 --users \(path(home)) --as user -v -o jsonl --fields user_id", answers: server)
    #expect(shown.output == "{\"user_id\":\"u-1\"}\n")
    #expect(shown.exit == .partial)
    #expect(server.asked == Array(repeating: "GET connect.ifttt.com/v2/connections/a1", count: 2))
  }

  @Test func badLinesAreNamedAndNotQuoted() {
    let home = home("{\"user_id\":\"u-1\"}\n{\"user_id\":\"u-2\", S3CRET\n")
    let shown = home.run(
      "connections show a1 --users \(path(home)) -o jsonl --fields user_id",
      answers: Server().answering(200, Server.connection("a1")))
    #expect(shown.exit == .partial)
    #expect(shown.errors.contains(#"{"parameter":"line 2","message":"it is not JSON"}"#))
    #expect(!shown.errors.contains("S3CRET"))
    _ = home.folder.write("users", "{\"user_id\":\"u-2\", S3CRET\n")
    let only = home.run("connections show a1 --users \(path(home))")
    #expect(only.notes.first == "ifttt: line 1: it is not JSON")
    _ = home.folder.write("users", "S3CRET,x\n1,2\n")
    let rejected = home.run("connections show a1 --users \(path(home))")
    #expect(rejected.exit == .usage)
    #expect(
      rejected.errors == """
        ifttt: --users: the file cannot be used
          its first line has no column user_id
          Pass JSON Lines with a "user_id" in each object, or CSV with a column user_id.

        """)
  }

  /// The shard of a bad line is the first one, so that it counts once.
  @Test func badLinesBelongToTheFirstShard() {
    let home = home("{\"user_id\":\"u-1\"}\nbad\n{\"user_id\":\"u-2\"}\n")
    // Of these two users, the first one belongs to shard 2.
    let first = home.run(
      "connections show a1 --users \(path(home)) --shard 1/2 -o jsonl --fields user_id",
      answers: Server().answering(200, Server.connection("a1")))
    #expect(first.exit == .partial && first.output == "{\"user_id\":\"u-2\"}\n")
    let second = home.run(
      "connections show a1 --users \(path(home)) --shard 2/2 -o jsonl --fields user_id",
      answers: Server().answering(200, Server.connection("a1")))
    #expect(second.exit == .success && second.output == "{\"user_id\":\"u-1\"}\n")
  }

  @Test func aShardSelectsConnectionsWithoutUsers() {
    // Kd7Rn2Qx is in the first of two parts.
    let home = Home()
    let ids = "Kd7Rn2Qx Fq3Lw8Zt Rw9Ky4Hc Wd5Po8Rk Yb8Cz3Ve"
    let parts = [1, 2].map { part in
      home.sandbox("connections show \(ids) --shard \(part)/2 -o tsv --no-header --fields id").lines
    }
    #expect(parts[0].contains("Kd7Rn2Qx"))
    #expect((parts[0] + parts[1]).sorted() == ids.split(separator: " ").map(String.init).sorted())
    let lists = [1, 2].map { part in
      home.sandbox("connections list --shard \(part)/2 -o tsv --no-header --fields id").lines
    }
    #expect(lists[0].contains("Kd7Rn2Qx"))
    #expect(
      (lists[0] + lists[1]).sorted() == home.sandbox("connections list -o tsv --no-header --fields id").lines.sorted())
  }

  @Test(arguments: [
    "--ordered", "--users F --raw", "--users F --as anonymous", "--users F --user-token-file T",
    "--users F --user-id x",
    "--users F --provider shelf", "--shards 2", "--shard 1/2 --shards 2", "--shard auto", "--shard 0/2", "--shard 3/2",
    "--rate 0/s", "--rate 5", "--rate 5/h", "--rate -1/s", "--users F --shard auto --shards 0",
  ])
  func combinationsWithoutAMeaningAreUsageErrors(_ words: String) {
    #expect(home("user_id\n").run("connections show a1 \(words)").exit == .usage)
  }

  @Test func aDryRunPrintsEachRequest() {
    let home = home("user_id\nu-1\nu-2\n")
    let planned = home.run("connections show a1 --users \(path(home)) --dry-run -o jsonl --fields url")
    #expect(planned.lines.map { $0.hasSuffix("user_id=u-1\"}") } == [true, false])
    #expect(planned.lines.count == 2 && planned.exit == .success)
  }

  @Test func offlineIsAnError() {
    #expect(home("user_id\nu-1\n").run("connections show a1 --users - --offline").exit == .unavailable)
  }

  @Test func usersAndIdsCannotBothComeFromStdin() {
    let home = home("")
    let both = home.run("connections show --stdin --users -", input: .bytes(Array("a1\n".utf8)))
    #expect(both.exit == .usage)
  }
}
