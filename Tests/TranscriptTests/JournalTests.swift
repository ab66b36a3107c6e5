import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Batches over many connections, as real processes that are killed.
@Suite struct JournalTests {
  let server: Server
  let home: Home

  init() throws {
    server = try Server()
    home = Home(server, Known.asUser)
  }

  private static let rows = ["-o", "csv", "--no-header", "--fields", "id,status,changed"]

  private func track(_ count: Int) throws -> [String] {
    let ids = (0..<count).map { "c\($0)" }
    #expect(try home.run(["connections", "add", "--offline"] + ids).status == 0)
    return ids
  }

  private func posts() throws -> [String] {
    try server.requests().filter { $0.method == "POST" }.map(\.target)
  }

  /// A batch that is killed repeatedly at arbitrary points completes eventually, and nothing is sent twice.
  ///
  /// The batch is never far ahead of the rows that were read, because its pipe holds only a few. So the test may kill
  /// it late.
  @Test func killedBatchesCanBeResumed() throws {
    var random = SeededGenerator.random()
    let ids = try track(240)
    var words = ["connections", "disable", "--all", "--yes"]
    var acknowledged: Set<String> = []
    var (kills, unwritten, isDone) = (0, 0, false)
    while !isDone, kills < 200 {
      let running = try home.start(words + ["--jobs", "4", "-o", "jsonl"])
      running.narrowOutput()
      var output = ""
      for _ in 0..<Int.random(in: 0...6, using: &random) { output += running.read(until: "\n") }
      for _ in 0..<Int.random(in: 0...3000, using: &random) { sched_yield() }
      running.signal(SIGKILL)
      output += running.readToEnd()
      isDone = running.wait() == 0
      kills += 1
      acknowledged.formUnion(
        output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init))
      // A batch that was killed before it was journaled starts from the beginning.
      let resumable = try home.run("connections", "disable", "--resume", "--dry-run", "--json").status == 0
      if !resumable { unwritten += 1 }
      if resumable { words = ["connections", "disable", "--resume"] } else if try posts().count == ids.count { break }
    }
    if !isDone { _ = try home.run(words) }
    #expect(kills > 3)
    #expect(try posts().sorted() == ids.map { "/v2/connections/\($0)/disable" }.sorted())
    #expect(acknowledged.count > 5)
    #expect(try home.isIntact())
    #expect(try home.run("connections", "disable", "--resume").status == 3)
    let list = try home.run("connections", "list", "--refresh", "-o", "tsv", "--no-header", "--fields", "status")
    #expect(list.text == String(repeating: "disabled\n", count: ids.count))
    // A batch that was killed with its lock but without its journal entry leaves an empty file. It must not be
    // removed, because another batch may be about to lock it.
    #expect(home.folder.names.count { $0.hasSuffix(".lock") && $0.hasPrefix("run-") } <= unwritten)
    // The journal treats all of it as one batch.
    let undo = try home.run(["connections", "undo"] + Self.rows)
    #expect(undo.status == 0, "\(undo.errors)")
    #expect(undo.text.split(separator: "\n").count == ids.count)
    #expect(undo.text.split(separator: "\n").allSatisfy { $0.hasSuffix(",enabled,true") })
  }

  @Test(arguments: [0, 1, 5, 30]) func ctrlCLeavesACompleteJournal(_ lines: Int) throws {
    let ids = try track(60)
    let running = try home.start(
      ["connections", "disable", "--all", "--yes", "--jobs", "2", "-o", "jsonl", "--fields", "id"])
    var output = ""
    for _ in 0..<lines { output += running.read(until: "\n") }
    running.signal(SIGINT)
    output += running.readToEnd()
    let errors = running.readToEnd(running.errors)
    let status = running.wait()
    #expect(status == 130 || status == -SIGINT || status == 0)
    // If the run was complete already, nothing is left to resume.
    if lines > 0, status == 130, try posts().count < ids.count {
      #expect(errors.contains("connections disable --resume"), "\(errors)")
    }
    #expect(try home.isIntact())
    // A batch that was not journaled starts from the beginning.
    if try home.run("connections", "disable", "--resume").status == 3 {
      #expect(try home.run("connections", "disable", "--all", "--yes").status == 0)
    }
    #expect(try posts().sorted() == ids.map { "/v2/connections/\($0)/disable" }.sorted(), "each is sent once")
  }

  @Test func aClosedPipeDoesNotStopTheBatch() throws {
    let ids = try track(400)
    let running = try home.start(["connections", "disable", "--all", "--yes", "-o", "jsonl", "--jobs", "1"])
    running.narrowOutput()
    running.read(until: "\n")
    running.endOutput()
    #expect(running.readToEnd(running.errors) == "")
    #expect(running.wait() == 0)
    #expect(try home.run("connections", "disable", "--resume", "--json").status == 3, "nothing is left to resume")
    #expect(try posts().sorted() == ids.map { "/v2/connections/\($0)/disable" }.sorted())
  }

  @Test func concurrentBatchesHaveSeparateJournals() throws {
    let ids = try track(40)
    let running = try (0..<4).map { number in
      try home.start(["connections", "disable", "--json"] + ids[number * 10..<number * 10 + 10])
    }
    for one in running {
      _ = one.readToEnd()
      #expect(one.readToEnd(one.errors) == "")
      #expect(one.wait() == 0)
    }
    // Each undo reverts the last batch that is not undone.
    let undone = try (0..<4).flatMap { _ in
      try home.run(["connections", "undo"] + Self.rows).text.split(separator: "\n").map(String.init)
    }
    #expect(undone.sorted() == ids.map { "\($0),enabled,true" }.sorted())
    #expect(try home.run("connections", "undo").status == 3)
    #expect(try home.isIntact())
  }

  @Test func aListRefreshesThousandsOverOneConnectionPool() throws {
    let count = 3000
    let ids = (0..<count).map { "c\($0)" }
    #expect(
      try home.run(["connections", "add", "--offline", "--stdin"], input: ids.joined(separator: "\n")).status == 0)
    let list = try home.run([
      "connections", "list", "--refresh", "--jobs", "8", "-o", "tsv", "--no-header", "--fields", "id",
    ])
    #expect(list.status == 0, "\(list.errors)")
    #expect(list.text.split(separator: "\n").count == count)
    let requests = try server.requests()
    #expect(requests.count == count)
    #expect(Set(requests.map(\.connection)).count <= 8)
  }
}
