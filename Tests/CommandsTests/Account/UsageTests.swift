import Foundation
import HTTP
import JSON
import ProgramDriver
import Support
import Testing
import World

@testable import Commands
@testable import Session

/// The usage events that commands record, without any effect on the commands.
@Suite struct UsageTests {
  private let home = Home()
  private let token = "token-of-the-tests-0123456789"

  init() {
    home.environment["IFTTT_USER_TOKEN"] = token
    home.secrets.append(token)
    home.run("privacy on")
  }

  /// Permits starting a sender, which otherwise fails the test.
  private func allowSender(_ result: Result<Void, SystemError> = .success(())) {
    home.prepare = { $0.processes.again = result }
  }

  private var started: [[String]] { home.last?.processes.startedAgain ?? [] }

  /// Enables or disables connections whose status on the server is `before`.
  @discardableResult
  private func change(
    _ verb: String, _ ids: String..., before: String = "enabled", more: String = ""
  ) -> Home.Outcome {
    let server = Server()
    for id in ids { _ = server.answering(200, Server.connection(id, status: before)) }
    for id in ids { _ = server.answering(200, Server.connection(id, status: verb + "d")) }
    return home.run("connections \(verb) \(ids.joined(separator: " ")) --max-age 0 \(more)", answers: server)
  }

  private func shown() throws -> JSONValue {
    try JSONValue(parsing: Array(home.run("privacy show --json").output.utf8))
  }

  private func waiting() throws -> Int? { try shown()["waiting"]?.int }

  /// The events that would be sent next, each in a few words.
  private func next() throws -> [String] {
    try (shown()["next"]?["body"]?["events"]?.array ?? []).map { event in
      let properties = event["properties"]
      let keys = ["object_type", "object_id", "object_status", "location_id", "state"]
      let words = keys.compactMap { properties?[$0]?.string }
      return ([event["name"]?.string ?? ""] + words).joined(separator: " ")
    }
  }

  @Test func disablingIsAClick() throws {
    #expect(change("disable", "aa").exit == .success)
    #expect(try next() == ["sdk.click connection aa enabled aa"])
    let event = try #require(try shown()["next"]?["body"]?["events"]?.array?.first)
    #expect(event["timestamp"]?.string?.count == 13)
  }

  @Test func enablingRecordsTheWholeFlow() throws {
    #expect(change("enable", "aa", before: "disabled").exit == .success)
    #expect(
      try next() == [
        "sdk.click connection aa disabled aa", "sdk.statechange connection aa enabled aa enabled", "sdk.pageviewed aa",
      ])
  }

  @Test func changesWithoutEffectRecordNothing() throws {
    // The response shows no effect, so the connection is read again.
    let refused = ["aa", "aa", "aa"].reduce(Server()) { $0.answering(200, Server.connection($1)) }
    #expect(home.run("connections disable aa --max-age 0", answers: refused).exit == .failure)
    let done = Server().answering(200, Server.connection("aa", status: "disabled"))
    #expect(home.run("connections disable aa --max-age 0", answers: done).exit == .success)
    let present = Server().answering(200, Server.connection("aa"))
    #expect(home.run("connections disable aa --dry-run --force", answers: present).exit == .success)
    #expect(try waiting() == 0)
  }

  @Test func invalidIDsAreNotRecorded() throws {
    #expect(change("disable", "kai@mail.test").exit == .success)
    #expect(change("disable", "48.2082,16.3738").exit == .success)
    #expect(try waiting() == 0)
  }

  @Test func privacyShowPrintsTheNextRequest() throws {
    change("disable", "aa")
    let shown = try shown()
    let schema = home.run("schema privacy show").output
    #expect(try JSONSchemaValidator.problems(of: [shown.text], against: schema) == [])
    let id = try #require(shown["anonymous_id"]?.string)
    #expect(shown["next"]?["url"] == "https://connect.ifttt.com/v2/sdk/events")
    #expect(shown["next"]?["headers"]?["IFTTT-SDK-Anonymous-Id"]?.string == id)
    let card = home.run("privacy show").output
    #expect(card.contains("\n  POST https://connect.ifttt.com/v2/sdk/events\n"))
    #expect(card.contains("\n  IFTTT-SDK-Anonymous-Id: \(id)\n"))
    let server = Server().answering(204)
    #expect(home.run(UsageEvents.senderArguments.joined(separator: " "), answers: server).exit == .success)
    #expect(
      server.requests.map { JSONValue(String(decoding: $0.body ?? [], as: UTF8.self)) }
        == [JSONValue(shown["next"]?["body"]?.text)])
  }

  @Test func fiveQueuedEventsStartOneSender() throws {
    change("disable", "aa", "bb", "cc", "dd")
    allowSender()
    change("disable", "ee")
    #expect(started == [["--profile", "default", "--retries", "0", "__usage"]])
    change("disable", "ff")
    #expect(started == [], "a sender is running")
    home.wait(.seconds(16))
    change("disable", "gg")
    #expect(started.count == 1, "the sender has ended")
    #expect(try waiting() == 7)
  }

  @Test func interruptionsAndVetoesStartNoSender() throws {
    change("disable", "aa", "bb", "cc", "dd")
    let interruptedServer = Server().answering(200, Server.connection("ee"))
      .answering(200, Server.connection("ee", status: "disabled"))
    interruptedServer.whileWaiting = { [home] in
      if interruptedServer.requests.count == 2 { home.last?.interruption.interrupt() }
    }
    home.run("connections disable ee --max-age 0", answers: interruptedServer)
    #expect(try waiting() == 5)
    home.environment["DO_NOT_TRACK"] = "1"
    change("disable", "ff")
    home.environment["DO_NOT_TRACK"] = nil
    home.environment["CI"] = "1"
    change("disable", "gg")
    home.environment["CI"] = nil
    #expect(try waiting() == 5)
  }

  @Test func aSenderThatCannotStartIsNotAFailure() throws {
    allowSender(.failure(SystemError(number: EAGAIN, call: "ifttt")))
    let run = change("disable", "aa", "bb", "cc", "dd", "ee", more: "-q")
    #expect(run.exit == .success)
    #expect(run.errors == "")
    #expect(try waiting() == 5)
    home.wait(.seconds(16))
    #expect(change("disable", "ff", more: "-v").errors.contains("usage events: a system call failed: ifttt: "))
  }

  /// The command needs the cache too, so the test damages it after the command has printed.
  @Test func anUnwritableQueueIsNotAFailure() throws {
    change("disable", "bb")
    let server = Server().answering(200, Server.connection("aa"))
      .answering(200, Server.connection("aa", status: "disabled"))
    home.adapt = { [folder = home.folder] world in
      world.output = Breaking(world.output) { chmod(folder["cache.db"], 0o644) }
    }
    let run = home.run("connections disable aa --max-age 0 -v", answers: server)
    #expect(run.exit == .success)
    #expect(run.errors.contains("usage events: other users can access "), "\(run.errors)")
    chmod(home.folder["cache.db"], 0o600)
    home.adapt = { _ in }
    #expect(try waiting() == 1)
  }

  @Test func theQueueKeepsTheLastHundredEvents() throws {
    allowSender()
    let ids = (1000..<1060).map { "id\($0)" }
    let server = Server()
    for id in ids { _ = server.answering(200, Server.connection(id, status: "disabled")) }
    for id in ids { _ = server.answering(200, Server.connection(id)) }
    let run = home.run("connections enable \(ids.joined(separator: " ")) --max-age 0 --jobs 1 -q", answers: server)
    #expect(run.exit == .success)
    #expect(try waiting() == 100)
    #expect(try next().first == "sdk.pageviewed id1026", "60 times 3 events, without the first 80")
  }

  @Test func sandboxEventsAreSentAtOnceAndNotQueued() throws {
    home.environment["IFTTT_USER_TOKEN"] = Home.sandboxSecrets[1]
    let run = home.sandbox("connections disable Kd7Rn2Qx -v")
    #expect(run.exit == .success)
    #expect(run.errors.contains("> POST https://connect.ifttt.com/v2/sdk/events\n"))
    #expect(try waiting() == 0)
  }

  @Test func recordingsAndReplaysOmitTheInstallationID() throws {
    home.environment["TMPDIR"] = home.folder.path
    let run = change("disable", "aa", more: "--record \(home.folder["r"])")
    #expect(run.exit == .success)
    for name in home.folder.names where name.hasPrefix("r/") {
      #expect(home.folder.text(name)?.lowercased().contains("ifttt-sdk") == false)
    }
    #expect(home.run("connections disable aa --max-age 0 --replay \(home.folder["r"])").exit == .success)
    #expect(try waiting() == 0)
  }
}

/// A sink that calls a closure before each write.
private final class Breaking: ByteSink {
  private let inner: any ByteSink
  private let happen: () -> Void

  init(_ inner: any ByteSink, _ happen: @escaping () -> Void) { (self.inner, self.happen) = (inner, happen) }

  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    happen()
    try inner.write(bytes)
  }
}
