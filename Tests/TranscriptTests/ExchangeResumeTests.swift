import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `token exchange --users` by the built program, killed and resumed.
@Suite struct ExchangeResumeTests {
  let server: UsersServer
  let home: Home
  private let users = (0..<1200).map { "u-\($0)" }
  private let words: [String]

  init() throws {
    server = try UsersServer()
    home = Home(nil, server.environment)
    let file = home.workplace.write(
      "users.jsonl", users.map { #"{"user_id":"\#($0)","access_token":"at_\#($0)_c0ffee"}"# }.joined(separator: "\n"))
    words = ["token", "exchange", "--users", file, "-o", "jsonl", "--jobs", "8"]
  }

  private func stored() throws -> Set<String> {
    let list = try home.run("token", "list", "-o", "tsv", "--no-header", "--fields", "user_id")
    return Set(list.text.split(separator: "\n").map(String.init))
  }

  /// A user whose token is stored when the program is killed is not exchanged again. A token is spent again only if it was
  /// not stored yet.
  @Test func aStoredTokenIsNotExchangedAgain() throws {
    let seed = UInt64.random(in: 0...9999)
    var random = SeededGenerator(seed: seed)
    var rounds: [(stored: Set<String>, arrivals: Int)] = []
    var (line, kills, isDone) = (words, 0, false)
    while !isDone, kills < 40 {
      let running = try home.start(line)
      running.narrowOutput()
      for _ in 0..<Int.random(in: 0...300, using: &random) { _ = running.read(until: "\n") }
      for _ in 0..<Int.random(in: 0...3000, using: &random) { sched_yield() }
      running.signal(SIGKILL)
      _ = running.readToEnd()
      isDone = running.wait() == 0
      kills += 1
      let stored = try stored()
      rounds.append((stored, try server.arrivals().count))
      // A run that stored nothing left no trace.
      if !stored.isEmpty, !line.contains("--resume") { line.append("--resume") }
      if stored.count == users.count { break }
    }
    let last = try home.run(line)
    #expect(last.status == 0 || last.status == 3, "seed \(seed): \(last.errors)")
    #expect(try stored() == Set(users), "seed \(seed)")
    let arrivals = try server.arrivals().map(\.user)
    for (number, round) in rounds.enumerated() {
      let again = round.stored.intersection(arrivals[round.arrivals...])
      #expect(again.isEmpty, "seed \(seed), kill \(number + 1): \(again.sorted().prefix(5))")
    }
    #expect(kills > 2 && rounds.contains { !$0.stored.isEmpty && $0.stored.count < users.count }, "seed \(seed)")
    #expect(try home.run(words + ["--resume"]).status == 3, "nothing is left to resume")
    #expect(try home.isIntact())
    print("\(kills) kills with the seed \(seed)")
  }
}
