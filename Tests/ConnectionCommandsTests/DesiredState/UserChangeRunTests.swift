import HTTP
import ProgramDriver
import Support
import Testing

@testable import Changes
@testable import Session
@testable import Store

/// Runs over users whose subjects are read before the confirmation, and what such runs share with those of one user.
@Suite struct UserChangeRunTests {
  private let home = Home.withTokens(of: ["u1", "u2"])

  private func users(_ names: String...) -> String { home.users(names) }

  private func shown(_ status: String, _ id: String = "aa") -> String { Server.connection(id, status: status) }

  private let options = "--jobs 1 --retries 0 -o csv --no-header --fields user_id,id,status,changed --as user"
  private let unavailable = Server.error("server_error", "no")

  // MARK: Results that are known before the run

  @Test func aSubjectThatCouldNotBeReadIsResumed() {
    let file = users("u1")
    let server = Server().answering(200, shown("enabled")).answering(500, unavailable)
      .answering(200, shown("disabled"))
    let first = home.run("connections disable aa bb --users \(file) \(options)", answers: server)
    #expect(first.exit == .partial && first.output == "u1,aa,disabled,true\nu1,bb,unknown,false\n", "\(first.errors)")
    let again = Server().answering(200, shown("enabled", "bb")).answering(200, shown("disabled", "bb"))
    let resumed = home.run("connections disable --resume --users \(file) \(options)", answers: again)
    #expect(resumed.exit == .success && resumed.output == "u1,bb,disabled,true\n", "\(resumed.errors)")
    #expect(home.run("connections disable --resume --users \(file)").exit == .notFound)
  }

  @Test func aSubjectThatHasItsTargetByNowEndsTheRun() {
    let file = users("u1")
    let server = Server().answering(200, shown("enabled")).answering(500, unavailable).answering(200, shown("enabled"))
    #expect(home.run("connections disable aa --users \(file) \(options)", answers: server).exit != .success)
    let again = Server().answering(200, shown("disabled"))
    let resumed = home.run("connections disable --resume --users \(file) \(options)", answers: again)
    #expect(resumed.exit == .success && resumed.output.hasPrefix("u1,aa,disabled,"), "\(resumed.errors)")
    #expect(home.run("connections disable --resume --users \(file)").exit == .notFound)
  }

  /// Only the features of a connection show whether nothing of it was configured.
  @Test(arguments: [true, false]) func disablingAPendingConnectionOfAUserIsAnnounced(hasFeatures: Bool) {
    let features = hasFeatures ? #"[{"id":"f1","title":"Lamps"}]"# : "[]"
    let connection = shown("enabled").replacing(
      #""features":[]"#, with: #""features":\#(features),"user_connection":{"user_features":[]}"#)
    let server = Server().answering(200, connection)
    let plan = home.run("connections disable aa --users \(users("u1")) --dry-run --as user", answers: server)
    #expect(plan.errors.contains("aa cannot be enabled again") == hasFeatures, "\(plan.errors)")
  }

  private func outcomes() -> [String] {
    home.run("connections history -o csv --no-header --fields number,outcome").lines.filter { $0.hasPrefix("1,") }
  }

  /// A run is undone only if nothing of it is left.
  @Test func anUndoOfOneUserContinuesWithWhatCouldNotBeRead() {
    let off = Server().answering(200, shown("enabled")).answering(200, shown("enabled", "bb"))
      .answering(200, shown("disabled")).answering(200, shown("disabled", "bb"))
    #expect(home.run("connections disable aa bb --users \(users("u1")) \(options)", answers: off).exit == .success)
    let server = Server().answering(200, shown("disabled")).answering(500, unavailable)
      .answering(200, shown("enabled"))
    let undo = home.run("connections undo \(options)", answers: server)
    #expect(undo.exit == .partial && undo.output == "u1,aa,enabled,true\nu1,bb,unknown,false\n", "\(undo.errors)")
    #expect(outcomes().last == "1,done")
    let rest = Server().answering(200, shown("disabled", "bb")).answering(200, shown("enabled", "bb"))
    let again = home.run("connections undo \(options)", answers: rest)
    #expect(again.exit == .success && again.output == "u1,bb,enabled,true\n", "\(again.errors)")
    #expect(outcomes().last == "1,undone")
  }

  @Test func anUndoOnATerminalContinuesWithWhatCouldNotBeRead() {
    let off = Server().answering(200, shown("enabled")).answering(200, shown("disabled"))
      .answering(200, shown("enabled")).answering(200, shown("disabled"))
    let disable = "connections disable aa --yes --users \(users("u1", "u2")) \(options)"
    #expect(home.run(disable, answers: off).exit == .success)
    home.terminal = .interactive()
    let server = Server().answering(200, shown("disabled")).answering(500, unavailable)
      .answering(200, shown("enabled"))
    let undo = home.run("connections undo \(options)", input: .typed(lines: ["y"]), answers: server)
    #expect(undo.exit == .partial && undo.output == "u1,aa,enabled,true\nu2,aa,unknown,false\n", "\(undo.errors)")
    let words = undo.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("Undoing 'ifttt connections disable"), "\(undo.errors)")
    home.terminal = .none
    #expect(outcomes().last == "1,done")
    let rest = Server().answering(200, shown("disabled")).answering(200, shown("enabled"))
    let again = home.run("connections undo --yes \(options)", answers: rest)
    #expect(again.exit == .success && again.output == "u2,aa,enabled,true\n", "\(again.errors)")
    #expect(outcomes().last == "1,undone")
  }

  // MARK: The same as for one user

  /// The state after the run of one user is unknown, so that nothing is applied again for any user.
  @Test func aRunThatCannotBeRedoneIsRefusedAsAWhole() {
    let off = Server().answering(200, shown("enabled")).answering(200, shown("disabled"))
      .answering(200, shown("enabled")).failing(.broken, "reset", mayHaveArrived: true).answering(500, unavailable)
    let disable = "connections disable aa --yes --users \(users("u1", "u2")) \(options)"
    #expect(home.run(disable, answers: off).exit == .partial)
    let back = Server().answering(200, shown("disabled")).answering(200, shown("enabled"))
      .answering(200, shown("disabled")).answering(200, shown("enabled"))
    let undo = home.run("connections undo --yes --force \(options)", answers: back)
    #expect(undo.exit == .success, "\(undo.errors)")
    let server = Server()
    let redo = home.run("connections redo --yes --as user --json", answers: server)
    #expect(redo.exit == .failure && redo.output.isEmpty && server.requests.isEmpty)
    #expect(redo.errors.contains(#""code":"cannot_undo""#), "\(redo.errors)")
    #expect(redo.errors.contains("the state of connection 'aa' of user 'u2' after the run is unknown"))
    #expect(outcomes().last == "1,undone")
  }

  @Test(arguments: [true, false]) func theCachedStateOfTheProfilesOwnUserExpires(_ isOwn: Bool) {
    home.environment["IFTTT_USER_ID"] = "u1"
    home.run("connections add aa --as user", answers: Server().answering(200, shown("enabled")))
    let list = "connections list --as user -o csv --no-header --fields id,status"
    #expect(home.run(list, answers: Server()).output == "aa,enabled\n", "the cached state is fresh")
    let server = Server().answering(200, shown("enabled")).answering(200, shown("disabled"))
    let disable = "connections disable aa --users \(users(isOwn ? "u1" : "u2")) \(options)"
    #expect(home.run(disable, answers: server).exit == .success)
    let listed = isOwn ? Server().answering(200, shown("disabled")) : Server()
    #expect(home.run(list, answers: listed).output == (isOwn ? "aa,disabled\n" : "aa,enabled\n"))
    #expect(listed.requests.count == (isOwn ? 1 : 0))
  }

  @Test func anErrorSuggestsForceIfTheCommandHasIt() {
    let server = Server().answering(200, shown("another"))
    let enable = home.run("connections enable aa --users \(users("u1")) --as user", answers: server)
    #expect(enable.exit == .failure && enable.errors.contains("--force sends the request anyway"), "\(enable.errors)")
  }

  @Test(arguments: ["--yes", "--dry-run", ""]) func whatATargetSaysWithoutEffectIsNotedOnce(_ option: String) {
    let file = home.folder.write(
      "c.json", #"{"version":1,"connections":[{"id":"aa","status":"never_enabled"}]}"#)
    if option.isEmpty { home.terminal = .interactive() }
    let server = Server().answering(200, shown("enabled")).answering(200, shown("enabled"))
    let run = home.run(
      "connections apply \(file) --users \(users("u1", "u2")) --jobs 1 \(option)", answers: server)
    let note = "Connection 'aa' is never_enabled in the file"
    let text = run.errors.split { $0 == "\n" || $0 == " " }.joined(separator: " ")
    #expect(run.exit == .success && text.ranges(of: note).count == 1, "\(run.errors)")
  }

  @Test func theStateOfARunFollowsFromItsEnd() {
    #expect(JournalRun.State(ending: .success(())) == .done)
    #expect(JournalRun.State(ending: .failure(Problem.interrupted)) == .interrupted)
    #expect(JournalRun.State(ending: .failure(Problem(.outputFailed, "the disk is full"))) == .failed)
  }
}
