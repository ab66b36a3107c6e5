import HTTP
import IFTTT
import Session
import Text
import World

/// Sends the probes of a plan, many at once, and collects the results of their checks.
final class ServiceTestRun {
  private let plan: ServiceTestPlan
  private let http: HTTPClient
  private let signIn: SignInTest?
  private let failsFast: Bool
  private let progress: BatchProgress
  private let session: Session
  private var results: [ServiceCheckResult] = []
  /// The endpoints in the order in which they were planned. Responses arrive in any order.
  private var endpoints: [ServicePath] = []
  /// The secrets of all requests so far: a response may repeat any of them.
  private var secrets: Set<Secret> = []
  /// Whether the server has been reached.
  private var hasResponse = false
  /// The exchanges without a response since the last response, and their results, until it is known whether the server
  /// ended.
  private var unanswered: [(endpoint: ServicePath, exchange: ServiceExchange, results: [ServiceCheckResult])] = []
  private var failures: [ServiceCheckResult] { results.filter { $0.outcome == .failed } }

  init(
    _ plan: ServiceTestPlan, signIn: SignInTest?, http: HTTPClient, failsFast: Bool,
    in session: Session
  ) {
    (self.plan, self.signIn, self.http, self.failsFast) = (plan, signIn, http, failsFast)
    (progress, self.session) = (BatchProgress(isFinal: true, in: session), session)
  }

  /// - Parameters:
  ///   - inOrder: Whether the results are passed on at the end, in the order of the parts and endpoints. Otherwise,
  ///     each is passed on as soon as it is known.
  func run(inOrder: Bool, _ each: (ServiceCheckResult) throws -> Void) throws {
    let outcome = Result { try check(inOrder: inOrder, each) }
    var isComplete = outage == nil
    if case .failure = outcome { isComplete = false }
    let closing = Result { try progress.end(isComplete: isComplete) }
    try outcome.get()
    try closing.get()
  }

  private func check(inOrder: Bool, _ each: (ServiceCheckResult) throws -> Void) throws {
    func add(_ new: [ServiceCheckResult]) throws {
      results += new
      note(new.map(\.endpoint))
      for result in new {
        note(result)
        if !inOrder { try each(result) }
      }
    }
    // The response of test/setup has a token, which must be known to mask it in all other responses.
    let setup = plan.opening.filter { $0.part == .setup }
    var probes = plan.opening.filter { $0.part != .setup }
    try send(setup, follow: { probes += $0 }, add)
    try send(probes, add)
    if let signIn, !isOver {
      let (known, probes) = try signIn.begin(plan)
      try add(known)
      try send(probes, add)
    }
    if inOrder { for result in sorted { try each(result) } }
  }

  /// Whether no more requests are sent.
  private var isOver: Bool { failsFast && !failures.isEmpty || outage != nil }

  /// The failure to connect to a server that has responded before; nil if the server still accepts connections.
  private var outage: HTTPError? {
    let lost = unanswered.map(\.exchange).filter(\.isRefused)
    guard lost.count >= Self.outageThreshold, case .failure(let failure)? = lost.first?.result else { return nil }
    return failure
  }
  /// The number of refused connections after which the server counts as ended.
  private static let outageThreshold = 3

  /// Sends the probes, and the probes that follow from their responses.
  /// - Parameter follow: Receives the probes that follow instead; nil to send them.
  private func send(
    _ probes: [Probe], follow: (([Probe]) -> Void)? = nil, _ add: ([ServiceCheckResult]) throws -> Void
  ) throws {
    let clock = session.world.clock
    note(probes.map(\.endpoint))
    var queue = ProbeQueue(probes, isReachable: hasResponse)
    var sent: [(probe: Probe, start: Duration)] = []
    var exchanges: [ServiceExchange] = []
    let source: () -> Next<Request> = { [self] in
      if isOver { return .end }
      switch queue.next() {
      case .probe(let probe):
        sent.append((probe, clock.monotonic()))
        secrets.formUnion(probe.request.secrets)
        return .next(probe.request)
      case .none: return .none()
      case .end: return .end
      }
    }
    do {
      try http.send(from: source) { index, result in
        let (probe, start) = sent[index]
        let exchange = ServiceExchange(
          request: probe.request, result: result, time: clock.monotonic() - start, otherSecrets: Array(secrets))
        let outcome = probe.receive(exchange, plan.selection)
        note(outcome.next.map(\.endpoint))
        follow?(outcome.next)
        queue.receive(follow == nil ? outcome.next : [])
        // The sign-in may have a server of its own.
        if hasResponse, probe.part != .signIn, exchange.isRefused || exchange.isBroken {
          unanswered.append((probe.endpoint, exchange, outcome.results))
        } else {
          try addUnanswered(add)
          try add(outcome.results)
        }
        if !exchange.isUnreachable { (hasResponse, queue.isReachable) = (true, true) }
        if !hasResponse { exchanges.append(exchange) }
      }
    } catch HTTPError.interrupted {
      throw Problem.interrupted
    }
    if outage == nil { try addUnanswered(add) }
    if !hasResponse { try failUnreachable(exchanges) }
  }

  /// Adds the failures of requests that have no response although the server is running.
  private func addUnanswered(_ add: ([ServiceCheckResult]) throws -> Void) throws {
    let failed = unanswered.flatMap(\.results)
    unanswered = []
    if !failed.isEmpty { try add(failed) }
  }

  private func note(_ new: [ServicePath]) {
    for endpoint in new where !endpoints.contains(endpoint) { endpoints.append(endpoint) }
  }

  /// One problem for a server that ended during the test, instead of a failure of each check that is left.
  private func ended(_ outage: HTTPError) -> Problem {
    var problem = Problem.from(outage)
    problem.message = "the server ended after \(results.count) checks"
    var unfinished: [String] = []
    for entry in unanswered where entry.exchange.isBroken && !unfinished.contains(entry.endpoint.description) {
      unfinished.append(entry.endpoint.description)
    }
    if !unfinished.isEmpty {
      let rest = unfinished.count > 3 ? " and \(unfinished.count - 3) more" : ""
      problem.reason =
        "\(problem.reason ?? ""); it did not finish its response to \(unfinished.prefix(3).joined(separator: ", "))\(rest)"
    }
    problem.hint = "Check the log of the server. The checks that follow were not made."
    return problem
  }

  /// Reports failed checks.
  /// - Throws: ``Problem`` if any check failed, if no check was made, or if the server ended.
  func evaluate() throws {
    if let outage { throw ended(outage) }
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

  /// - Throws: The reason, if no connection to the server could be made.
  private func failUnreachable(_ exchanges: [ServiceExchange]) throws {
    guard case .failure(let first)? = exchanges.first?.result else { return }
    throw first
  }

  private func note(_ result: ServiceCheckResult) {
    var problem: Problem?
    if result.outcome == .failed || result.outcome == .skipped {
      problem = Problem(.checksFailed, result.message ?? "", hint: Hint(result.check.advice))
      problem?.isSkip = result.outcome == .skipped
    }
    progress.report(result.title, problem, after: result.exchange?.time ?? .zero)
  }

  private var sorted: [ServiceCheckResult] {
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

extension ServiceExchange {
  /// Whether the server did not accept the connection.
  fileprivate var isRefused: Bool {
    guard case .failure(.transport(let failure, _, _)) = result else { return false }
    return failure.kind == .connect
  }

  /// Whether the connection ended before the response.
  fileprivate var isBroken: Bool {
    guard case .failure(.transport(let failure, _, _)) = result else { return false }
    return failure.kind == .broken
  }

  /// Whether no connection to the server could be made.
  fileprivate var isUnreachable: Bool {
    guard case .failure(.transport(let failure, _, _)) = result else { return false }
    return ![.timeout, .broken, .tooLarge].contains(failure.kind)
  }
}

/// The probes of a test that are still to be sent. Each response may add some.
struct ProbeQueue {
  private var ready: ArraySlice<Probe>
  /// The probes that follow from responses, until it is known that the server can be reached.
  private var early: [Probe] = []
  /// The probes that are sent once all others have a response.
  private var last: [Probe] = []
  private var inFlight = 0
  /// Whether any response shows that the server can be reached.
  var isReachable: Bool {
    didSet {
      guard isReachable else { return }
      ready += early
      early = []
    }
  }

  init(_ probes: [Probe], isReachable: Bool) {
    self.isReachable = isReachable
    ready = probes.filter { !$0.isLast }[...]
    last = probes.filter(\.isLast)
  }

  enum Next {
    case probe(Probe)
    /// Nothing can be sent before the next response.
    case none
    case end
  }

  mutating func next() -> Next {
    if ready.isEmpty, inFlight == 0 { (ready, last) = (last[...], []) }
    guard let probe = ready.popFirst() else { return inFlight == 0 ? .end : .none }
    inFlight += 1
    return .probe(probe)
  }

  /// Records a response.
  /// - Parameter probes: The probes that follow from it.
  mutating func receive(_ probes: [Probe]) {
    inFlight -= 1
    last += probes.filter(\.isLast)
    let next = probes.filter { !$0.isLast }
    if isReachable { ready += next } else { early += next }
  }
}
