import Batch
import HTTP
import ProgramDriver
import Support
import Testing

@testable import CommandContext

/// Changing the connections of many users, on scripted servers.
@Suite struct UserStateTests {
  private let home = Home()

  init() {
    home.environment["IFTTT_SERVICE_KEY"] = "key-of-the-tests-0123456789"
    home.secrets.append("key-of-the-tests-0123456789")
    for user in ["u1", "u2", "u3"] {
      let token = "token-of-\(user)-0123456789abcdef"
      home.secrets.append(token)
      home.run("token set --user-id \(user) --user-token-file -", input: .text(token), reveals: true)
    }
  }

  private func users(_ names: String...) -> String {
    home.folder.write("users.csv", (["user_id"] + names).map { $0 + "\n" }.joined())
  }

  private func shown(_ status: String, _ id: String = "aa") -> String { Server.connection(id, status: status) }

  private func disable(_ options: String, _ server: Server) -> Home.Outcome {
    home.run(
      "connections disable aa --jobs 1 --retries 0 -o csv --no-header --fields user_id,id,status,changed \(options)",
      answers: server)
  }

  private func bearers(_ server: Server) -> [String?] {
    server.requests.map { request in
      request.headers.first { $0.name.lowercased() == "authorization" }?.wire
    }
  }

  @Test func eachUserIsChangedWithItsOwnToken() {
    let server = Server().answering(200, shown("enabled")).answering(200, shown("disabled"))
      .answering(200, shown("disabled"))
    let outcome = disable("--users \(users("u1", "u2")) --yes", server)
    #expect(outcome.output == "u1,aa,disabled,true\nu2,aa,disabled,false\n" && outcome.exit == .success)
    #expect(
      server.asked == [
        "GET connect.ifttt.com/v2/connections/aa", "POST connect.ifttt.com/v2/connections/aa/disable",
        "GET connect.ifttt.com/v2/connections/aa",
      ])
    #expect(
      bearers(server) == [
        "Bearer token-of-u1-0123456789abcdef", "Bearer token-of-u1-0123456789abcdef",
        "Bearer token-of-u2-0123456789abcdef",
      ])
  }

  @Test func oneUsersFailureDoesNotStopTheOthers() {
    let server = Server().answering(401, Server.error("unauthorized", "no")).answering(200, shown("enabled"))
      .answering(200, shown("disabled"))
    let outcome = disable("--users \(users("u1", "nobody", "u2")) --yes", server)
    #expect(outcome.output == "u1,aa,unknown,false\nu2,aa,disabled,true\n" && outcome.exit == .partial)
    #expect(outcome.errors.contains("- nobody: no user token of user 'nobody' is stored"))
  }

  @Test func theNumberOfUsersIsConfirmed() {
    let file = users("u1", "u2", "u1")
    let unconfirmed = disable("--users \(file)", Server())
    #expect(unconfirmed.exit == .failure && unconfirmed.errors.contains("Change 1 connection of each of 2 users?"))
    let piped = home.run("connections disable aa --users -")
    #expect(piped.exit == .failure && piped.errors.contains("the number of users on stdin is unknown"))
    #expect(disable("--users \(users("u1"))", Server().answering(200, shown("disabled"))).exit == .success)
  }

  @Test func aRunIsResumedAndUndone() {
    let server = Server().answering(200, shown("enabled")).answering(200, shown("disabled"))
      .answering(200, shown("enabled")).answering(500, Server.error("server_error", "no"))
    let file = users("u1", "u2", "u3")
    #expect(disable("--users \(file) --yes", server.answering(200, shown("disabled"))).exit == .partial)
    let again = Server().answering(200, shown("enabled")).answering(200, shown("disabled"))
      .answering(200, shown("disabled"))
    let resumed = disable("--users \(file) --resume", again)
    #expect(resumed.output == "u2,aa,disabled,true\nu3,aa,disabled,false\n", "\(resumed.errors)")
    #expect(disable("--users \(file) --resume", Server()).exit == .notFound)
    // The undo is for the users of both parts.
    let undone = Server().answering(200, shown("disabled")).answering(200, shown("enabled"))
      .answering(200, shown("disabled")).answering(200, shown("enabled"))
    let undo = home.run(
      "connections undo --yes --jobs 1 -o csv --no-header --fields user_id,status --as user", answers: undone)
    #expect(undo.output == "u1,enabled\nu2,enabled\n" && undo.exit == .success, "\(undo.errors)")
  }

  @Test func aDryRunFetchesAndListsOnlyChanges() {
    let file = users("u1", "u2")
    func plan(_ statuses: String...) -> (Home.Outcome, Server) {
      let server = statuses.reduce(Server()) { $0.answering(200, shown($1)) }
      let line =
        "connections disable aa --users \(file) --dry-run --exit-code --jobs 1 -o tsv --no-header --fields method,url"
      return (home.run(line, answers: server), server)
    }
    let (changes, server) = plan("disabled", "enabled")
    #expect(changes.output == "POST\thttps://connect.ifttt.com/v2/connections/aa/disable\n")
    #expect(changes.exit == .notYet && server.requests.allSatisfy { $0.method == .get })
    let (nothing, _) = plan("disabled", "disabled")
    #expect(nothing.output == "" && nothing.exit == .success && nothing.errors == "Nothing would be sent.\n")
  }

  @Test func aResumedRunKeepsChangesThatTheCommandDoesNotInclude() {
    let server = Server().answering(200, shown("enabled")).answering(200, shown("disabled"))
      .answering(200, shown("enabled")).answering(500, Server.error("server_error", "no"))
    #expect(disable("--users \(users("u1", "u2")) --yes", server).exit == .partial)
    let fewer = disable("--users \(users("u1")) --resume", Server())
    #expect(fewer.exit == .failure && fewer.errors.contains("1 change of the resumed run is not part of this command"))
    let all = Server().answering(200, shown("enabled")).answering(200, shown("disabled"))
    let resumed = disable("--users \(users("u1", "u2")) --resume", all)
    #expect(resumed.output == "u2,aa,disabled,true\n" && resumed.exit == .success, "\(resumed.errors)")
  }

  /// A request whose response was lost took effect. The next run reads that, and then nothing is left.
  @Test func aLostResponseIsSettled() {
    let file = users("u1", "u2")
    let server = Server().answering(200, shown("enabled")).failing(.broken, "reset", mayHaveArrived: true)
      .answering(200, shown("disabled"))
    #expect(disable("--users \(file) --yes", server).exit == .partial)
    let again = Server().answering(200, shown("disabled")).answering(200, shown("disabled"))
    #expect(disable("--users \(file) --resume", again).output == "u1,aa,disabled,false\nu2,aa,disabled,false\n")
    #expect(disable("--users \(file) --resume", Server()).exit == .notFound)
    let undone = Server().answering(200, shown("disabled")).answering(200, shown("enabled"))
    let undo = home.run("connections undo --as user -o csv --no-header --fields user_id,status", answers: undone)
    #expect(undo.output == "u1,enabled\n")
  }

  /// Shards that failed side by side resume their own runs, in any order.
  @Test func eachShardResumesItsOwnRun() throws {
    let names = ["u1", "u2", "u3"]
    let file = users("u1", "u2", "u3")
    func shard(_ number: Int) -> [String] { names.filter { Shard.number(of: $0, among: 2) == number } }
    try #require(!shard(1).isEmpty && !shard(2).isEmpty)
    for number in 1...2 {
      let failing = shard(number).reduce(Server()) { server, _ in
        server.answering(200, shown("enabled")).answering(500, Server.error("server_error", "no"))
      }
      #expect(disable("--users \(file) --shard \(number)/2 --yes", failing).exit != .success)
    }
    for number in 1...2 {
      let server = shard(number).reduce(Server()) { server, _ in
        server.answering(200, shown("enabled")).answering(200, shown("disabled"))
      }
      let resumed = disable("--users \(file) --shard \(number)/2 --resume", server)
      #expect(resumed.output == shard(number).map { "\($0),aa,disabled,true\n" }.joined(), "\(resumed.errors)")
      #expect(disable("--users \(file) --shard \(number)/2 --resume", Server()).exit == .notFound)
    }
    #expect(disable("--users \(file) --resume", Server()).exit == .notFound)
  }

  @Test func anUndoIsResumed() {
    let server = Server().answering(200, shown("enabled")).answering(200, shown("disabled"))
      .answering(200, shown("enabled")).answering(200, shown("disabled"))
    #expect(disable("--users \(users("u1", "u2")) --yes", server).exit == .success)
    let undo = "connections undo --jobs 1 --retries 0 -o csv --no-header --fields user_id,status --as user"
    let failing = Server().answering(200, shown("disabled")).answering(200, shown("enabled"))
      .answering(500, Server.error("server_error", "no"))
    #expect(home.run("\(undo) --yes", answers: failing).exit == .partial)
    let rest = Server().answering(200, shown("disabled")).answering(200, shown("enabled"))
    #expect(home.run("\(undo) --resume", answers: rest).output == "u2,enabled\n")
  }

  /// The states of two users differ from what the run left: one is already as before, one was changed again.
  @Test func anUndoLeavesWhatWasChangedAgain() {
    let server = Server().answering(200, shown("enabled")).answering(200, shown("disabled"))
    #expect(disable("--users \(users("u1")) --yes", server).exit == .success)
    let undo = "connections undo --as user -o csv --no-header --fields user_id,status,changed"
    let back = home.run(undo, answers: Server().answering(200, shown("enabled")))
    #expect(back.output == "u1,enabled,false\n")
  }

  @Test func optionsThatNeedTheProfilesOwnUserAreRejected() {
    let file = users("u1")
    for options in ["--force", "--user-token-file x", "--as anonymous"] {
      #expect(disable("--users \(file) \(options)", Server()).exit == .usage, "\(options)")
    }
    #expect(home.run("connections apply --users \(file)").exit == .usage)
    #expect(home.run("connections apply c.json --prune --users \(file)").exit == .usage)
    #expect(home.run("connections diff c.json --plan-out p --users \(file)").exit == .usage)
    #expect(home.run("connections disable --status enabled --users \(file)").exit == .usage)
  }

  // MARK: Files of connections

  private func write(_ connections: String) -> String {
    home.folder.write("c.json", #"{"version":1,"connections":[\#(connections)]}"#)
  }

  @Test func settingsAreReadWithTheKeyAndStatusesChangedWithTheToken() {
    let file = write(#"{"id":"aa","status":"disabled"}"#)
    let server = Server().answering(200, shown("enabled")).answering(200, shown("disabled"))
    let applied = home.run(
      "connections apply \(file) --users \(users("u1")) --yes --json", answers: server)
    #expect(applied.exit == .success, "\(applied.errors)")
    #expect(
      server.asked == [
        "GET connect.ifttt.com/v2/connections/aa?user_id=u1", "POST connect.ifttt.com/v2/connections/aa/disable",
      ])
    #expect(bearers(server) == [nil, "Bearer token-of-u1-0123456789abcdef"])
  }

  /// A user without a token keeps everything: settings and status belong together.
  @Test func nothingIsSentForAUserWithoutAToken() {
    let file = write(#"{"id":"aa","status":"disabled"}"#)
    let server = Server().answering(200, shown("enabled"))
    let applied = home.run("connections apply \(file) --users \(users("nobody")) --yes", answers: server)
    #expect(applied.exit == .credentials && server.asked.count == 1)
    #expect(home.run("connections undo").exit == .notFound)
  }

  @Test func exportsAndDifferencesHaveTheirUser() {
    let file = write(#"{"id":"aa","status":"disabled"}"#)
    let all = users("u1", "u2")
    let server = Server().answering(200, shown("enabled")).answering(200, shown("disabled"))
    let diff = home.run(
      "connections diff \(file) --users \(all) --jobs 1 --json --exit-code", answers: server)
    #expect(
      diff.output == """
        [
        {"user_id":"u1","id":"aa","field":null,"change":"disabled","wanted":"disabled","present":"enabled"}
        ]

        """)
    #expect(diff.exit == .notYet)
    let export = home.run(
      "connections export aa bb --users \(all) --jobs 1",
      answers: Server().answering(200, shown("enabled")).answering(200, shown("disabled", "bb"))
        .answering(404, Server.error("not_found", "no")))
    #expect(
      export.output
        == #"{"user_id":"u1","version":1,"connections":[{"id":"aa","name":"aa","status":"enabled","features":[]},"#
        + #"{"id":"bb","name":"bb","status":"disabled"}]}"# + "\n")
    #expect(export.exit == .partial, "\(export.errors)")
  }
}
