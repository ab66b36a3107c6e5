import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Many concurrent runs on one store, and runs that are killed.
@Suite struct ManyProcessesTests {
  let server: Server
  let home: Home

  init() throws {
    server = try Server()
    home = Home(server)
  }

  @Test func sixteenConcurrentRunsLoseNothing() throws {
    let running = try (0..<16).map { number in
      try home.start(["connections", "add"] + (0..<5).map { "c\(number)-\($0)" })
    }
    for one in running {
      _ = one.readToEnd()
      #expect(one.readToEnd(one.errors) == "")
      #expect(one.wait() == 0)
    }
    #expect(try Set(home.tracked()).count == 80)
    #expect(try home.isIntact())
    #expect(try server.requests().count == 80)
  }

  @Test func killedRunsLeaveTheStoreIntact() throws {
    var random = SeededGenerator.random()
    let ids = (0..<24).map { "c\($0)" }
    #expect(try home.run(["connections", "add"] + ids).status == 0)
    for round in 0..<40 {
      let words = round % 2 == 0 ? ["connections", "list", "--max-age", "0"] : ["connections", "show"] + ids
      let running = try home.start(words + ["-o", "jsonl"])
      // Some runs are killed as they start, the others after a few rows.
      for _ in 0..<(round % 4) { running.read(until: "\n") }
      for _ in 0..<Int.random(in: 0...2000, using: &random) { sched_yield() }
      running.signal(SIGKILL)
      _ = running.wait()
    }
    #expect(try home.isIntact())
    #expect(try Set(home.tracked()) == Set(ids))
    #expect(try home.run("connections", "list", "--max-age", "0").status == 0)
    #expect(!home.folder.names.contains { $0.contains("damaged") })
    _ = try server.requests()
  }

  @Test func twoThousandRequestsShareSixteenConnections() throws {
    let ids = (0..<2000).map { "c\($0)" }
    let outcome = try home.run(["connections", "show", "--json", "--fields", "id"] + ids)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let rows = try #require(JSONSerialization.jsonObject(with: Data(outcome.output)) as? [[String: String]])
    #expect(rows.map { $0["id"] } == ids)
    let requests = try server.requests()
    #expect(requests.count == 2000)
    #expect(Set(requests.map(\.connection)).count <= 16)
  }

  @Test func jobsLimitConcurrentRequests() throws {
    let outcome = try home.run(["connections", "show", "--jobs", "3", "-o", "jsonl"] + (0..<60).map { "c\($0)" })
    #expect(outcome.status == 0)
    #expect(try Set(server.requests().map(\.connection)).count <= 3)
  }
}
