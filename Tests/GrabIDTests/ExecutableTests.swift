import Foundation
import JSON
import Support
import Testing
import Text
import World

@testable import GrabID

/// The built `ifttt-grab`, run by a test host, against django-oauth-toolkit.
@Suite(.enabled(if: PythonTools.python != nil, Comment(rawValue: PythonTools.requirement)), .serialized)
struct ExecutableTests {
  private static let own = Result { try ProviderProcess() }
  private let folder: ScratchFolder
  private let party: ProviderProcess

  init() throws {
    folder = try ScratchFolder()
    party = try Self.own.get()
  }

  private var store: String { "\(folder.path)/store.json" }

  private func words(_ command: [String], _ options: JSONObject, _ arguments: [String], user: String) throws -> [String]
  {
    let params: JSONValue = [
      "command": .array(command.map(JSONValue.string)), "options": .object(options),
      "arguments": .array(arguments.map(JSONValue.string)), "words": [], "output": "json",
    ]
    return [
      PythonTools.scripts.appending(path: "host.py").path, BuiltProduct.path("ifttt-grab"), store, "command/run",
      params.text, "--browser", try #require(PythonTools.python).path,
      PythonTools.scripts.appending(path: "visit.py").path, party.base, user,
    ]
  }

  private func run(
    _ command: String, _ options: JSONObject = [:], _ arguments: [String] = [], input: String = "",
    user: String = "alice"
  ) throws -> JSONValue {
    let outcome = try #require(PythonTools.python).run(
      words([command], options, arguments, user: user), in: folder, input: input)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try JSONValue(parsing: Array(outcome.output.utf8))
  }

  private var login: JSONObject {
    [
      "client-id": "ifttt-cli", "issuer": .string(party.issuer), "discovery-url": .string(party.discovery),
      "scope": ["openid profile.read"], "no-browser": true,
    ]
  }

  private func rows() throws -> JSONObject {
    try JSONValue(parsing: Array(Data(contentsOf: URL(fileURLWithPath: store)))).object ?? [:]
  }

  @Test func signsInRefreshesAndSignsOut() throws {
    let hello = try run("login", login)
    #expect(hello["hello"]?["name"] == "grab" && hello["hello"]?["protocol"] == "1")
    #expect(hello["error"] == .null, "\(hello["error"]?.text ?? "")")
    #expect(hello["items"]?.array?.first?["account"] == "alice@mail.test")
    #expect(hello["items"]?.array?.first?["access_token"]?["valid"] == true)
    let status = try run("status")
    #expect(status["items"]?.array?.first?["id_token"] == hello["items"]?.array?.first?["id_token"])
    let printed = try run("refresh", ["print": true])
    let token = printed["result"]?["text"]?.string ?? ""
    #expect(token.utf8.count > 10 && token.hasSuffix("\n"), "\(printed["error"]?.text ?? "")")
    let information = try run("id-token")["items"]?.array?.first
    #expect(information?["partner_user_id"] == "1" && information?["verified"] == "local")
    let out = try run("logout")
    #expect(out["items"] == [["account": "alice@mail.test", "changed": true, "revoked": true]])
    let gone = try run("status")
    #expect(gone["error"]?["data"]?["code"] == "credentials_missing")
    #expect(gone["error"]?["data"]?["extra"]?["grab_code"]?["number"] == 7)
    #expect(gone["error"]?["data"]?["reference"] == "(GrabID getIdTokenInfo/invalidIdToken 7)")
  }

  @Test func anotherProcessFinishesTheLogin() throws {
    var options = login
    options["print-url"] = true
    options["no-browser"] = nil
    let begun = try run("login", options)
    let url = try #require(begun["items"]?.array?.first?["url"]?.string)
    let query = try party.visit(url, as: "bob")
    let finished = try run("complete", [:], ["-"], input: "http://127.0.0.1/callback?\(query)\n")
    #expect(finished["items"]?.array?.first?["account"] == "bob@mail.test", "\(finished.text)")
    #expect(try run("complete", [:], ["?\(query)"])["error"]?["data"]?["code"] == "not_found")
  }

  @Test func noSecretIsInOutputOrArguments() throws {
    let said = try run("login", login).text
    let stored = try rows()
    let account = try #require(
      stored.members.first { $0.key.hasPrefix("account/") }.flatMap { Account(stored: $0.value.string ?? "") })
    for secret in [account.tokens?.access, account.tokens?.refresh, account.tokens?.id] {
      #expect(!said.contains(try #require(secret).revealed))
    }
    #expect(said.contains("> POST"), "every request is traced")
  }

  @Test func sixteenProcessesRefreshOnce() throws {
    _ = try run("login", login)
    let before = try rows()
    let words = try words(["refresh"], ["print": true, "if-needed": true], [], user: "alice")
    // The token is valid for one more minute, less than the limit of two, so every process would refresh it.
    let name = try #require(before.members.first { $0.key.hasPrefix("account/") }?.key)
    var account = try #require(Account(stored: before[name]?.string ?? ""))
    let now = Int64(Date().timeIntervalSince1970 * 1000)
    account.tokens?.expiresAt = .init(milliseconds: now + 60_000)
    account.tokens?.fetchedAt = .init(milliseconds: now - 540_000)
    var rows = before
    rows[name] = .string(account.stored)
    try Data(JSONValue.object(rows).bytes).write(to: URL(fileURLWithPath: store))
    let programs = try (0..<16).map { number in
      try ChildProgram(
        [try #require(PythonTools.python).path] + words, output: .file(folder.write("", to: "out.\(number)").path))
    }
    #expect(programs.map { $0.wait() } == .init(repeating: 0, count: 16))
    let texts = try (0..<16).map { number in
      try JSONValue(parsing: Array(Data(contentsOf: folder.url.appending(path: "out.\(number)"))))["result"]?["text"]?
        .string
    }
    #expect(Set(texts).count == 1 && texts[0] != nil, "all processes get the same token")
    let after = try #require(Account(stored: try self.rows()[name]?.string ?? ""))
    #expect(after.generation == account.generation + 1, "a second request would have revoked the token family")
    #expect(try run("refresh")["error"] == .null, "the token family is still valid")
  }

  /// After being killed at any step of a refresh, the plugin leaves a usable account or one with a clear error; the
  /// state is never inconsistent.
  @Test func beingKilledDuringARefreshLeavesAConsistentState() throws {
    _ = try run("login", login)
    let words = try words(["refresh"], [:], [], user: "alice")
    var (lost, steps) = (0, 0)
    for step in 1...40 {
      // Before the host has executed the step, and after.
      for moment in ["before", "after"] {
        let outcome = try #require(PythonTools.python).run(
          words, in: folder, environment: ["DIE_AT": "\(step)", "DIE_WHEN": moment])
        guard outcome.status == 9 else { continue }
        steps += 1
        let result = try run("refresh")
        let rows = try rows()
        let name = try #require(rows.members.first { $0.key.hasPrefix("account/") }?.key)
        let account = try #require(Account(stored: rows[name]?.string ?? ""), "the row is complete")
        guard result["error"] != .null else {
          #expect(account.isSignedIn && account.refreshingSince == nil)
          continue
        }
        #expect(result["error"]?["data"]?["code"] == "unauthorized", "\(result.text)")
        #expect(result["error"]?["message"]?.string?.hasPrefix("the last refresh was interrupted") == true)
        #expect(!account.isSignedIn, "the account is signed out")
        lost += 1
        _ = try run("login", login)
      }
    }
    #expect(steps > 12, "the plugin was killed at enough steps")
    // Only if the server had responded and nothing was saved yet.
    #expect((1...4).contains(lost), "\(lost)")
  }

  /// After being canceled at any step of a refresh, as by Ctrl-C, the plugin loses no refresh token: the next refresh
  /// succeeds.
  @Test func aCanceledRefreshLosesNothing() throws {
    _ = try run("login", login)
    let words = try words(["refresh"], [:], [], user: "alice")
    var steps = 0
    for step in 1...40 {
      for moment in ["before", "after"] {
        let outcome = try #require(PythonTools.python).run(
          words, in: folder, environment: ["CANCEL_AT": "\(step)", "CANCEL_WHEN": moment])
        #expect(outcome.status == 0, "\(outcome.errors)")
        guard try JSONValue(parsing: Array(outcome.output.utf8))["cancelled"] == true else { continue }
        steps += 1
        #expect(try run("refresh")["error"] == .null, "\(moment) \(step)")
        #expect(try run("status")["error"] == .null, "\(moment) \(step)")
      }
    }
    #expect(steps > 12, "the plugin was canceled at enough steps")
  }

  @Test func theManifestMatchesTheImplementation() throws {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
      path: "../../Sources/ifttt-grab/plugin.json")
    let manifest = try JSONValue(parsing: Array(Data(contentsOf: source.standardizedFileURL)))
    let commands = manifest["commands"]?["subcommands"]?.array ?? []
    #expect(commands.compactMap { $0["name"]?.string } == GrabCommands.Name.allCases.map(\.rawValue))
    let own = EnvironmentVariable.allCases.filter { $0.name.hasPrefix("IFTTT_GRAB_") }.map(\.name)
    // A plugin that names a proxy's variable receives its password too.
    let proxies = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"]
    #expect(Set(manifest.texts("environment")) == Set(own + proxies))
    let hello = try run("logout")["hello"]
    #expect(hello?["capabilities"] == manifest["capabilities"] && hello?["version"] == manifest["version"])
    let patterns = manifest.texts("credentials")
    _ = try run("login", login)
    for member in try rows().members {
      #expect(
        patterns.contains { $0 == member.key || $0.hasSuffix("*") && member.key.hasPrefix($0.dropLast()) },
        "\(member.key)")
    }
  }
}
