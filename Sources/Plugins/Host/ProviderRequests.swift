import PluginProtocol
package import Session
package import Store
import World

/// Sends requests to several providers concurrently, from one poll loop. Each request has its own timeout, so a
/// failed or slow provider does not affect the others.
package final class ProviderRequests {
  /// A request for a provider's list or, with an id, for one of its connections.
  package struct Request {
    package let provider: InstalledProvider
    package var id: String?

    package init(provider: InstalledProvider, id: String? = nil) {
      (self.provider, self.id) = (provider, id)
    }
  }

  /// The rows of a list, or the one row of a connection.
  package typealias Outcome = Result<[ProvidedRow], Problem>
  /// Called with the index of each request as soon as its outcome is known.
  package typealias Each = (Int, Outcome) throws -> Void

  /// The session and the requests of one provider. They are sent one at a time, as the protocol requires.
  private final class Source {
    let plugin: ProviderSession
    var isGreeted = false
    /// The indices of the requests without an outcome. After the greeting, the first of them is in flight.
    var requestIndices: ArraySlice<Int>
    /// The items of the request that is in flight.
    var rows: [String: ProvidedRow] = [:]
    var isDone: Bool { requestIndices.isEmpty }
    var provider: InstalledProvider { plugin.provider }

    init(_ plugin: ProviderSession, _ indices: [Int]) { (self.plugin, requestIndices) = (plugin, indices[...]) }
  }

  private let requests: [Request]
  private let starting: (Int) -> Void
  private let session: Session
  private var sources: [Source] = []
  private var wasInterrupted = false

  /// The longest interval between checks of an idle provider while requests to IFTTT are in flight, because that wait
  /// does not end when a provider writes output.
  private static let longestPause = Duration.milliseconds(10)

  /// - Parameter starting: called with a request's index when its timeout starts: when its provider is started, or
  ///   just before it is sent.
  package init(_ requests: [Request], starting: @escaping (Int) -> Void = { _ in }, in session: Session) {
    (self.requests, self.starting, self.session) = (requests, starting, session)
  }

  /// Starts the providers, then runs `other`, then waits for the remaining results.
  /// - Parameters:
  ///   - other: sends requests to IFTTT, and calls `meanwhile` while they are in flight, as `HTTPClient.send` does.
  ///   - each: must not send anything to IFTTT.
  /// - Throws: the errors of `other` and `each`, and ``Problem/interrupted`` after all providers have been told to
  ///   stop.
  package func run(
    alongside other: (_ meanwhile: () throws -> Duration?) throws -> Void = { _ in }, each: @escaping Each
  )
    throws
  {
    defer { end() }
    try start(each)
    do {
      try other { [self] in
        if try advance(each) { return .zero }
        return isDone ? nil : min(Self.longestPause, untilWakeTime)
      }
    } catch {
      guard session.world.interruption.isInterrupted else { throw error }
      wasInterrupted = true
    }
    while !isDone { if try !advance(each) { wait() } }
    if wasInterrupted { throw Problem.interrupted }
  }

  private var isDone: Bool { sources.allSatisfy(\.isDone) }

  private func start(_ each: Each) throws {
    var groups: [(provider: InstalledProvider, indices: [Int])] = []
    for (index, request) in requests.enumerated() {
      if let group = groups.firstIndex(where: { $0.provider.name == request.provider.name }) {
        groups[group].indices.append(index)
      } else {
        groups.append((request.provider, [index]))
      }
    }
    for (provider, indices) in groups {
      guard !session.world.interruption.isInterrupted else { throw Problem.interrupted }
      starting(indices[0])
      do {
        sources.append(Source(try ProviderSession(starting: provider, isAttended: false, in: session), indices))
      } catch {
        let problem = Problem.from(error)
        if problem.code == .interrupted { throw problem }
        for index in indices { try each(index, .failure(problem)) }
      }
    }
  }

  /// Performs all work that is possible without waiting.
  /// - Returns: whether there was any.
  private func advance(_ each: Each) throws -> Bool {
    var wasBusy = false
    for source in sources where !source.isDone {
      var outcomes: [(index: Int, outcome: Outcome)] = []
      do { wasBusy = try advanceFar(source, &outcomes) || wasBusy } catch {
        let problem = Problem.from(error)
        if problem.code == .interrupted {
          wasInterrupted = true
        } else {
          outcomes += source.requestIndices.map { ($0, .failure(problem)) }
        }
        (source.requestIndices, wasBusy) = ([], true)
      }
      if source.isDone { source.plugin.process.closeInput() }
      for (index, outcome) in outcomes { try each(index, outcome) }
    }
    return wasBusy
  }

  /// Advances a provider as far as possible without waiting, so that the order of equally fast providers does not
  /// depend on the lengths of their lists. The number of steps is limited, because a provider that writes endlessly
  /// must not block the others.
  private func advanceFar(_ source: Source, _ outcomes: inout [(index: Int, outcome: Outcome)]) throws -> Bool {
    var steps = 0
    while !source.isDone, steps < 100, try advance(source, &outcomes) { steps += 1 }
    return steps > 0
  }

  /// - Returns: whether there was any work.
  /// - Throws: the error that ends the session and all of its requests.
  private func advance(_ source: Source, _ outcomes: inout [(index: Int, outcome: Outcome)]) throws -> Bool {
    let process = source.plugin.process
    let wasBusy: Bool
    do {
      wasBusy = try process.step(atMost: .zero) { item in
        if let id = request(of: source)?.id, item["id"]?.string != id { return }
        let row = try session.row(item, by: source.provider)
        source.rows[row.id] = row
      }
    } catch let problem as Problem {
      // The provider sent an item that is not a connection.
      try? process.cancel()
      throw problem
    }
    guard process.isSettled else { return wasBusy }
    if source.isGreeted {
      let outcome = Result { try rows(of: source) }.mapError(Problem.from)
      if case .failure(let problem) = outcome, problem.code == .interrupted { throw problem }
      outcomes.append((source.requestIndices.removeFirst(), outcome))
      source.rows = [:]
      if let index = source.requestIndices.first { starting(index) }
    } else {
      try source.plugin.finishGreeting()
      source.isGreeted = true
    }
    if let request = request(of: source) { try begin(request, of: source) }
    return true
  }

  private func begin(_ request: Request, of source: Source) throws {
    if let id = request.id, source.provider.can(.showConnection) {
      try source.plugin.begin(.showConnection, ["id": Value(id)])
    } else {
      try source.plugin.begin(.listConnections, ["status": nil])
    }
  }

  private func request(of source: Source) -> Request? { source.requestIndices.first.map { requests[$0] } }

  /// The rows of the request that was in flight.
  private func rows(of source: Source) throws -> [ProvidedRow] {
    let (provider, result) = (source.provider, try source.plugin.result())
    guard let id = request(of: source)?.id else { return Array(source.rows.values) }
    guard provider.can(.showConnection) else {
      guard let row = source.rows[id] else {
        throw Problem(.notFound, "provider '\(provider.name)' has no connection '\(id)'")
      }
      return [row]
    }
    let row = try session.row(result["connection"] ?? .null, by: provider)
    guard row.id == id else {
      throw Problem(
        .pluginFailed, "plugin '\(provider.name)' failed",
        reason: "the request was for '\(id)', but the response is for '\(row.id)'")
    }
    return [row]
  }

  // MARK: Waiting

  private var untilWakeTime: Duration {
    let now = session.world.clock.monotonic()
    let next = sources.filter { !$0.isDone }.compactMap(\.plugin.process.wakeTime).min() ?? now
    return max(.zero, next - now)
  }

  private func wait() {
    session.world.processes.wait(
      for: sources.filter { !$0.isDone }.map(\.plugin.process.program), atMost: untilWakeTime)
  }

  /// Stops all providers concurrently: the stdin of each is closed, and each gets a short time to exit.
  private func end() {
    let processes = sources.map(\.plugin.process)
    for process in processes { process.closeInput() }
    let clock = session.world.clock
    let end = clock.monotonic() + PluginSession.graceTime
    while processes.contains(where: { $0.isExiting }), clock.monotonic() < end {
      var wasBusy = false
      for process in processes where process.isExiting {
        wasBusy = (try? process.step(atMost: .zero)) == true || wasBusy
      }
      guard !wasBusy else { continue }
      session.world.processes.wait(
        for: processes.filter(\.isExiting).map(\.program), atMost: max(.zero, end - clock.monotonic()))
    }
    for process in processes { process.close(hasWaited: true) }
  }
}

/// Fetches from several providers that run in parallel: IFTTT's requests in the loop of the HTTP client, those of
/// plugins while it waits.
package final class FetchLoop {
  /// Sends requests to IFTTT, and calls `meanwhile` while they are in flight, as `HTTPClient.send` does.
  package typealias ConnectFetch = (_ meanwhile: () throws -> Duration?) throws -> Void

  private struct PluginFetch {
    let request: ProviderRequests.Request
    let starting: () -> Void
    let finish: (ProviderRequests.Outcome) throws -> Void
  }

  private let session: Session
  /// The one of IFTTT, which sends all of its requests together.
  private var connectFetch: ConnectFetch?
  private var pluginFetches: [PluginFetch] = []

  package init(in session: Session) { self.session = session }

  package func add(_ fetch: @escaping ConnectFetch) {
    precondition(connectFetch == nil, "the requests to IFTTT belong together")
    connectFetch = fetch
  }

  /// - Parameters:
  ///   - starting: called when the timeout of the request starts.
  ///   - finish: called with the outcome as soon as it is known. It must not send anything to IFTTT.
  package func add(
    _ request: ProviderRequests.Request, starting: @escaping () -> Void = {},
    finish: @escaping (ProviderRequests.Outcome) throws -> Void
  ) {
    pluginFetches.append(PluginFetch(request: request, starting: starting, finish: finish))
  }

  /// Starts all fetches and waits for their outcomes.
  /// - Throws: the errors of the fetches' closures, and ``Problem/interrupted`` after all plugins have stopped.
  package func run() throws {
    let requests = ProviderRequests(
      pluginFetches.map(\.request), starting: { [pluginFetches] in pluginFetches[$0].starting() }, in: session)
    try requests.run(
      alongside: { meanwhile in try connectFetch?(meanwhile) },
      each: { [pluginFetches] index, outcome in try pluginFetches[index].finish(outcome) })
  }
}
