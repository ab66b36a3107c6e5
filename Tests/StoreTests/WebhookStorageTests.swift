import Store
import Testing
import World

@Suite struct WebhookStorageTests {
  let home = TestHome()

  private func webhook(_ id: String?, _ event: String = "enabled", body: String = "{}") -> ReceivedWebhook {
    ReceivedWebhook(
      receivedAt: Timestamp(milliseconds: 1_772_646_131_850),
      type: event == "fired" ? "trigger_subscription" : "connection",
      event: event, requestID: id, headers: [.init("Accept", "a"), .init("accept", "\u{e9}\"b")], body: Array(body.utf8)
    )
  }

  @discardableResult
  private func record(
    _ webhooks: [ReceivedWebhook], to url: String? = nil, executing filter: WebhookFilter? = nil,
    profile: String = "default"
  ) throws -> [WebhookReceipt] {
    try WebhookStore(home.store(), profile: profile).record(webhooks, forwardingTo: url, executing: filter)
  }

  private func numbers(
    _ filter: WebhookFilter = WebhookFilter(), last: Int? = nil, profile: String = "default"
  ) throws -> [Int64] {
    var numbers: [Int64] = []
    try WebhookStore(home.store(), profile: profile).forEach(filter, last: last) { numbers.append($0.number) }
    return numbers
  }

  private func due(after number: Int64 = 0, _ count: Int = 100, to url: String = "u") throws -> [Int64] {
    try WebhookStore(home.store(), profile: "default").toForward(to: url, after: number, atMost: count).map(\.number)
  }

  @Test func aWebhookIsStoredAsReceived() throws {
    let body = "{ \"a\":1.0,\n\"b\":\"\u{0}\\ud83d\" }"
    let receipts = try record([webhook("r1", body: body), webhook(nil)])
    #expect(receipts == [WebhookReceipt(number: 1, isRepeated: false), WebhookReceipt(number: 2, isRepeated: false)])
    let stored = try WebhookStore(home.store(), profile: "default").webhooks([2, 1, 9])
    #expect(stored.map(\.webhook) == [webhook(nil), webhook("r1", body: body)])
    #expect(stored.allSatisfy { $0.forwarding == nil && !$0.isRepeated })
    #expect(try WebhookStore(home.store(), profile: "work").webhooks([1]).isEmpty)
  }

  @Test func anEmptyStoreHasNoWebhooks() throws {
    #expect(try numbers() == [])
    #expect(try WebhookStore(home.store(), profile: "default").counts().all == 0)
    #expect(try WebhookStore(home.store(), profile: "default").remove(WebhookFilter(), upTo: .max) == 0)
    #expect(try due() == [])
    #expect(home.names() == [], "reading creates no file")
  }

  @Test func aRepetitionIsMarkedAndNotForwarded() throws {
    let receipts = try record([webhook("r1"), webhook("r1"), webhook(nil), webhook(nil)], to: "u")
    #expect(receipts.map(\.isRepeated) == [false, true, false, false])
    #expect(try record([webhook("r1", "updated")])[0].isRepeated)
    #expect(try !record([webhook("r1")], profile: "work")[0].isRepeated)
    #expect(try due() == [1, 3, 4])
  }

  @Test func selectsByTypeEventAndNumber() throws {
    try record([webhook("1"), webhook("2", "fired"), webhook("3", "disabled"), webhook("4")])
    try record([webhook("5")], profile: "work")
    #expect(try numbers() == [1, 2, 3, 4])
    #expect(try numbers(WebhookFilter(type: "connection")) == [1, 3, 4])
    #expect(try numbers(WebhookFilter(event: "enabled")) == [1, 4])
    #expect(try numbers(WebhookFilter(type: "connection", event: "fired")) == [])
    #expect(try numbers(last: 2) == [3, 4])
    #expect(try numbers(WebhookFilter(type: "connection"), last: 2) == [3, 4])
    #expect(try numbers(last: 100) == [1, 2, 3, 4])
    #expect(try numbers(profile: "work") == [5])
  }

  @Test func clearingKeepsLaterWebhooksAndNumbers() throws {
    try record([webhook("1"), webhook("2", "fired"), webhook("3")], to: "u")
    let counts = try WebhookStore(home.store(), profile: "default").counts()
    #expect(counts == WebhookCounts(all: 3, toForward: 3, newest: 3))
    try record([webhook("4")])
    #expect(try WebhookStore(home.store(), profile: "default").remove(WebhookFilter(event: "fired"), upTo: 3) == 1)
    #expect(try WebhookStore(home.store(), profile: "default").remove(WebhookFilter(), upTo: counts.newest) == 2)
    #expect(try numbers() == [4])
    #expect(try WebhookStore(home.store(), profile: "default").remove(WebhookFilter(), upTo: .max) == 1)
    #expect(try record([webhook("5")])[0].number == 5, "numbers are never reused")
  }

  @Test func waitsUntilAWebhookIsDue() throws {
    try record([webhook("1"), webhook("2"), webhook("3")], to: "u")
    try record([webhook("4")], to: "other")
    #expect(try due(2) == [1, 2])
    #expect(try due(after: 2) == [3])
    let now = home.clock.now()
    func attempt(_ number: Int64, _ state: WebhookForwarding.State, _ status: Int?, due: Timestamp? = nil) throws {
      let attempt = WebhookAttempt(
        number: number, state: state, status: status, problem: state == .delivered ? nil : "no", due: due)
      try WebhookStore(home.store(), profile: "default").noteForwarding([attempt], to: "u")
    }
    try attempt(1, .delivered, 200)
    try attempt(2, .rejected, 404)
    try attempt(3, .waiting, nil, due: now - .seconds(-60))
    #expect(try due() == [])
    #expect(try due(to: "other") == [4])
    let stored = try WebhookStore(home.store(), profile: "default").webhooks([1, 2, 3]).map(\.forwarding)
    #expect(
      stored == [
        WebhookForwarding(url: "u", state: .delivered, status: 200, tries: 1),
        WebhookForwarding(url: "u", state: .rejected, status: 404, tries: 1, problem: "no"),
        WebhookForwarding(url: "u", state: .waiting, status: nil, tries: 1, problem: "no"),
      ])
    #expect(try WebhookStore(home.store(), profile: "default").counts().toForward == 2)
    home.clock.set(now - .seconds(-61))
    #expect(try due() == [3])
    // The clock was set back by a year.
    try attempt(3, .waiting, nil, due: home.clock.now() - .seconds(-31_536_000))
    #expect(try due() == [3])
  }

  @Test func aNewRunMakesWaitingWebhooksDue() throws {
    try record([webhook("1"), webhook("2")], to: "u")
    let late = WebhookAttempt(
      number: 1, state: .waiting, status: 503, problem: "no", due: home.clock.now() - .seconds(-60))
    try WebhookStore(home.store(), profile: "default").noteForwarding([late], to: "u")
    let resumed = try WebhookStore(home.store(), profile: "default").resumeForwarding(to: "u")
    #expect(resumed.count == 2 && resumed.unanswered == 0)
    #expect(try WebhookStore(home.store(), profile: "default").resumeForwarding(to: "none").count == 0)
    #expect(try due() == [1, 2])
  }

  @Test func aWebhookWithoutAnAnswerIsMarkedUntilItsResult() throws {
    try record([webhook("1"), webhook("2")], to: "u")
    try WebhookStore(home.store(), profile: "default").noteUnanswered([1, 2], to: "u")
    let delivered = WebhookAttempt(number: 1, state: .delivered, status: 200, problem: nil)
    try WebhookStore(home.store(), profile: "default").noteForwarding([delivered], to: "u")
    let problems = try WebhookStore(home.store(), profile: "default").webhooks([1, 2]).map(\.forwarding?.problem)
    #expect(problems == [nil, WebhookForwarding.unanswered])
    let resumed = try WebhookStore(home.store(), profile: "default").resumeForwarding(to: "u")
    #expect(resumed.count == 1 && resumed.unanswered == 1)
  }

  @Test func aCommandRunsOncePerSelectedWebhook() throws {
    func waiting(_ filter: WebhookFilter = WebhookFilter(), profile: String = "default") throws -> [Int64] {
      try WebhookStore(home.store(), profile: profile).toExecute(filter)
    }
    func note(_ number: Int64, _ state: WebhookExecution.State, _ status: Int?) throws {
      try WebhookStore(home.store(), profile: "default").noteExecution(
        WebhookExecution(state: state, status: status), of: number)
    }
    try record([webhook("1"), webhook("2", "fired")])
    #expect(try waiting() == [], "without a command")
    try record([webhook("3"), webhook("4", "fired"), webhook("4", "fired")], executing: WebhookFilter(event: "fired"))
    try record([webhook("6"), webhook("7", "updated")], executing: WebhookFilter())
    try record([webhook("8")], executing: WebhookFilter(), profile: "work")
    #expect(try waiting() == [4, 6, 7], "not repetitions")
    #expect(try waiting(WebhookFilter(type: "connection")) == [6, 7])
    #expect(try WebhookStore(home.store(), profile: "default").counts().toExecute == 3)
    try note(4, .succeeded, 0)
    try note(6, .failed, 7)
    #expect(try waiting() == [7])
    #expect(try waiting(profile: "work") == [8])
    let stored = try WebhookStore(home.store(), profile: "default").webhooks([3, 4, 6, 7]).map(\.execution)
    #expect(
      stored == [
        nil, WebhookExecution(state: .succeeded, status: 0), WebhookExecution(state: .failed, status: 7),
        WebhookExecution(state: .waiting),
      ])
  }

  @Test func removingTheProfileRemovesItsWebhooks() throws {
    try record([webhook("1")], profile: "work")
    #expect(try home.store().removeProfile("work"))
    #expect(try numbers(profile: "work") == [])
  }
}
