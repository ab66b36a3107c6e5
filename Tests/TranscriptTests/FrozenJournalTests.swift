import Foundation
import Support
import Testing

/// Journals that schema 11 recorded, finished and interrupted, are resumed and undone.
///
/// `Journals/NAME.sql` has the rows of a store, and `Journals/NAME.jsonl` the changes that reached IFTTT before the program
/// ended or was killed.
@Suite(.enabled(if: Tool.isInstalled("sqlite3"), "skipped: needs sqlite3")) struct FrozenJournalTests {
  struct Frozen: Sendable, CustomTestStringConvertible {
    var name: String
    var words: String
    /// The changes that the command must send, without the version of the API and `connections`.
    var changes: [String]
    var status: Int32 = 0

    init(_ name: String, _ words: String, _ changes: String, status: Int32 = 0) {
      (self.name, self.words, self.status) = (name, words, status)
      self.changes = changes.split(separator: ", ").map(String.init).sorted()
    }

    var testDescription: String { "\(name): \(words)" }
    var isOverUsers: Bool { name.contains("users") }
  }

  private struct Change: Decodable {
    var method: String
    var target: String
    var user_token: String
    var body: String
  }

  private static var folder: URL {
    get throws { try #require(Bundle.module.resourceURL).appendingPathComponent("Journals") }
  }

  /// A home with the store of a journal.
  private func home(_ name: String, _ environment: [String: String]) throws -> Home {
    let home = Home(nil, environment)
    let scratch = try ScratchFolder()
    let sql = try ["schema", name].map {
      try String(contentsOf: Self.folder.appendingPathComponent("\($0).sql"), encoding: .utf8)
    }
    let made = try Tool.required("sqlite3").run([home.folder["ifttt.db"]], in: scratch, input: sql.joined())
    #expect(made.status == 0 && made.errors.isEmpty, "\(made.errors)")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: home.folder["ifttt.db"])
    return home
  }

  /// Brings a server into the state in which the program left it.
  private func replay(_ name: String, _ environment: [String: String]) throws {
    let home = Home(nil, environment)
    let file = try Self.folder.appendingPathComponent("\(name).jsonl")
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      let change = try JSONDecoder().decode(Change.self, from: Data(line.utf8))
      let level = change.user_token.isEmpty ? "service" : "user"
      var words = ["api", change.method, String(change.target.dropFirst()), "--as", level]
      if !change.body.isEmpty { words += ["--input", home.workplace.write("body", change.body)] }
      let sent = try home.run(words, change.user_token.isEmpty ? [:] : ["IFTTT_USER_TOKEN": change.user_token])
      #expect(sent.status == 0, "\(line): \(sent.errors)")
    }
  }

  private static func name(_ method: String, _ path: String, user: String? = nil) -> String {
    let path = String(path.split(separator: "?")[0]).replacing("/v2/connections/", with: "")
    return ([method, path.replacing("/user_connection", with: "")] + [user].compactMap(\.self)).joined(separator: " ")
  }

  @Test(arguments: [
    Frozen("disable", "connections undo", "POST c1/enable, POST c2/enable, POST c3/enable"),
    Frozen("enable", "connections undo", "POST off-1/disable, POST off-2/disable"),
    Frozen(
      "disable-killed-before", "connections disable --resume", "POST c3/disable, POST c4/disable, POST c5/disable"),
    Frozen("disable-killed-after", "connections disable --resume", "POST c4/disable, POST c5/disable"),
    Frozen("enable-killed", "connections enable --resume", "POST off-3/enable"),
    Frozen("undo-killed", "connections undo --resume", "POST c4/enable, POST c5/enable"),
    Frozen("configure", "connections undo --yes", "PUT conf-1"),
    Frozen("configure-killed", "connections undo --yes", "PUT conf-1"),
    Frozen("configure-undo-killed", "connections undo --resume --yes", "PUT conf-1"),
    Frozen("apply", "connections undo --yes", "POST conf-1/enable, PUT conf-1, PUT conf-2, POST c3/enable"),
    Frozen(
      "apply-killed-before", "connections apply --resume",
      "PUT conf-2, POST conf-2/disable, PUT conf-3, POST conf-3/disable"),
    Frozen(
      "apply-killed-after", "connections apply --resume", "POST conf-2/disable, PUT conf-3, POST conf-3/disable"),
    Frozen("apply-undo-killed", "connections undo --resume --yes", "PUT conf-2"),
    Frozen(
      "disable-users", "connections undo --yes",
      "POST Kd7Rn2Qx/enable u-1, POST Kd7Rn2Qx/enable u-2, POST Kd7Rn2Qx/enable u-3, POST Kd7Rn2Qx/enable u-4, POST Kd7Rn2Qx/enable u-5"
    ),
    Frozen(
      "disable-users-killed", "connections disable Kd7Rn2Qx --users USERS --resume",
      "POST Kd7Rn2Qx/disable u-4, POST Kd7Rn2Qx/disable u-5"),
    Frozen(
      "disable-users-undo-killed", "connections undo --resume --yes",
      "POST Kd7Rn2Qx/enable u-2, POST Kd7Rn2Qx/enable u-3, POST Kd7Rn2Qx/enable u-4, POST Kd7Rn2Qx/enable u-5"),
    Frozen(
      "apply-users", "connections undo --yes",
      (1...5).map { "POST conf-1/enable u-\($0), PUT conf-1 u-\($0)" }.joined(separator: ", ")),
    Frozen(
      "apply-users-killed", "connections apply FILE --users USERS --resume",
      "POST conf-1/disable u-2, "
        + (3...5).map { "PUT conf-1 u-\($0), POST conf-1/disable u-\($0)" }.joined(separator: ", ")),
  ])
  func theJournalOfAnEarlierVersionIsUnderstood(_ frozen: Frozen) throws {
    try frozen.isOverUsers ? checkOverUsers(frozen) : check(frozen)
  }

  private func check(_ frozen: Frozen) throws {
    let server = try Server()
    let environment = server.environment.merging(Known.asUser) { $1 }.merging(Known.asService) { $1 }
      .merging(["IFTTT_USER_ID": Known.user]) { $1 }
    try replay(frozen.name, environment)
    let earlier = try server.requests().count
    let home = try home(frozen.name, environment)
    let outcome = try home.run(frozen.words.split(separator: " ").map(String.init))
    #expect(outcome.status == frozen.status, "\(outcome.errors)")
    let changes = try server.requests().dropFirst(earlier).filter { $0.method != "GET" }
      .map { Self.name($0.method, $0.target) }
    #expect(changes.sorted() == frozen.changes)
    #expect(try home.isIntact())
  }

  private func checkOverUsers(_ frozen: Frozen) throws {
    let server = try UsersServer()
    try replay(frozen.name, server.environment)
    let home = try home(frozen.name, server.environment)
    let users = (1...5).map { #"{"user_id":"u-\#($0)","access_token":"at_u-\#($0)_c0ffee"}"# }
    let file = home.workplace.write("users.jsonl", users.joined(separator: "\n"))
    #expect(try home.run(["token", "exchange", "--users", file, "-o", "jsonl"]).status == 0)
    let state = home.workplace.write(
      "c.json",
      #"{"version":1,"connections":[{"id":"conf-1","status":"disabled","features":[{"feature":"mw4tq9hzjc","fields":{"scene":"Evening"}}]}]}"#
    )
    let earlier = try server.arrivals().count
    let words = frozen.words.split(separator: " ").map { $0 == "USERS" ? file : $0 == "FILE" ? state : String($0) }
    let outcome = try home.run(words)
    #expect(outcome.status == frozen.status, "\(outcome.errors)")
    let changes = try server.arrivals().dropFirst(earlier).filter { $0.method != "GET" }
      .map { Self.name($0.method, $0.path, user: $0.user) }
    #expect(changes.sorted() == frozen.changes)
    #expect(try home.isIntact())
  }
}
