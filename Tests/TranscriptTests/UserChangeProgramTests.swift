import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Changes for many users by the built program, killed and resumed.
@Suite struct UserChangeProgramTests {
  let server: UsersServer
  let home: Home

  init() throws {
    server = try UsersServer()
    home = Home(nil, server.environment)
  }

  /// Stores a token for each user.
  /// - Returns: the path of a file with the users.
  private func exchange(_ users: [String]) throws -> String {
    let path = home.workplace.write(
      "users.jsonl", users.map { #"{"user_id":"\#($0)","access_token":"at_\#($0)_c0ffee"}"# }.joined(separator: "\n"))
    let exchanged = try home.run(["token", "exchange", "--users", path, "-o", "jsonl"])
    #expect(exchanged.status == 0, "\(exchanged.errors)")
    return path
  }

  private func changes(_ change: String) throws -> [String] {
    try server.arrivals().filter { $0.method == "POST" && $0.path.hasSuffix("/\(change)") }.map(\.user).sorted()
  }

  /// A run that is killed repeatedly at arbitrary points changes each user once.
  @Test func killedRunsAreResumed() throws {
    var random = SeededGenerator.random()
    // The pipe holds about 40 rows, so that no run gets far, however fast it is.
    let users = (0..<240).map { "u-\($0)" }
    let file = try exchange(users)
    var (kills, isDone) = (0, false)
    var words = ["connections", "disable", "Kd7Rn2Qx", "--users", file, "--jobs", "4", "-o", "jsonl", "--yes"]
    while !isDone, kills < 100 {
      let running = try home.start(words)
      running.narrowOutput()
      for _ in 0..<Int.random(in: 0...8, using: &random) { _ = running.read(until: "\n") }
      for _ in 0..<Int.random(in: 0...3000, using: &random) { sched_yield() }
      running.signal(SIGKILL)
      _ = running.readToEnd()
      isDone = running.wait() == 0
      kills += 1
      let count = try changes("disable").count
      // A run that was killed before it was journaled starts from the beginning.
      if count > 0, !words.contains("--resume") { words.append("--resume") }
      // It may have been killed after its end was journaled.
      if count == users.count { break }
    }
    if !isDone { #expect([0, 3].contains(try home.run(words).status)) }
    #expect(kills > 3)
    #expect(try changes("disable") == users.sorted(), "each is sent once")
    #expect(try home.isIntact())
    #expect(try home.run(words).status == 3, "nothing is left to resume")
    let undo = try home.run("connections", "undo", "--yes", "-o", "jsonl", "--fields", "user_id,status")
    #expect(undo.status == 0, "\(undo.errors)")
    #expect(undo.text.split(separator: "\n").count == users.count)
    #expect(try changes("enable") == users.sorted())
  }

  @Test func aRateIsKeptByChanges() throws {
    let file = try exchange((0..<15).map { "u-\($0)" })
    let earlier = try server.arrivals().count
    let outcome = try home.run([
      "connections", "disable", "Kd7Rn2Qx", "--users", file, "--yes", "--rate", "10/s", "--jobs", "32",
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let times = try server.arrivals().dropFirst(earlier).map(\.seconds).sorted()
    #expect(times.count == 30)
    for (first, last) in zip(times, times.dropFirst(10)) { #expect(last - first >= 1) }
  }

  @Test func noTokenIsShownOrStoredReadably() throws {
    let users = (0..<20).map { "u-\($0)" } + ["denied-1"]
    _ = try exchange(users.filter { $0 != "denied-1" })
    home.workplace.write("more.csv", "user_id\n" + users.map { $0 + "\n" }.joined())
    let record = home.workplace.path + "/record"
    let outcome = try home.run([
      "connections", "disable", "Kd7Rn2Qx", "--users", home.workplace.path + "/more.csv", "--yes", "-vv", "--record",
      record, "--report", "junit=\(home.workplace.path)/r.xml", "-o", "jsonl",
    ])
    #expect(outcome.status == 6)
    let recorded = try FileManager.default.subpathsOfDirectory(atPath: record).map { "\(record)/\($0)" }
    for path in recorded + [home.workplace.path + "/r.xml"] + home.folder.names.map({ home.folder[$0] }) {
      guard let data = FileManager.default.contents(atPath: path) else { continue }
      #expect(data.range(of: Data("_Qx7Lm2Vd9Rk4Tz8Wn3Bp6Hs1Yc5Jf0Ga".utf8)) == nil, "\(path)")
    }
    for text in [outcome.text, outcome.errors] {
      #expect(!text.contains("_Qx7Lm2Vd9Rk4Tz8Wn3Bp6Hs1Yc5Jf0Ga") && !text.contains(Known.serviceKey))
    }
  }
}
