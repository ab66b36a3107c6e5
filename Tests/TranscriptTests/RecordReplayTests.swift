import Foundation
import Support
import Testing

/// `--record` with the built program and a server, and then `--replay` by a user without a server, without
/// credentials and with an empty home.
@Suite struct RecordReplayTests {
  private static let inviteCode = "lantern-4417-and-more"
  private static let everything = [
    "IFTTT_SERVICE_KEY": Known.serviceKey, "IFTTT_ACCESS_TOKEN": Known.oddAccessToken, "IFTTT_USER_ID": Known.oddUser,
    "IFTTT_INVITE_CODE": inviteCode,
  ]
  private static let secrets = Known.secrets + [inviteCode, "at%20%3D%207f%2620%2Fc1%2B%C3%BC"]

  let folder = TemporaryFolder()
  private var recording: String { folder["recording"] }

  /// Run the program with `--record`, stop the server, and run it again with `--replay`.
  private func recordAndReplay(
    _ words: [String], _ environment: [String: String], before: [[String]] = []
  ) throws -> (Home.Outcome, Home.Outcome, requests: Int) {
    var server: Server? = try Server()
    let home = Home(server, environment)
    for words in before { _ = try home.run(words) }
    let already = try server?.records().count ?? 0
    let recorded = try home.run(words + ["--record", recording])
    let requests = try server?.records().count ?? 0
    server = nil
    let stranger = Home(nil, ["TMPDIR": folder.path, "IFTTT_USER_TOKEN": "of-the-person-who-replays"])
    let replayed = try stranger.run(words + ["--replay", recording])
    #expect(stranger.folder.names == [], "the replay has written into the store")
    #expect(folder.names.allSatisfy { $0.hasPrefix("recording") }, "the replay has left something behind")
    return (recorded, replayed, requests - already)
  }

  /// All bytes of the recording.
  private func written() throws -> [(name: String, bytes: Data)] {
    try FileManager.default.contentsOfDirectory(atPath: recording).sorted().map { name in
      (name, try #require(FileManager.default.contents(atPath: "\(recording)/\(name)")))
    }
  }

  private func expectNoSecret(_ sourceLocation: SourceLocation = #_sourceLocation) throws {
    let files = try written()
    #expect(files.contains { $0.name == "recording.json" })
    for (name, bytes) in files {
      for secret in Self.secrets where bytes.range(of: Data(secret.utf8)) != nil {
        Issue.record("\(name) holds \(secret)", sourceLocation: sourceLocation)
      }
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: recording)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
  }

  static let runs: [(words: [String], environment: [String: String], before: [[String]])] = [
    (["connections", "show", "Kd7Rn2Qx", "--json"], Known.asUser, []),
    (["connections", "show", "a", "b", "none-404", "c", "--json"], everything, []),
    (["connections", "list", "--json", "--max-age", "0"], Known.asUser, [["connections", "add", "a", "b", "c", "d"]]),
    (
      ["connections", "list", "-o", "jsonl", "--refresh", "--jobs", "3"], everything,
      [["connections", "add"] + (0..<20).map { "id-\($0)" }]
    ),
    (["connections", "list"], Known.asUser, [["connections", "show", "a", "b", "--track"]]),
    (["connections", "enable", "off-two", "--json"], Known.asUser, []),
    (
      ["connections", "disable", "Kd7Rn2Qx", "quiet-one", "-o", "tsv"], Known.asUser,
      [["connections", "show", "Kd7Rn2Qx", "--track"]]
    ),
    (["token", "exchange", "--json"], everything, []),
    (["token", "exchange", "--no-save"], everything, []),
    (["token", "verify", "--json"], Known.asUser, []),
    (["applets", "fetch", "--service", "lampost", "--json"], everything, []),
    (["api", "GET", "/v2/me"], Known.asService, []),
    (
      ["api", "GET", "/v2/connections/fault-500?access_token=\(Known.oddUserToken)", "--retries", "0"], Known.asUser, []
    ),
    (["connections", "show", "none-404", "--json"], Known.asUser, []),
    (["connections", "show", "fault-wait-429", "--json", "--retries", "2"], [:], []),
    (["connections", "show", "fault-flaky-502", "--json"], Known.asUser, []),
    (["connections", "show", "fault-flaky-429-date", "fault-flaky-503-after", "--json"], Known.asUser, []),
    (["connections", "show", "fault-bad-utf8", "--json"], Known.asUser, []),
    (["connections", "show", "fault-reset", "--json", "--retries", "1"], Known.asUser, []),
    (["connections", "show", "fault-wait-503", "--json", "--retries", "1"], Known.asUser, []),
    (["connections", "show", "fault-loop", "--json"], Known.asUser, []),
  ]

  @Test(arguments: runs.indices) func replaysTheSameOutput(_ index: Int) throws {
    let run = Self.runs[index]
    let (recorded, replayed, requests) = try recordAndReplay(run.words, run.environment, before: run.before)
    #expect(replayed.output == recorded.output, "\(run.words): \(replayed.errors)")
    #expect(replayed.status == recorded.status, "\(run.words): \(replayed.errors)")
    #expect(replayed.code == recorded.code || recorded.code == nil, "\(run.words): \(replayed.errors)")
    try expectNoSecret()
    let exchanges = try written().filter { $0.name.first == "0" }.count
    #expect(exchanges == requests, "\(run.words)")
  }

  @Test func recordsARefusedConnection() throws {
    let port = try ClosedPort()
    let home = Home(nil, ["IFTTT_CONNECT_URL": port.base])
    let words = ["connections", "show", "a", "--json", "--retries", "2"]
    let recorded = try home.run(words + ["--record", recording])
    #expect(recorded.code == "network")
    let replayed = try Home().run(words + ["--replay", recording])
    #expect(replayed.status == recorded.status)
    #expect(replayed.errors == recorded.errors.split(separator: "\n").filter { $0.first == "{" }.joined() + "\n")
    #expect(try written().count { $0.name.first == "0" } == 3)
  }

  @Test func anUnrecordedRequestFails() throws {
    let server = try Server()
    #expect(try Home(server).run("connections", "show", "a", "--record", recording).status == 0)
    let stranger = Home()
    for words in [
      ["connections", "show", "b"], ["connections", "show", "a", "b"], ["token", "verify", "--as", "anonymous"],
    ] {
      let outcome = try stranger.run(words + ["--json", "--replay", recording])
      #expect(outcome.status == 1, "\(words)")
      #expect(outcome.code == "not_recorded", "\(words): \(outcome.errors)")
    }
    // The recorded response to one request is not used for a second one.
    let twice = try stranger.run("connections", "enable", "a", "--replay", recording)
    #expect(twice.status != 0)
  }

  @Test func aRecordingIsNeverOverwritten() throws {
    let server = try Server()
    let home = Home(server)
    #expect(try home.run("connections", "show", "a", "--record", recording).status == 0)
    let before = try written().map(\.bytes)
    let again = try home.run("connections", "show", "b", "--json", "--record", recording)
    #expect(again.status == 1)
    #expect(again.code == "refused")
    #expect(try written().map(\.bytes) == before)
    #expect(try server.count(of: "b") == 0)
  }

  @Test func rejectsOtherFolders() throws {
    folder.write("empty", "")
    for name in ["nowhere", "empty"] {
      let outcome = try Home().run("connections", "list", "--json", "--replay", folder[name])
      #expect(outcome.status == 1)
      #expect(outcome.code == "refused")
    }
    #expect(try Home().run("version", "--record", folder["a"], "--replay", folder["b"]).status == 2)
  }

  @Test func recordsTheSandbox() throws {
    let home = Home(nil, ["IFTTT_PROFILE": "sandbox"])
    for (index, words) in [["connections", "list", "--json"], ["token", "exchange"], ["applets", "fetch"]].enumerated()
    {
      let recorded = try home.run(words + ["--record", folder["\(index)"]])
      let replayed = try Home().run(words + ["--replay", folder["\(index)"]])
      #expect(recorded.status == 0)
      #expect(replayed.output == recorded.output, "\(words): \(replayed.errors)")
    }
  }

  @Test func anInterruptedRunIsRecorded() throws {
    let server = try Server()
    let running = try Home(server).start(["connections", "show", "a", "stall-it", "--jobs", "1", "--record", recording])
    try server.waitForStall("stall-it")
    running.signal(2)
    #expect(running.wait() == 130)
    server.release()
    let last = try #require(try written().last { $0.name == "0002.json" })
    let exchange = try JSONSerialization.jsonObject(with: last.bytes) as? [String: Any]
    #expect(exchange?["given_up"] as? Bool == true)
  }

  /// Another user's recording must not lead the program to any file or program of the user who replays it.
  @Test func aRecordingCannotNameAStoreOrAKey() throws {
    let server = try Server()
    #expect(try Home(server, Self.everything).run("token", "exchange", "--record", recording).status == 0)
    let file = "\(recording)/recording.json"
    let text = try #require(FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) })
    let trap =
      #""environment": {"IFTTT_HOME": "\#(folder["store"])", "IFTTT_STORE_KEY_COMMAND": "touch \#(folder["ran"])","#
    try text.replacingOccurrences(of: #""environment": {"#, with: trap).write(
      toFile: file, atomically: true, encoding: .utf8)
    #expect(try Home().run("token", "exchange", "--user-id", Known.oddUser, "--replay", recording).status == 0)
    #expect(folder.names.allSatisfy { $0.hasPrefix("recording") })
  }

  /// A run that is killed while a response is held back leaves all earlier responses, complete.
  @Test func aKilledRunLeavesCompleteFiles() throws {
    let server = try Server()
    let running = try Home(server).start(
      ["connections", "show", "a", "stall-it", "-o", "jsonl", "--jobs", "1", "--record", recording])
    try server.waitForStall("stall-it")
    running.signal(9)
    running.wait()
    server.release()
    for (name, bytes) in try written() {
      #expect(throws: Never.self, "\(name)") { try JSONSerialization.jsonObject(with: bytes) }
    }
    #expect(try written().map(\.name).contains("0001.json"))
  }
}
