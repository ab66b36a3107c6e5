import HTTP
import Support
import Testing
import Text
import World

@Suite struct RequestChainTests {
  private let base: WebURL
  init() throws { base = try WebURL(parsing: "https://connect.ifttt.com") }

  private func request(_ name: String) -> Request { Request(.get, base.appending(name)) }

  private func run(
    _ names: [String], on transport: ScriptedTransport, jobs: Int = 2, stopsEarly: EarlyStop = .never,
    _ chain: (String) -> RequestChain
  ) throws -> (skipped: SkipReason?, taken: Int) {
    let client = HTTPClient(
      transport: transport, world: makeWorld(), policy: HTTPClient.Policy(retries: 0, jobs: jobs))
    var rest = names[...]
    let skipped = try client.run(
      from: { rest.popFirst().map { Next.next(chain($0)) } ?? .end }, stopsEarly: stopsEarly)
    return (skipped, names.count - rest.count)
  }

  /// Chains that have begun end before others begin, or many users would all have begun and none ended.
  @Test func aBegunChainContinuesBeforeAnotherBegins() throws {
    let transport = ScriptedTransport(answers: (0..<9).map { _ in { _ in .success(Response(status: 200)) } })
    var (begun, maximum) = (0, 0)
    _ = try run(["a", "b", "c"], on: transport) { name in
      begun += 1
      maximum = max(maximum, begun)
      return .send(request(name + "1")) { _ in
        .send(request(name + "2")) { _ in
          .send(request(name + "3")) { _ in
            begun -= 1
            return .end
          }
        }
      }
    }
    #expect(
      transport.requests.map(\.url.path).sorted() == ["a", "b", "c"].flatMap { n in (1...3).map { "/\(n)\($0)" } })
    #expect(maximum == 2)
    #expect(begun == 0)
  }

  /// What happened, in order: `read N`, then `start N` before a request that is journaled, and `written N`.
  /// - Parameter source: the number of the next chain, after what has happened.
  private func events(count: Int, rate: RateLimit? = nil, _ source: ([String]) -> Next<Int>) throws -> [String] {
    let transport = ScriptedTransport(answers: (0..<2 * count).map { _ in { _ in .success(Response(status: 200)) } })
    let client = HTTPClient(transport: transport, world: makeWorld(), policy: HTTPClient.Policy(retries: 0, jobs: 4))
    client.rate = rate
    var events: [String] = []
    func chain(_ number: Int) -> RequestChain {
      events.append("read \(number)")
      return .send(request("read")) { _ in
        .send(request("write"), starting: { events.append("start \(number)") }) { _ in
          events.append("written \(number)")
          return .end
        }
      }
    }
    try client.run(from: {
      switch source(events) {
      case .next(let number): .next(chain(number))
      case .none(let time): .none(for: time)
      case .blocked: .blocked
      case .end: .end
      }
    })
    return events
  }

  private func reads(_ events: [String]) -> Int { events.count { $0.hasPrefix("read") } }

  /// So that a journal writes many items at once.
  @Test func requestsThatAreJournaledWaitForEachOther() throws {
    let events = try events(count: 200) { reads($0) < 200 ? .next(reads($0)) : .end }
    let firstStart = try #require(events.firstIndex { $0.hasPrefix("start") })
    // Those whose request was in flight are read too.
    #expect((64...68).contains(reads(Array(events[..<firstStart]))))
    #expect(events.count { $0.hasPrefix("written") } == 200)
    // The first batch does not wait for the second.
    let written = try #require(events.firstIndex(of: "written 0"))
    #expect(reads(Array(events[..<written])) < 80)
  }

  @Test func theyDoNotWaitForInput() throws {
    let events = try events(count: 2) { events in
      if events.isEmpty { return .next(0) }
      return !events.contains("written 0") ? .none(for: .zero) : reads(events) == 1 ? .next(1) : .end
    }
    #expect(events.count == 6, "\(events)")
  }

  /// A user who asks for a rate waits for the first results.
  @Test func theyDoNotWaitAtARate() throws {
    let events = try events(count: 20, rate: RateLimit(1000, per: .seconds(1))) {
      reads($0) < 20 ? .next(reads($0)) : .end
    }
    #expect(try #require(events.firstIndex(of: "written 0")) < #require(events.firstIndex(of: "read 10")))
  }

  @Test func startingIsCalledJustBeforeItsRequest() throws {
    let transport = ScriptedTransport(answers: (0..<2).map { _ in { _ in .success(Response(status: 200)) } })
    var sent: [Int] = []
    _ = try run(["a"], on: transport) { _ in
      .send(request("1"), starting: { sent.append(transport.requests.count) }) { _ in
        .send(request("2"), starting: { sent.append(transport.requests.count) }) { _ in .end }
      }
    }
    #expect(sent == [0, 1])
  }

  /// Rejected credentials end the run: chains that have begun receive the reason, and nothing more of them is sent.
  @Test func chainsThatWereBegunAreToldThatTheRestIsSkipped() throws {
    let secret = try #require(Secret(parsing: "token"))
    let transport = ScriptedTransport(answers: (0..<2).map { _ in { _ in .success(Response(status: 401)) } })
    var results: [String] = []
    let end = try run(["a", "b", "c"], on: transport, stopsEarly: .server) { name in
      var first = request(name)
      first.headers.append(Header("Authorization", prefix: "Bearer ", secret: secret))
      return .send(first) { _ in
        .send(request(name + "2")) { result in
          if case .failure(.skipped) = result { results.append(name) }
          return .end
        }
      }
    }
    #expect(end.skipped != nil)
    #expect(end.taken == 2)
    #expect(results == ["a", "b"])
    #expect(transport.requests.count == 2)
  }
}
