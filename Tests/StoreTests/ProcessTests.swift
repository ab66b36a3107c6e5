import Foundation
import Store
import Support
import Testing
import World

/// Real processes that share a store.
@Suite struct ProcessTests {
  let home = TestHome()

  @Test func sixteenWritersLoseNoUpdate() throws {
    let children = try (0..<16).map { try StoreWriter(home: home.path, prefix: "p\($0)", count: 12) }
    let outputs = children.map { $0.readToEnd() }
    #expect(children.map { $0.wait() } == Array(repeating: 0, count: 16))
    #expect(outputs.map { $0.split(separator: "\n").count } == Array(repeating: 36, count: 16))

    let store = home.store()
    #expect(try store.trackedCount(profile: "default") == 16 * 12)
    var seen = 0
    try store.forEachCached(profile: "default") { _ in seen += 1 }
    #expect(seen == 16 * 12)
    #expect(try store.credentials(profile: "default").count == 16 * 12)
    // Each update reads this counter and increments it.
    #expect(try home.database().integer("SELECT generation & 0xffffffff FROM profile") == 16 * 12)
    #expect(try store.check().allSatisfy(\.passed))
  }

  @Test func killedWritersLoseNothingTheyAcknowledged() throws {
    var random = SeededGenerator.random()
    var acknowledged: Set<String> = []
    for round in 0..<200 {
      let child = try StoreWriter(home: home.path, prefix: "r\(round)", count: 1_000_000, toBeKilled: true)
      var output = ""
      // One in four processes is killed while it opens the store, the others during their writes.
      for _ in 0..<Int.random(in: 0...3, using: &random) { output += child.readSome() }
      // Wait a random time, so that the kill does not always coincide with the arrival of a line.
      for _ in 0..<Int.random(in: 0...10_000, using: &random) { sched_yield() }
      child.kill()
      output += child.readToEnd()
      _ = child.wait()
      // Text after the last newline was not sent completely.
      acknowledged.formUnion(
        output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init))
    }
    #expect(acknowledged.count > 200)
    #expect(!acknowledged.contains { $0.hasPrefix("failed") })

    let store = home.store()
    #expect(try store.check().filter { !$0.passed } == [])
    let tracked = Set(try store.trackedIDs(profile: "default"))
    let sealed = Set(try store.credentials(profile: "default").map(\.userID))
    var cached: Set<String> = []
    try store.forEachCached(profile: "default") { cached.insert($0.id) }
    for line in acknowledged {
      let words = line.split(separator: " ").map(String.init)
      let stored = ["tracked": tracked, "cached": cached, "sealed": sealed][words[0]]
      #expect(stored?.contains(words[1]) == true, "\(line)")
    }
    #expect(!home.names().contains { $0.hasPrefix("cache.db.damaged-") })
  }
}
