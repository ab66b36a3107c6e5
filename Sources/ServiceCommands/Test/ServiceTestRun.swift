import Batch
import CommandContext
import HTTP
import Hints
import ServiceAPI
import World

/// Sends the probes of a plan, many at once, and collects the results of their checks.
final class ServiceTestRun {
  private let plan: ServiceTestPlan
  private let http: HTTPClient
  private let signIn: SignInTest?
  private let failsFast: Bool
  private let report: BatchReport?
  private let session: Session
  private var results: [ServiceCheckResult] = []
  /// Whether the server has been reached.
  private var hasResponse = false
  private var failures: [ServiceCheckResult] { results.filter { $0.outcome == .failed } }

  init(
    _ plan: ServiceTestPlan, signIn: SignInTest?, http: HTTPClient, failsFast: Bool, report: BatchReport?,
    in session: Session
  ) {
    (self.plan, self.signIn, self.http, self.failsFast) = (plan, signIn, http, failsFast)
    (self.report, self.session) = (report, session)
  }

  /// - Parameters:
  ///   - inOrder: whether the results are passed on at the end, in the order of the parts and endpoints. Otherwise
  ///     each is passed on as soon as it is known.
  func run(inOrder: Bool, _ each: (ServiceCheckResult) throws -> Void) throws {
    func add(_ new: [ServiceCheckResult]) throws {
      results += new
      for result in new {
        note(result)
        if !inOrder { try each(result) }
      }
    }
    // The response of test/setup has a token, which must be known to mask it in all other responses.
    let setup = plan.opening.filter { $0.part == .setup }
    try send(setup, then: plan.opening.filter { $0.part != .setup }, add)
    if let signIn, !isOver {
      let (known, probes) = try signIn.begin(plan)
      try add(known)
      try send([], then: probes, add)
    }
    if inOrder { for result in sorted { try each(result) } }
    try report?.end(without: [])
  }

  /// Whether no more requests are sent.
  private var isOver: Bool { failsFast && !failures.isEmpty }

  /// Sends the probes and those that follow from their responses.
  private func send(
    _ first: [Probe], then second: [Probe], _ add: ([ServiceCheckResult]) throws -> Void
  ) throws {
    var (probes, last) = first.isEmpty ? (second, [Probe]()) : (first, [])
    var next = first.isEmpty ? [] : second
    while !isOver, !probes.isEmpty || !last.isEmpty {
      let wave = probes.isEmpty ? last : probes.filter { !$0.isLast }
      last = probes.isEmpty ? [] : last + probes.filter(\.isLast)
      let exchanges = try send(wave) { probe, exchange in
        let outcome = probe.receive(exchange, plan.selection)
        next += outcome.next
        try add(outcome.results)
      }
      if !hasResponse { try checkReachability(exchanges) }
      hasResponse = true
      (probes, next) = (next, [])
    }
  }

  /// Fails if any check failed, or if there was none.
  func evaluate() throws {
    guard !results.isEmpty else {
      throw Problem(
        .notFound, "no check matches --only and --skip",
        hint:
          "Without a service definition, only the endpoints that test/setup names are known. For all checks, use --list."
      )
    }
    guard let first = sorted.first(where: { $0.outcome == .failed }) else { return }
    var hint: Hint = "Add -v to show the requests and responses of failed checks."
    if session.options.isVerbose { hint = Hint(first.check.advice) }
    throw Problem(
      .checksFailed, "\(failures.count) of \(results.count) checks failed",
      reason: "\(first.check.name) (\(first.endpoint)): \(first.message ?? "")", hint: hint)
  }

  private func send(
    _ probes: [Probe], each: (Probe, ServiceExchange) throws -> Void
  ) throws -> [ServiceExchange] {
    let clock = session.world.clock
    let secrets = Array(Set(probes.flatMap(\.request.secrets)))
    var starts: [Duration] = []
    var exchanges: [ServiceExchange] = []
    let requests = AnyIterator<Request> {
      guard starts.count < probes.count else { return nil }
      starts.append(clock.monotonic())
      return probes[starts.count - 1].request
    }
    do {
      try http.send(requests) { place, result in
        let exchange = ServiceExchange(
          request: probes[place].request, result: result, time: clock.monotonic() - starts[place],
          otherSecrets: secrets)
        exchanges.append(exchange)
        try each(probes[place], exchange)
      }
    } catch HTTPError.interrupted {
      throw Problem.interrupted
    }
    return exchanges
  }

  /// - Throws: the reason if no connection to the server can be made.
  private func checkReachability(_ exchanges: [ServiceExchange]) throws {
    let errors = exchanges.compactMap { exchange -> HTTPError? in
      guard case .failure(let error) = exchange.result, case .transport(let failure, _, _) = error else { return nil }
      return [.timeout, .broken, .tooLarge].contains(failure.kind) ? nil : error
    }
    guard let first = errors.first, errors.count == exchanges.count else { return }
    try? report?.end(without: results.map(\.title))
    throw first
  }

  private func note(_ result: ServiceCheckResult) {
    var problem: Problem?
    if result.outcome == .failed || result.outcome == .skipped {
      problem = Problem(.checksFailed, result.message ?? "", hint: Hint(result.check.advice))
      problem?.isSkip = result.outcome == .skipped
    }
    report?.ended(result.title, problem, after: result.exchange?.time ?? .zero)
  }

  private var sorted: [ServiceCheckResult] {
    let endpoints = results.map(\.endpoint).reduce(into: [ServicePath]()) { if !$0.contains($1) { $0.append($1) } }
    func rank(_ result: ServiceCheckResult) -> (Int, Int, Int) {
      (
        ServicePart.allCases.firstIndex(of: result.part) ?? 0, endpoints.firstIndex(of: result.endpoint) ?? 0,
        ServiceCheck.checks(of: result.part).firstIndex(of: result.check) ?? 0
      )
    }
    return results.sorted { rank($0) < rank($1) }
  }
}

extension ServiceCheckResult {
  /// The name in a report.
  fileprivate var title: String { "\(endpoint) \(check.name)" }
}
