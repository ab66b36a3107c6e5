import Store
import Testing
import World

/// Queued events: their number, order, owner and removal.
@Suite struct UsageQueueTests {
  private let home = TestHome()
  private let choice: UsageChoice

  init() throws { choice = try UsageQueue(home.store()).switchOn() }

  private func queue(_ texts: [String], to base: String = "https://a.test") throws -> UsageSending {
    try UsageQueue(home.store()).add(texts.map { Array($0.utf8) }, to: base, under: choice, limit: 7)
  }

  private func next(of most: Int = 3) throws -> [String]? {
    try UsageQueue(home.store()).nextBatch(of: most, under: choice)?.events.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func oldestEventsAreSentFirstAndDroppedFirst() throws {
    #expect(try next() == nil)
    #expect(try queue((1...5).map(String.init)).waiting == 5)
    #expect(try next() == ["1", "2", "3"])
    #expect(try queue((6...9).map(String.init)).waiting == 7)
    #expect(try next() == ["3", "4", "5"])
    #expect(try queue((10...30).map(String.init)).waiting == 7)
    #expect(try next(of: 100) == (24...30).map(String.init))
  }

  @Test func removesSentEvents() throws {
    _ = try queue((1...5).map(String.init))
    let batch = try #require(try UsageQueue(home.store()).nextBatch(of: 3, under: choice))
    _ = try queue(["6"])
    let now = Timestamp(milliseconds: 7000)
    try UsageQueue(home.store()).noteFailure(
      UsageSending(waiting: 6, notBefore: Timestamp(milliseconds: 9000), failures: 2, triedAt: now, problem: "no"))
    try UsageQueue(home.store()).remove(batch, at: now)
    #expect(try next() == ["4", "5", "6"])
    let sending = try UsageQueue(home.store()).sending(under: choice)
    #expect(
      sending
        == UsageSending(
          waiting: 3, notBefore: Timestamp(milliseconds: 0), failures: 0, triedAt: now, problem: nil))
  }

  @Test func failureKeepsEvents() throws {
    _ = try queue(["1"])
    let (now, later) = (Timestamp(milliseconds: 7000), Timestamp(milliseconds: 9000))
    let failed = UsageSending(
      waiting: 1, notBefore: later, failures: 1, triedAt: now, problem: "IFTTT responded with 503")
    try UsageQueue(home.store()).noteFailure(failed)
    #expect(try next() == ["1"])
    #expect(try UsageQueue(home.store()).sending(under: choice) == failed)
  }

  /// Each event is sent to the host that was in effect when it was recorded, and each request goes to one host.
  @Test func batchesAreSeparatePerHost() throws {
    _ = try queue(["1", "2"])
    _ = try queue(["3"], to: "http://127.0.0.1:8080")
    _ = try queue(["4"])
    var seen: [String] = []
    while let batch = try UsageQueue(home.store()).nextBatch(of: 10, under: choice) {
      seen.append("\(batch.base) \(batch.events.map { String(decoding: $0, as: UTF8.self) })")
      try UsageQueue(home.store()).remove(batch, at: Timestamp(milliseconds: 1))
    }
    #expect(
      seen == [#"https://a.test ["1", "2"]"#, #"http://127.0.0.1:8080 ["3"]"#, #"https://a.test ["4"]"#])
  }

  /// A process that read the choice before it was changed may still write.
  @Test func eventsOfAnotherIDAreNeverSent() throws {
    _ = try queue(["1"])
    let renewed = try #require(try UsageQueue(home.store()).renewAnonymousID())
    _ = try queue(["2"])
    #expect(try UsageQueue(home.store()).nextBatch(of: 10, under: renewed) == nil)
    #expect(try UsageQueue(home.store()).sending(under: renewed).waiting == 0)
    let sending = try UsageQueue(home.store()).add([Array("3".utf8)], to: "https://a.test", under: renewed, limit: 7)
    #expect(sending.waiting == 1)
    #expect(try next() == nil, "the event was deleted")
  }

  @Test func onlyOneProcessClaimsSending() throws {
    let seen = try queue((1...5).map(String.init))
    let now = Timestamp(milliseconds: 5000)
    #expect(try UsageQueue(home.store()).claim(seen, at: now))
    #expect(try UsageQueue(home.store()).claim(seen, at: now) == false)
    let claimed = try UsageQueue(home.store()).sending(under: choice)
    #expect(!claimed.isDue(at: now + .seconds(14)))
    #expect(claimed.isDue(at: now + .seconds(15)), "the sender has died")
  }

  @Test func lostCacheLosesItsEvents() throws {
    _ = try queue(["1"])
    for name in home.names() where name.hasPrefix("cache.db") { try home.remove(name) }
    #expect(try next() == nil)
    #expect(try queue(["2"]).waiting == 1)
  }
}
