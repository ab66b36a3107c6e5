package import HTTP
import JSON

/// A request, the checks that its response decides, and the requests that depend on the response.
package struct Probe {
  package let part: ServicePart
  package let endpoint: ServicePath
  package let request: Request
  /// Whether to send it only after all probes without this property.
  package var isLast = false
  let evaluate: (ServiceExchange) -> [(check: ServiceCheck, finding: Finding)]
  let next: (ServiceExchange) -> [Probe]

  init(
    _ part: ServicePart, _ endpoint: ServicePath, _ request: Request, isLast: Bool = false,
    evaluate: @escaping (ServiceExchange) -> [(check: ServiceCheck, finding: Finding)],
    next: @escaping (ServiceExchange) -> [Probe] = { _ in [] }
  ) {
    (self.part, self.endpoint, self.request, self.isLast) = (part, endpoint, request, isLast)
    (self.evaluate, self.next) = (evaluate, next)
  }

  /// A probe for one check.
  init(
    _ part: ServicePart, _ endpoint: ServicePath, _ request: Request, _ check: ServiceCheck, isLast: Bool = false,
    _ evaluate: @escaping (ServiceExchange) -> Finding
  ) {
    self.init(part, endpoint, request, isLast: isLast, evaluate: { [(check, evaluate($0))] })
  }

  /// Returns the results of the selected checks, and the probes to send next.
  package func receive(
    _ exchange: ServiceExchange, _ selection: CheckSelection
  ) -> (results: [ServiceCheckResult], next: [Probe]) {
    let results = evaluate(exchange).filter { selection.includes($0.check, part, endpoint) }.map { check, finding in
      ServiceCheckResult(
        check: check, part: part, endpoint: endpoint, outcome: finding.outcome, message: finding.message,
        exchange: exchange)
    }
    return (results, next(exchange))
  }
}

/// The checks selected with `--only` and `--skip`.
package struct CheckSelection: Sendable {
  /// The name of a check, a part, or an endpoint with everything below it.
  package enum Name: Sendable, Hashable {
    case check(String)
    case part(ServicePart)
    case endpoint(ServicePath)

    /// Returns nil for any other text. A check's label, with spaces, is accepted as its name.
    package init?(parsing text: String) {
      let name = text.lowercased().split(separator: " ").joined(separator: "-")
      if let part = ServicePart(rawValue: name) {
        self = .part(part)
      } else if ServiceCheck.all.contains(where: { $0.name == name }) {
        self = .check(name)
      } else if text.utf8.contains(UInt8(ascii: "/")) {
        self = .endpoint(ServicePath(text.split(separator: "/").map(String.init)))
      } else {
        return nil
      }
    }
  }

  /// The names to include; empty to include all checks.
  private let only: [Name]
  private let skip: [Name]

  package init(only: [Name] = [], skip: [Name] = []) { (self.only, self.skip) = (only, skip) }

  package func includes(_ check: ServiceCheck, _ part: ServicePart, _ endpoint: ServicePath) -> Bool {
    func matches(_ name: Name) -> Bool {
      switch name {
      case .check(let name): check.name == name
      case .part(let other): part == other
      case .endpoint(let path): endpoint.isWithin(path)
      }
    }
    return (only.isEmpty || only.contains(where: matches)) && !skip.contains(where: matches)
  }

  /// Whether any check of these parts could be included.
  func mayInclude(_ parts: Set<ServicePart>) -> Bool {
    let areSkipped = parts.allSatisfy { part in skip.contains(.part(part)) }
    let areNamed =
      only.isEmpty
      || only.contains { name in
        if case .part(let part) = name { parts.contains(part) } else { true }
      }
    return areNamed && !areSkipped
  }
}

/// The first probe of an endpoint. Its body has a random key, as in all of IFTTT's tests.
///
/// If the request fails, it is sent again without the key. If it then succeeds, the key is the cause: only
/// `with-extra-data` fails, and all other checks of the endpoint are made without the key.
struct ExtraDataProbes {
  /// Adds the random key to a body, unless the endpoint does not tolerate it.
  typealias Adaptation = (JSONObject) -> JSONObject

  let probes: [Probe]

  /// - Parameters:
  ///   - checks: the checks that `evaluate` decides.
  ///   - others: the checks of the probes that `next` returns.
  ///   - alternative: the probes of another endpoint, if the response shows that the server has that endpoint instead
  ///     of this one; otherwise nil. They replace all checks of this endpoint.
  init(
    _ endpoints: EndpointPlan, _ part: ServicePart, _ path: ServicePath, body: JSONObject, checks: [ServiceCheck],
    others: [ServiceCheck] = [], isRepeatable: Bool = true,
    alternative: @escaping (ServiceExchange) -> [Probe]? = { _ in nil },
    evaluate: @escaping (ServiceExchange) -> [(check: ServiceCheck, finding: Finding)],
    next: @escaping (ServiceExchange, @escaping Adaptation) -> [Probe]
  ) {
    let requests = endpoints.requests
    let all = checks + others + [.extraData, endpoints.wrongCredentialCheck]
    guard endpoints.plan.selects(all, part, path) else {
      probes = []
      return
    }
    func request(_ body: JSONObject) -> Request {
      requests.request(.post, path, endpoints.credential, body: body, isRepeatable: isRepeatable)
    }
    /// Whether the key may be the cause of the response. It is not the cause of a 401, a 404 or a missing response.
    func mayDependOnKey(_ exchange: ServiceExchange) -> Bool {
      exchange.status.map { $0 != 200 && $0 != 401 && $0 != 404 } ?? false
    }
    let adding: Adaptation = { requests.addingExtraData(to: $0) }
    let unchanged: Adaptation = { $0 }
    func probeWithoutKey(responseWithKey: String) -> Probe {
      Probe(part, path, request(body)) { exchange in
        let finding: Finding =
          exchange.isSuccess
          ? .failed("without the unknown key, the response was 200; with it, \(responseWithKey)")
          : .noData
        return evaluate(exchange) + [(.extraData, finding)]
      } next: { exchange in
        next(exchange, unchanged)
      }
    }
    let first = Probe(part, path, request(adding(body))) { exchange in
      if mayDependOnKey(exchange) || alternative(exchange) != nil { return [] }
      let finding: Finding = exchange.isSuccess ? .passed : .noData
      return evaluate(exchange) + [(.extraData, finding)]
    } next: { exchange in
      if mayDependOnKey(exchange) { return [probeWithoutKey(responseWithKey: exchange.description)] }
      return alternative(exchange) ?? next(exchange, adding)
    }
    probes = [first]
  }
}
