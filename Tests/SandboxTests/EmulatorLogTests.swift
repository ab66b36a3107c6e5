import HTTP
import Sandbox
import Testing
import World

/// The contents of the log, its limits, and the causes of its entries.
@Suite struct EmulatorLogTests {
  private func add(_ path: String, _ size: Int = 0, to emulator: inout Emulator) {
    let request = ReceivedRequest(method: "POST", target: path, body: [UInt8](repeating: 65, count: size))
    let exchange = LoggedExchange(received: request, Response(status: 200), duration: .zero)
    emulator.record(exchange, of: emulator.makeKey(), at: EmulatorSession.now)
  }

  @Test func theOldestEntriesAreRemoved() {
    var emulator = Emulator(state: .seed)
    for number in 1...25_000 { add("/\(number)", to: &emulator) }
    let log = emulator.log
    #expect(log.lastNumber == 25_000 && log.all.count == EmulatorLog.limit)
    #expect(log.all.map(\.number) == Array(15_001...25_000))
    #expect(log.all.first?.exchange?.path == "/15001" && log.all.last?.exchange?.path == "/25000")
    #expect(log[15_000] == nil && log[15_001]?.exchange?.path == "/15001" && log[25_000] != nil && log[25_001] == nil)
    #expect(log.entries(after: 24_998).map(\.number) == [24_999, 25_000])
    #expect(log.entries(after: 0).count == EmulatorLog.limit && log.entries(after: 30_000).isEmpty)
  }

  @Test func theSizeIsLimited() {
    var emulator = Emulator(state: .seed)
    for number in 1...2000 { add("/\(number)", 100_000, to: &emulator) }
    let log = emulator.log
    let bodies = log.all.compactMap(\.exchange?.request)
    #expect((900...1024).contains(log.all.count), "\(log.all.count)")
    #expect(bodies.reduce(0) { $0 + $1.body.count } <= EmulatorLog.byteLimit)
    #expect(bodies.allSatisfy { $0.body.count == 64 * 1024 && $0.bodySize == 100_000 && $0.isTruncated })
    #expect(log.all.last?.exchange?.path == "/2000" && log.lastNumber == 2000)
  }

  @Test func anEmptyLogHasNoEntries() {
    let log = EmulatorLog()
    #expect(log.all.isEmpty && log[0] == nil && log[1] == nil && log.entries(after: 0).isEmpty)
  }

  /// A reset begins an empty log, but a number never names two entries.
  @Test func aResetContinuesTheNumbers() {
    var emulator = Emulator(state: .seed)
    for number in 1...3 { add("/\(number)", to: &emulator) }
    var fresh = Emulator(state: .seed)
    fresh.replace(emulator)
    #expect(fresh.log.all.isEmpty && fresh.log[3] == nil)
    add("/4", to: &fresh)
    #expect(fresh.log.all.map(\.number) == [4])
  }

  /// The request that enables a connection causes its webhook and its first poll, a poll the events that it finds, and
  /// an event its queries and actions.
  @Test func effectsReferToTheirCauses() throws {
    var session = try RuntimeSession()
    session.ask(.post, "/v2/connections/C1/enable")
    session.events.insert("e-2", at: 0)
    session.pass(.seconds(5))
    session.settle()
    let log = session.emulator.log
    func number(_ step: ActivityRecord.Step, _ event: String? = nil) -> Int? {
      log.all.last { $0.activity?.step == step && (event == nil || $0.activity?.event == event) }?.number
    }
    func cause(_ number: Int?) -> Int? { number.flatMap { log[$0] }.flatMap(log.cause) }
    let request = try #require(log.all.first { $0.activity == nil })
    let first = try #require(log.all.first { $0.activity?.step == .polled })
    #expect(log.cause(of: request) == nil && log.cause(of: first) == request.number)
    let found = try #require(number(.found, "e-2"))
    let poll = try #require(cause(found))
    #expect(log[poll]?.activity?.step == .polled && log[poll]?.activity?.cause == .schedule)
    #expect(cause(poll) == nil, "nothing in the log caused a scheduled poll")
    let event = try #require(log[found])
    let effects = log.effects(of: event).compactMap { log[$0]?.activity }
    #expect(
      effects.filter { $0.step != .warning }.map(\.step).sorted { $0.rawValue < $1.rawValue } == [
        .queried, .ran, .ran, .webhookSent,
      ])
  }

  /// Options that a request needs are recorded before the request itself, whose number they still have as their cause.
  @Test func aCauseMayFollowItsEffect() throws {
    var session = try RuntimeSession()
    session.ask(.post, "/v2/connections/C1/enable")
    session.ask(.get, "/v2/connections/C1/triggers/lamps.pressed/field_options")
    let log = session.emulator.log
    let options = try #require(log.all.first { $0.activity?.step == .options })
    #expect(log.cause(of: options) == options.number + 1)
  }
}
