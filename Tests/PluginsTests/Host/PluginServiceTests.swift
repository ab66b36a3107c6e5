import Foundation
import HTTP
import PluginProtocol
import Plugins
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// The services that a plugin requests from the program while it handles a request.
@Suite struct PluginServiceTests {
  let home = Home.tracking("aa")
  private let shelf = FakeProvider("shelf", [.listConnections, .showConnection, .enableConnection])

  /// Makes the plugin request these services, one after another, while it handles a change.
  @discardableResult
  private func ask(
    _ requests: [(String, Value)], _ options: String = "", input: ScriptedInput? = nil
  ) -> (answers: [Result<Value, PluginError>], outcome: Home.Outcome) {
    shelf.credentials = ["accounts", "account/*"]
    shelf.answers["connections/enable"] = { _ in requests.map { .ask($0.0, $0.1) } + [.enabled] }
    FakeProvider.install([shelf], in: home)
    let before = shelf.responses.count
    let outcome = home.run("connections enable shelf:s1 \(options)", input: input)
    return (Array(shelf.responses.dropFirst(before)), outcome)
  }

  // MARK: Credentials

  @Test func aStoreErrorKeepsItsCodeThroughAPlugin() throws {
    ask([("credential/put", ["name": "accounts", "value": "one"])])
    let key = home.folder["store.key"]
    shelf.answers["connections/show"] = { _ in
      try? FileManager.default.removeItem(atPath: key)
      return [
        .ask("credential/get", ["name": "accounts"]),
        .fail(PluginError("store_key_missing", "the account cannot be read")),
      ]
    }
    let show = home.run("connections show shelf:s1 --json")
    #expect(show.exit == .store)
    #expect(show.errors.contains("\"code\":\"store_key_missing\"") && show.errors.contains("store.key"))
    // The code is not accepted from a plugin if the store did not fail.
    shelf.answers["connections/show"] = { _ in [.fail(PluginError("store_key_missing", "it is gone"))] }
    #expect(home.run("connections show shelf:s1 --json").errors.contains("\"code\":\"plugin_failed\""))
  }

  /// Waiting for a locked store can consume the whole timeout of a request.
  @Test func aStoreThatCausesATimeoutIsReported() throws {
    ask([("credential/put", ["name": "accounts", "value": "one"])])
    let key = home.folder["store.key"]
    shelf.answers["connections/show"] = { _ in
      try? FileManager.default.removeItem(atPath: key)
      return [.ask("credential/get", ["name": "accounts"])]
    }
    let show = home.run("connections show shelf:s1 --json")
    #expect(show.exit == .store && show.errors.contains("\"code\":\"store_key_missing\""), "\(show.errors)")
    // A slow plugin is reported as the cause itself.
    shelf.answers["connections/show"] = { _ in [] }
    #expect(home.run("connections show shelf:s1 --json").errors.contains("\"code\":\"plugin_failed\""))
  }

  @Test func storedCredentialsAreAvailableInTheNextRun() {
    #expect(
      ask([
        ("credential/get", ["name": "accounts"]), ("credential/put", ["name": "accounts", "value": "one"]),
        ("credential/put", ["values": ["account/a": "two", "account/b": ""], "delete": ["account/z"]]),
      ]).answers == [.success(["value": nil]), .success([:]), .success([:])])
    #expect(
      ask([
        ("credential/get", ["name": "accounts"]), ("credential/get", ["name": "account/b"]),
        ("credential/list", ["prefix": "account/"]), ("credential/get", ["name": "accounts", "take": true]),
        ("credential/get", ["name": "accounts"]), ("credential/delete", ["name": "account/a"]),
        ("credential/delete", ["name": "account/a"]), ("credential/list", [:]),
      ]).answers == [
        .success(["value": "one"]), .success(["value": ""]), .success(["names": ["account/a", "account/b"]]),
        .success(["value": "one"]), .success(["value": nil]), .success(["deleted": true]),
        .success(["deleted": false]), .success(["names": ["account/b"]]),
      ])
    #expect(home.run("store check").exit == .success)
  }

  @Test(
    arguments: [
      ("credential/get", ["name": "service_key"]), ("credential/put", ["name": "other", "value": "x"]),
      ("credential/put", ["values": ["accounts": "x", "other": "y"]]), ("credential/put", ["delete": ["other"]]),
      ("credential/delete", ["name": "account"]),
    ] as [(String, Value)])
  func ungrantedCredentialsAreRejected(_ method: String, _ params: Value) {
    let answers = ask([(method, params), ("credential/list", [:])]).answers
    guard case .failure(let error)? = answers.first else { return #expect(Bool(false), "\(answers)") }
    #expect(error.code == "refused")
    // Nothing was changed.
    #expect(answers.last == .success(["names": []]))
  }

  @Test(
    arguments: [
      ("credential/get", [:]), ("credential/get", ["name": ""]), ("credential/put", ["values": ["accounts": 3]]),
      ("credential/put", ["name": "accounts", "value": Value(String(repeating: "x", count: (256 << 10) + 1))]),
      ("credential/put", ["delete": [3]]), ("lock/acquire", [:]), ("lock/release", ["name": "never"]), ("prompt", [:]),
      ("redirect/open", [:]), ("redirect/bind", ["redirect_uri": "http://0.0.0.0:80/"]),
      ("redirect/bind", ["redirect_uri": "http://127.0.0.1.evil.test/"]),
    ] as [(String, Value)])
  func malformedRequestsAreRejected(_ method: String, _ params: Value) {
    guard case .failure(let error)? = ask([(method, params)]).answers.first else { return #expect(Bool(false)) }
    #expect(error.number == -32602)
  }

  @Test func anUnknownMethodIsRejected() {
    #expect(ask([("store/drop", [:])]).answers == [.failure(.unknownMethod("store/drop"))])
  }

  // MARK: Locks

  @Test func aLockIsHeldUntilReleaseOrExit() throws {
    let answers = ask([
      ("lock/acquire", ["name": "refresh"]), ("lock/acquire", ["name": "refresh"]),
      ("lock/release", ["name": "refresh"]),
      ("lock/acquire", ["name": "refresh"]),
    ]).answers
    #expect(answers[0] == .success([:]))
    guard case .failure(let error) = answers[1] else { return #expect(Bool(false)) }
    #expect(error.code == "conflict")
    #expect(answers[2...] == [.success([:]), .success([:])])
    #expect(ask([("lock/acquire", ["name": "refresh", "timeout_ms": 0])]).answers == [.success([:])])
  }

  @Test func waitingForALockHasATimeout() throws {
    _ = ask([("lock/acquire", ["name": "refresh"])])
    let folder = home.folder["plugin-locks"]
    let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder).first)
    let files = LiveFiles(interruption: TestInterruption())
    let held = try #require(try files.lock("\(folder)/\(name)"))
    let answers = ask([("lock/acquire", ["name": "refresh", "timeout_ms": 500])]).answers
    guard case .failure(let error)? = answers.first else { return #expect(Bool(false)) }
    #expect(error.code == "conflict")
    #expect(home.last?.clock.monotonic() == .milliseconds(500))
    held.release()
    #expect(ask([("lock/acquire", ["name": "refresh", "timeout_ms": 0])]).answers == [.success([:])])
  }

  // MARK: Prompts

  @Test func promptsShowThePluginsName() {
    home.terminal = .interactive()
    let (answers, outcome) = ask(
      [
        ("prompt", ["message": "Which \u{1b}[31mroom"]), ("prompt", ["message": "Code", "secret": true]),
        ("confirm", ["message": "Really?"]), ("confirm", ["message": "Again?"]),
      ], "--fields id", input: .typed(lines: ["attic", "y", "no"], secrets: ["hush"]))
    #expect(
      answers == [
        .success(["value": "attic"]), .success(["value": "hush"]), .success(["yes": true]), .success(["yes": false]),
      ])
    #expect(outcome.errors == "shelf: Which room: shelf: Code: \nshelf: Really? [y/N] shelf: Again? [y/N] ")
  }

  @Test func waitsLastAtMostAnHour() {
    let shelf = FakeProvider("shelf", [.showConnection, .enableConnection])
    shelf.answers["connections/enable"] = { _ in
      [
        .ask("wait", ["timeout_ms": 90_000]), .ask("wait", ["timeout_ms": 100_000_000]), .ask("wait", [:]), .enabled,
      ]
    }
    FakeProvider.install([shelf], in: home)
    #expect(home.run("connections enable shelf:s1 --timeout 5s").exit == .success, "--timeout does not limit waits")
    #expect(shelf.responses == [.success([:]), .success([:]), .success([:])])
    #expect(home.last?.clock.sleeps.filter { $0 >= .seconds(90) } == [.seconds(90), .seconds(3600)])
  }

  @Test(arguments: ["connections show shelf:s1", "connections list --provider shelf", "connections list"])
  func readOnlyRequestsAreUnattendedEvenOnATerminal(_ line: String) {
    home.terminal = .interactive()
    home.environment["DISPLAY"] = ":0"
    let messages: [FakeProvider.ScriptedMessage] = [
      .ask("prompt", ["message": "Password", "secret": true]), .ask("confirm", ["message": "Sure?"]),
      .ask("input/read", [:]), .ask("browser/open", ["url": "https://shelf.test/"]),
      .ask("redirect/bind", [:]), .ask("redirect/open", ["url": "https://shelf.test/", "state": "s"]),
      .ask("wait", ["timeout_ms": 3_600_000]),
    ]
    shelf.answers["connections/show"] = { _ in messages + [.answer(["connection": FakeProvider.connection("s1")])] }
    shelf.answers["connections/list"] = { _ in messages + [.item(FakeProvider.connection("s1")), .answer([:])] }
    FakeProvider.install([shelf], in: home)
    let outcome = home.run("\(line) --yes", input: .typed(lines: ["secret", "y"], secrets: ["hush"]))
    #expect(outcome.exit == .success && outcome.output.contains("s1"), "\(outcome.errors)")
    #expect(shelf.responses.count == 7)
    for answer in shelf.responses {
      guard case .failure(let error) = answer else { return #expect(Bool(false), "\(answer)") }
      #expect(error.code == "refused")
    }
    #expect(outcome.errors == "" && home.last?.processes.pages == [])
    #expect(home.last?.clock.monotonic() == .zero, "no time passed")
    // The greeting already says so.
    #expect(shelf.asked.first?.params["interactive"] == false)
    #expect(shelf.asked.first?.params["capabilities"]?.array == ["credential", "lock", "progress", "log"])
  }

  @Test func changesAreAttendedOnATerminal() {
    home.terminal = .interactive()
    ask([])
    #expect(shelf.asked.first?.params["interactive"] == true)
    #expect(shelf.asked.first?.params["capabilities"]?.array?.contains("redirect") == true)
  }

  @Test func hugeNumbersFromAPluginAreHandled() {
    home.terminal = .interactive()
    let numbers: [Value] = [Value(Int.max), Value(Int.min), -1, 0, 7]
    for number in numbers {
      let progress = numbers.flatMap { total in
        [1, 2].map { done in
          FakeProvider.ScriptedMessage.raw(
            .output(
              Message.notification(
                method: "progress",
                params: ["id": 2, "done": done == 1 ? number : Value(Int.max - 1), "total": total]
              ).line))
        }
      }
      shelf.answers["connections/enable"] = { _ in
        progress + [
          .ask("lock/acquire", ["name": "a", "timeout_ms": number]), .ask("wait", ["timeout_ms": number]),
          .ask("input/read", ["limit": number]), .raw(.timeUp),
          .fail(PluginError(reading: ["message": "no", "data": ["retry_after": number, "status": number]])),
        ]
      }
      FakeProvider.install([shelf], in: home)
      #expect(home.run("connections enable shelf:s1", input: .text("x")).exit != .success)
    }
    shelf.answers["connections/list"] = { _ in
      [.item(FakeProvider.connection("s1").with("enabled_count", Value(Int.min))), .answer([:])]
    }
    home.terminal = .none
    #expect(home.run("connections list --provider shelf --json --fields enabled_count").output.contains(":0}"))
  }

  @Test func stdinIsReadOnce() {
    let answers = ask([("input/read", ["limit": 100]), ("input/read", [:])], input: .text("a\nb")).answers
    #expect(answers.first == .success(["text": "a\nb"]))
    guard case .failure(let error)? = answers.last else { return #expect(Bool(false)) }
    #expect(error.code == "usage")
  }

  @Test func aPageIsOpenedOnlyIfItIsVisible() {
    let page: (String, Value) = ("browser/open", ["url": "https://shelf.test/"])
    #expect(ask([page]).answers == [.success(["opened": false])])
    home.terminal = .interactive()
    home.environment["WAYLAND_DISPLAY"] = "w"
    let before = home.prepare
    home.prepare = { test in
      before(test)
      test.processes.browser = .success(())
    }
    #expect(ask([page]).answers == [.success(["opened": true])])
    #expect(home.last?.processes.pages == ["https://shelf.test/"])
    guard case .failure? = ask([("browser/open", ["url": "file:///x"])]).answers.first else {
      return #expect(Bool(false))
    }
  }

  @Test func promptsFailWithoutATerminal() {
    for answer in ask([("prompt", ["message": "a"]), ("confirm", ["message": "b"])]).answers {
      guard case .failure(let error) = answer else { return #expect(Bool(false)) }
      #expect(error.code == "refused")
    }
    #expect(ask([("confirm", ["message": "b"])], "--yes").answers == [.success(["yes": true])])
  }

  @Test func ctrlCAtAPromptEndsTheCommand() {
    home.terminal = .interactive()
    let (_, outcome) = ask([("prompt", ["message": "Which"])], input: .interrupted)
    #expect(outcome.exit == .interrupted)
  }

  @Test func messagesShowThePluginsName() {
    shelf.answers["connections/list"] = { _ in
      [
        .raw(.errors(Array("\u{1b}]0;owned\u{7}careful\n".utf8))),
        .raw(.line(#"{"jsonrpc":"2.0","method":"log","params":{"level":"warning","message":"thin ice"}}"#)),
        .raw(.line(#"{"jsonrpc":"2.0","method":"log","params":{"level":"debug","message":"step"}}"#)), .answer([:]),
      ]
    }
    FakeProvider.install([shelf], in: home)
    #expect(home.run("connections list --provider shelf").errors == "shelf: careful\nshelf: warning: thin ice\n")
    #expect(home.run("connections list --provider shelf --max-age 0 -v").notes.contains("shelf: step"))
    #expect(home.run("connections list --provider shelf --max-age 0 -q").errors == "")
  }

  @Test func aDryRunChangesNoCredential() {
    // With --dry-run the plugin receives no request. Requests that are sent anyway, such as completion, must not
    // write either.
    #expect(ask([("credential/put", ["name": "accounts", "value": "x"])], "--dry-run").answers == [])
  }
}
