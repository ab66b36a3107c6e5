import HTTP
import JSON

/// The first probe of an endpoint. Its body has a random key, as in all of IFTTT's tests. If it fails, the probe is
/// sent again without the key, which shows whether the key is the reason. If so, only `with-extra-data` fails. The other
/// checks of the endpoint are then made without the key, so that none of them can fail because of it.
struct ExtraDataProbes {
  /// Adds the random key to a body, unless the endpoint does not tolerate it.
  typealias Adaptation = (JSONObject) -> JSONObject

  let probes: [Probe]

  /// - Parameters:
  ///   - checks: the checks that `evaluate` decides.
  ///   - others: the checks of the probes that `next` returns.
  ///   - alternative: the probes of another endpoint, if the response shows that the server has that one instead. The
  ///     checks are then made there.
  init(
    _ endpoints: EndpointPlan, _ part: ServicePart, _ path: ServicePath, body: JSONObject, checks: [ServiceCheck],
    others: [ServiceCheck] = [], isRepeatable: Bool = true,
    alternative: @escaping (ServiceExchange) -> [Probe]? = { _ in nil },
    evaluate: @escaping (ServiceExchange) -> [(check: ServiceCheck, finding: Finding)],
    next: @escaping (ServiceExchange, @escaping Adaptation) -> [Probe]
  ) {
    let requests = endpoints.requests
    let all = checks + others + [.extraData, endpoints.wrongCredentialCheck]
    guard endpoints.plan.wants(all, part, path) else {
      probes = []
      return
    }
    func request(_ body: JSONObject) -> Request {
      requests.request(.post, path, endpoints.credential, body: body, isRepeatable: isRepeatable)
    }
    /// Only a response can depend on the key. A 401 or 404 does not.
    func mayDependOnKey(_ exchange: ServiceExchange) -> Bool {
      exchange.status.map { $0 != 200 && $0 != 401 && $0 != 404 } ?? false
    }
    let adding: Adaptation = { requests.addingExtraData(to: $0) }
    let unchanged: Adaptation = { $0 }
    func withoutKey(_ withKey: String) -> Probe {
      Probe(part, path, request(body)) { plain in
        let finding: Finding =
          plain.isSuccess
          ? .failed("without the unknown key, the response was 200; with it, \(withKey)")
          : .noData
        return evaluate(plain) + [(.extraData, finding)]
      } next: { plain in
        next(plain, unchanged)
      }
    }
    let first = Probe(part, path, request(adding(body))) { exchange in
      if mayDependOnKey(exchange) || alternative(exchange) != nil { return [] }
      let finding: Finding = exchange.isSuccess ? .passed : .noData
      return evaluate(exchange) + [(.extraData, finding)]
    } next: { exchange in
      if mayDependOnKey(exchange) { return [withoutKey(exchange.description)] }
      return alternative(exchange) ?? next(exchange, adding)
    }
    probes = [first]
  }
}
