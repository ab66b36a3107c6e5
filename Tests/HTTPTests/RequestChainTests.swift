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
  /// - Parameter source: The number of the chain to begin when it is asked for the nth time.
  private func events(rate: RateLimit? = nil, _ source: (Int) -> Next<Int>) throws -> [String] {
    let transport = ScriptedTransport(answers: (0..<200).map { _ in { _ in .success(Response(status: 200)) } })
    let client = HTTPClient(transport: transport, world: makeWorld(), policy: HTTPClient.Policy(retries: 0, jobs: 4))
    client.rate = rate
    var (events, calls): ([String], Int) = ([], 0)
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
      calls += 1
      return switch source(calls - 1) {
      case .next(let number): .next(chain(number))
      case .none(let time): .none(for: time)
      case .blocked: .blocked
      case .end: .end
      }
    })
    return events
  }

  /// So that a journal writes many items at once, and none of them waits long.
  @Test func requestsThatAreJournaledWaitForEachOther() throws {
    let events = try events { $0 < 100 ? .next($0) : .end }
    let firstStart = try #require(events.firstIndex { $0.hasPrefix("start") })
    let lastRead = try #require(events.lastIndex { $0.hasPrefix("read") })
    #expect((64...68).contains(events[..<firstStart].count { $0.hasPrefix("read") }))
    #expect(events[..<lastRead].count { $0.hasPrefix("start") } == 64)
    #expect(events.count { $0.hasPrefix("written") } == 100)
  }

  @Test func theyDoNotWaitForInputOrARate() throws {
    let slow = try events { $0 > 4 ? .end : $0.isMultiple(of: 2) ? .next($0) : .none(for: .zero) }
    #expect(try #require(slow.firstIndex(of: "written 0")) < #require(slow.firstIndex(of: "read 4")), "\(slow)")
    let limited = try events(rate: RateLimit(1000, per: .seconds(1))) { $0 < 20 ? .next($0) : .end }
    #expect(try #require(limited.firstIndex(of: "written 0")) < #require(limited.firstIndex(of: "read 10")))
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
