import PluginProtocol
package import Session
package import Store
import Text
import World

/// Fetches from several providers concurrently: requests to IFTTT in the loop of the HTTP client, requests to plugins
/// while that loop waits. Each request has its own timeout, so a failed or slow provider does not affect the others.
package final class FetchLoop {
  /// Sends requests to IFTTT, and calls `meanwhile` while they are in flight, as `HTTPClient.send` does.
  package typealias ConnectFetch = (_ meanwhile: () throws -> Duration?) throws -> Void
  /// The rows of a list, or the one row of a connection.
  package typealias Outcome = Result<[ProvidedRow], Problem>

  /// A request for a provider's list or, with an id, for one of its connections.
  private struct Request {
    let provider: InstalledProvider
    let id: String?
    let starting: () -> Void
    let finish: (Outcome) throws -> Void
  }

  /// The session and the requests of one provider. They are sent one at a time, as the protocol requires.
  private final class Source {
    let plugin: ProviderSession
    var isGreeted = false
    /// The requests without an outcome. After the greeting, the first of them is in flight.
    var requests: ArraySlice<Request>
    /// The items of the request that is in flight.
    var rows: [String: ProvidedRow] = [:]
    var isDone: Bool { requests.isEmpty }
    var provider: InstalledProvider { plugin.provider }

    init(_ plugin: ProviderSession, _ requests: [Request]) { (self.plugin, self.requests) = (plugin, requests[...]) }
  }

  private let session: Session
  /// The fetch from IFTTT, which sends all of its requests together.
  private var connectFetch: ConnectFetch?
  private var requests: [Request] = []
  private var sources: [Source] = []
  private var wasInterrupted = false

  /// The longest interval between checks of an idle provider while requests to IFTTT are in flight, because that wait
  /// does not end when a provider writes output.
  private static let longestPause = Duration.milliseconds(10)

  package init(in session: Session) { self.session = session }

  package func add(_ fetch: @escaping ConnectFetch) {
    precondition(connectFetch == nil, "the requests to IFTTT belong together")
    connectFetch = fetch
  }

  /// Adds a request for a provider's list or, with an id, for one of its connections.
  /// - Parameters:
  ///   - starting: called when the timeout of the request starts: when its provider is started, or just before it is
  ///     sent.
  ///   - finish: called with the outcome as soon as it is known. It must not send anything to IFTTT.
  package func add(
    _ provider: InstalledProvider, id: String? = nil, starting: @escaping () -> Void = {},
    finish: @escaping (Outcome) throws -> Void
  ) {
    requests.append(Request(provider: provider, id: id, starting: starting, finish: finish))
  }

  /// Starts the providers, then sends the requests to IFTTT, then waits for the remaining outcomes.
  /// - Throws: The errors of the closures, and ``Problem/interrupted`` after an interrupt.
  package func run() throws {
    defer { end() }
    try start()
    do {
      try connectFetch? { [self] in
        if try advance() { return .zero }
        return isDone ? nil : min(Self.longestPause, untilWakeTime)
      }
    } catch {
      guard session.world.interruption.isInterrupted else { throw error }
      wasInterrupted = true
    }
    while !isDone { if try !advance() { wait() } }
    if wasInterrupted { throw Problem.interrupted }
  }

  private var isDone: Bool { sources.allSatisfy(\.isDone) }

  private func start() throws {
    for (_, group) in requests.grouped(by: \.provider.name) {
      try session.world.checkInterruption()
      group[0].starting()
      do {
        sources.append(
          Source(try ProviderSession(starting: group[0].provider, isAttended: false, in: session), group))
      } catch {
        let problem = Problem.from(error)
        if problem.code == .interrupted { throw problem }
        for request in group { try request.finish(.failure(problem)) }
      }
    }
  }

  /// Performs all work that is possible without waiting.
  /// - Returns: Whether there was any work.
  private func advance() throws -> Bool {
    var wasBusy = false
    for source in sources where !source.isDone {
      var outcomes: [(request: Request, outcome: Outcome)] = []
      do { wasBusy = try advanceFar(source, &outcomes) || wasBusy } catch {
        let problem = Problem.from(error)
        if problem.code == .interrupted {
          wasInterrupted = true
        } else {
          outcomes += source.requests.map { ($0, .failure(problem)) }
        }
        (source.requests, wasBusy) = ([], true)
      }
      if source.isDone { source.plugin.process.closeInput() }
      for (request, outcome) in outcomes { try request.finish(outcome) }
    }
    return wasBusy
  }

  /// Advances a provider as far as possible without waiting, so that the order of equally fast providers does not
  /// depend on the lengths of their lists. The number of steps is limited, because a provider that writes endlessly
  /// must not block the others.
  private func advanceFar(_ source: Source, _ outcomes: inout [(request: Request, outcome: Outcome)]) throws -> Bool {
    var steps = 0
    while !source.isDone, steps < 100, try advance(source, &outcomes) { steps += 1 }
    return steps > 0
  }

  /// - Returns: whether there was any work.
  /// - Throws: the error that ends the session and all of its requests.
  private func advance(_ source: Source, _ outcomes: inout [(request: Request, outcome: Outcome)]) throws -> Bool {
    let process = source.plugin.process
    let wasBusy: Bool
    do {
      wasBusy = try process.step(atMost: .zero) { item in
        if let id = source.requests.first?.id, item["id"]?.string != id { return }
        let row = try source.provider.row(item)
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
      outcomes.append((source.requests.removeFirst(), outcome))
      source.rows = [:]
      source.requests.first?.starting()
    } else {
      try source.plugin.finishGreeting()
      source.isGreeted = true
    }
    if let request = source.requests.first { try begin(request, of: source) }
    return true
  }

  private func begin(_ request: Request, of source: Source) throws {
    if let id = request.id, source.provider.can(.showConnection) {
      try source.plugin.begin(.showConnection, ["id": Value(id)])
    } else {
      try source.plugin.begin(.listConnections, ["status": nil])
    }
  }

  /// The rows of the request that was in flight.
  private func rows(of source: Source) throws -> [ProvidedRow] {
    let (provider, result) = (source.provider, try source.plugin.result())
    guard let id = source.requests.first?.id else { return Array(source.rows.values) }
    guard provider.can(.showConnection) else {
      guard let row = source.rows[id] else {
        throw Problem(.notFound, "provider '\(provider.name)' has no connection '\(id)'")
      }
      return [row]
    }
    let row = try provider.row(result["connection"] ?? .null)
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
