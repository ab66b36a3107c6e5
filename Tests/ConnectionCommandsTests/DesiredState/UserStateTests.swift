import HTTP
import ProgramDriver
@testable import Session
import Support
import Testing

/// Changing the connections of many users, on scripted servers.
@Suite struct UserStateTests {
  private let home = Home.withTokens(of: ["u1", "u2", "u3"])

  private func users(_ names: String...) -> String { home.users(names) }

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
    #expect(
      outcome.output == "u1,aa,unknown,false\nnobody,aa,unknown,false\nu2,aa,disabled,true\n"
        && outcome.exit == .partial)
    #expect(outcome.errors.contains("- nobody: no user token of user 'nobody' is stored"))
  }

  @Test func theNumberOfUsersIsConfirmed() {
    let file = users("u1", "u2", "u1")
    let unconfirmed = disable("--users \(file)", Server())
    #expect(unconfirmed.exit == .failure && unconfirmed.errors.contains("--yes'."))
    let question = unconfirmed.notes.first { $0.contains(" of 2 users?") } ?? ""
    #expect(question.contains("connection") && !question.contains(" 0 "), "\(unconfirmed.errors)")
    let piped = home.run("connections disable aa --users -")
    #expect(piped.exit == .failure && piped.errors.contains("the number of users on stdin is unknown"))
    #expect(disable("--users \(users("u1"))", Server().answering(200, shown("disabled"))).exit == .success)
  }

  /// With a person to ask, the connections are read first, and the question has their number.
  @Test func theNumberOfConnectionsIsAsked() {
    home.terminal = .interactive()
    let server = Server().answering(200, shown("enabled")).answering(200, shown("disabled"))
      .answering(200, shown("enabled"))
    let declined = home.run(
      "connections disable aa --jobs 1 --users \(users("u1", "u2", "u3"))", input: .typed(lines: ["n"]),
      answers: server)
    #expect(declined.errors.contains("Disable 2 connections of 3 users?"), "\(declined.errors)")
    #expect(declined.exit == .failure && declined.errors.contains("nothing was changed"))
    #expect(server.requests.count == 3 && server.requests.allSatisfy { $0.method == .get })
  }

  @Test func aRunIsResumedAndUndone() {
    let server = Server().answering(200, shown("enabled")).answering(200, shown("disabled"))
      .answering(200, shown("enabled")).answering(500, Server.error("server_error", "no"))
      .answering(200, shown("enabled")).answering(200, shown("disabled"))
    let file = users("u1", "u2", "u3")
    let first = disable("--users \(file) --yes", server)
    #expect(first.output == "u1,aa,disabled,true\nu2,aa,enabled,false\nu3,aa,disabled,false\n")
    #expect(first.exit == .partial, "\(first.errors)")
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

  @Test func aDryRunFetchesAndListsEachUser() {
    let file = users("u1", "u2")
    func plan(_ statuses: String...) -> (Home.Outcome, Server) {
      let server = statuses.reduce(Server()) { $0.answering(200, shown($1)) }
      let line = "connections disable aa --users \(file) --dry-run --exit-code --jobs 1 -o jsonl"
      return (home.run(line, answers: server), server)
    }
    let (changes, server) = plan("disabled", "enabled")
    let state = #"{"status":"disabled","fields":{}}"#
    func unchanged(_ user: String) -> String {
      #"{"id":"aa","provider":null,"user_id":"\#(user)","before":\#(state),"after":\#(state),"requests":[]}"#
    }
    #expect(changes.lines.count == 2 && changes.lines.first == unchanged("u1"), "\(changes.output)")
    let begin = #"{"id":"aa","provider":null,"user_id":"u2","before":{"status":"enabled","fields":{}},"after":"#
    #expect(changes.lines.last?.hasPrefix(begin + state) == true)
    let request = #"[{"method":"POST","url":"https://connect.ifttt.com/v2/connections/aa/disable","#
    #expect(changes.lines.last?.contains(#""requests":"# + request) == true)
    #expect(changes.errors.contains("Would ask: Disable 1 connection of 2 users?"))
    #expect(changes.exit == .notYet && server.requests.allSatisfy { $0.method == .get })
    let (nothing, _) = plan("disabled", "disabled")
    #expect(nothing.lines == [unchanged("u1"), unchanged("u2")])
    #expect(nothing.exit == .success && nothing.errors == "Nothing would be sent.\n")
  }

  @Test func aResumedRunKeepsChangesThatTheCommandDoesNotInclude() {
    let server = Server().answering(200, shown("enabled")).answering(200, shown("disabled"))
      .answering(200, shown("enabled")).answering(500, Server.error("server_error", "no"))
      .answering(200, shown("enabled"))
    #expect(disable("--users \(users("u1", "u2")) --yes", server).exit == .partial)
    let fewer = disable("--users \(users("u1")) --resume", Server())
    #expect(fewer.exit == .failure && fewer.errors.contains("1 change of the resumed run is not part of this command"))
    let all = Server().answering(200, shown("enabled")).answering(200, shown("disabled"))
    let resumed = disable("--users \(users("u1", "u2")) --resume", all)
    #expect(resumed.output == "u2,aa,disabled,true\n" && resumed.exit == .success, "\(resumed.errors)")
  }

  /// A request whose response was lost took effect, which the state shows at once.
  @Test func aLostResponseIsRead() {
    let file = users("u1")
    let server = Server().answering(200, shown("enabled")).failing(.broken, "reset", mayHaveArrived: true)
      .answering(200, shown("disabled"))
    let outcome = disable("--users \(file) --yes", server)
    #expect(outcome.output == "u1,aa,disabled,true\n" && outcome.exit == .success, "\(outcome.errors)")
    #expect(disable("--users \(file) --resume", Server()).exit == .notFound)
  }

  /// The response was lost, and the state could not be read. The next run reads it, and then nothing is left.
  @Test func aLostResponseIsSettled() {
    let file = users("u1", "u2")
    let server = Server().answering(200, shown("enabled")).failing(.broken, "reset", mayHaveArrived: true)
      .answering(500, Server.error("server_error", "no")).answering(200, shown("disabled"))
    let first = disable("--users \(file) --yes", server)
    #expect(first.output == "u1,aa,unknown,false\nu2,aa,disabled,false\n" && first.exit == .partial)
    let again = Server().answering(200, shown("disabled")).answering(200, shown("disabled"))
    #expect(disable("--users \(file) --resume", again).output == "u1,aa,disabled,true\nu2,aa,disabled,false\n")
    #expect(again.requests.allSatisfy { $0.method == .get })
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
          .answering(200, shown("enabled"))
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

  /// A connection that is already as it was before the run needs no request.
  @Test func anUndoLeavesWhatWasChangedAgain() {
    let server = Server().answering(200, shown("enabled")).answering(200, shown("disabled"))
    #expect(disable("--users \(users("u1")) --yes", server).exit == .success)
    let undo = "connections undo --as user -o csv --no-header --fields user_id,status,changed"
    let back = home.run(undo, answers: Server().answering(200, shown("enabled")))
    #expect(back.output == "u1,enabled,false\n")
  }

  @Test func forceSendsTheRequestAnyway() {
    let server = Server().answering(200, shown("disabled")).answering(200, shown("disabled"))
    let forced = disable("--users \(users("u1")) --force --yes", server)
    #expect(forced.output == "u1,aa,disabled,false\n" && forced.exit == .success, "\(forced.errors)")
    #expect(
      server.asked == [
        "GET connect.ifttt.com/v2/connections/aa", "POST connect.ifttt.com/v2/connections/aa/disable",
      ])
  }

  @Test func optionsThatNeedTheProfilesOwnUserAreRejected() {
    let file = users("u1")
    for options in ["--user-token-file x", "--as anonymous"] {
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
