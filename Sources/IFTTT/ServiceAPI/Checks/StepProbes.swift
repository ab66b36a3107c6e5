import HTTP
import JSON

/// The probes of one trigger, query or action.
struct StepProbes {
  let endpoints: EndpointPlan
  let kind: ServiceStepKind
  let slug: String

  private var plan: ServiceTestPlan { endpoints.plan }
  private var requests: ServiceRequests { endpoints.requests }
  private var path: ServicePath { kind.path(slug) }
  private var part: ServicePart {
    switch kind {
    case .triggers: .triggers
    case .queries: .queries
    case .actions: .actions
    }
  }
  private var definition: ServiceDefinition.Step? { plan.definition?.step(kind, slug) }
  private var sample: JSONObject? { endpoints.setup.sample(kind, slug) }
  private var hasFields: Bool {
    if let definition { return !definition.fields.isEmpty }
    let hasSkippedFields = kind == .actions && skippedFields != nil
    return sample.map { !$0.members.isEmpty } ?? hasSkippedFields
  }
  /// The fields with which the action must be skipped.
  private var skippedFields: JSONObject? { endpoints.setup.skipped.first { $0.slug == slug }?.fields }
  /// The checks that need rows in the first response.
  private var rowChecks: [ServiceCheck] {
    switch kind {
    case .triggers: [.threeItems, .newestFirst, .uniqueIDs, .timestamps, .ingredients]
    case .queries: [.ingredients]
    case .actions: [.actionOneItem, .actionID]
    }
  }

  /// The checks of further requests, which are sent only if the first response has rows.
  private var pageChecks: [ServiceCheck] {
    switch kind {
    case .triggers: [.at50Most, .stableIDs, .limitOne, .limitZero]
    case .queries: [.queryLimit, .cursor, .lastPage]
    case .actions: []
    }
  }

  var probes: [Probe] {
    let checks = [.response, .contentType] + rowChecks
    guard let fields = sample ?? (hasFields ? nil : [:]) else {
      // Without values for the fields, only record skipping can be tested.
      return recordSkipping { $0 }
    }
    return ExtraDataProbes(
      endpoints, part, path, body: body(fields, limit: 50), checks: checks,
      others: ServiceCheck.checks(of: part), isRepeatable: kind != .actions
    ) { exchange in
      evaluate(exchange)
    } next: { exchange, adapt in
      let rows = try? exchange.rows.get()
      return endpoints.rejection(part, path, adapt(body(fields, limit: 50)), isRepeatable: kind != .actions)
        + incomplete(fields, adapt, exchange)
        + (rows.map { follow(fields, $0, adapt) } ?? [])
        + recordSkipping(adapt)
    }.probes
  }

  private func body(_ fields: JSONObject?, limit: Int? = nil, cursor: String? = nil) -> JSONObject {
    requests.body(kind, slug, fields: fields, limit: kind == .actions ? nil : limit, cursor: cursor)
  }

  private func request(_ body: JSONObject) -> Request {
    requests.request(.post, path, endpoints.credential, body: body, isRepeatable: kind != .actions)
  }

  private func probe(
    _ check: ServiceCheck, _ body: JSONObject, _ evaluate: @escaping (ServiceExchange) -> Finding
  ) -> [Probe] {
    plan.selects([check], part, path) ? [Probe(part, path, request(body), check, evaluate)] : []
  }

  // MARK: The first response

  private func evaluate(_ exchange: ServiceExchange) -> [(check: ServiceCheck, finding: Finding)] {
    switch exchange.rows {
    case .failure(let error):
      return [(.response, .failed(error.message)), (.contentType, exchange.contentType)]
        + (rowChecks + pageChecks).map { ($0, .noData) }
    case .success(let rows):
      let findings: [(check: ServiceCheck, finding: Finding)] =
        switch kind {
        case .triggers: EventRules(rows).findings + [(.ingredients, ingredients(of: rows))]
        case .queries: [(.ingredients, ingredients(of: rows))]
        case .actions: ActionRules.findings(rows)
        }
      return [(.response, .passed), (.contentType, exchange.contentType)] + findings
    }
  }

  /// Checks that every row has all ingredients. Without a definition, they are those of the first row.
  private func ingredients(of rows: [JSONObject]) -> Finding {
    guard let first = rows.first else { return .skipped("there are no rows") }
    let expected = definition?.ingredients ?? first.members.map(\.key).filter { $0 != "meta" }
    for (index, row) in rows.enumerated() {
      if let missing = expected.first(where: { row[$0] == nil }) {
        return .failed("data[\(index)] has no \"\(missing)\"")
      }
    }
    return .passed
  }

  // MARK: Requests that must be rejected

  private func incomplete(
    _ fields: JSONObject, _ adapt: ExtraDataProbes.Adaptation, _ first: ServiceExchange
  ) -> [Probe] {
    guard hasFields else { return [] }
    func probe(_ check: ServiceCheck, without name: String, _ fields: JSONObject?) -> [Probe] {
      self.probe(check, adapt(body(fields, limit: 50))) { exchange in
        // A server that always fails with the same status rejects nothing.
        if let status = exchange.status, status >= 500, status == first.status {
          return .skipped("the endpoint always responds with \(status)")
        }
        guard case .failed(let message) = exchange.isRejected(with: 400) else { return .passed }
        return .failed("without \"\(name)\": \(message)")
      }
    }
    var probes = probe(.missingFields, without: kind.fieldsKey, nil)
    for field in definition?.fields ?? [] where field.isRequired && fields[field.slug] != nil {
      var rest = fields
      rest[field.slug] = nil
      probes += probe(.missingField, without: field.slug, rest)
    }
    return probes
  }

  private func recordSkipping(_ adapt: ExtraDataProbes.Adaptation) -> [Probe] {
    guard kind == .actions, let skippedFields else { return [] }
    return probe(.recordSkipping, adapt(body(skippedFields))) { exchange in
      // The documentation requires an action to be skipped for these values. IFTTT's own sample services run it.
      if case .success = exchange.rows { return .warning("the action ran instead of being skipped") }
      guard exchange.status == 400 else { return .failed("expected 400, but \(exchange.description)") }
      guard let error = exchange.errors.first else { return .failed("the body has no errors") }
      guard error["status"] == "SKIP" else { return .failed("errors[0].status is not \"SKIP\"") }
      return Finding(problem: error["message"]?.string == nil ? "errors[0].message is missing" : nil)
    }
  }

  // MARK: Limits and pages

  private func follow(
    _ fields: JSONObject, _ rows: [JSONObject], _ adapt: @escaping ExtraDataProbes.Adaptation
  ) -> [Probe] {
    switch kind {
    case .actions: return []
    case .queries:
      return QueryPageProbes(rows: rows, part: part, path: path, plan: plan) { limit, cursor in
        request(adapt(body(fields, limit: limit, cursor: cursor)))
      }.probes
    case .triggers:
      func count(_ exchange: ServiceExchange, _ problem: (Int) -> String?) -> Finding {
        switch exchange.rows {
        case .failure(let error): .failed(error.message)
        case .success(let rows): Finding(problem: problem(rows.count))
        }
      }
      var probes: [Probe] = []
      if plan.selects([.at50Most, .stableIDs], part, path) {
        probes.append(
          Probe(part, path, request(adapt(body(fields)))) { exchange in
            [
              (.at50Most, count(exchange) { $0 > 50 ? "\($0) events without a limit" : nil }),
              (.stableIDs, EventRules(rows).stability(in: exchange.rowList)),
            ]
          })
      }
      probes += probe(.limitOne, adapt(body(fields, limit: 1))) { exchange in
        rows.isEmpty ? .skipped("there are no events") : count(exchange) { $0 == 1 ? nil : "\($0) events" }
      }
      probes += probe(.limitZero, adapt(body(fields, limit: 0))) { exchange in
        count(exchange) { $0 == 0 ? nil : "\($0) events" }
      }
      if plan.selects([.deleteIdentity], part, path) {
        let identity = ServiceRequests.triggerIdentity(slug, fields)
        let request = requests.request(
          .delete, path.appending("trigger_identity", identity), endpoints.credential)
        probes.append(
          Probe(part, path, request, .deleteIdentity, isLast: true) { exchange in
            switch exchange.status {
            case (200..<300)?: .passed
            // A service may ignore identities.
            case 404, 405, 501: .warning("trigger identities are not deleted: \(exchange.description)")
            default: .failed("expected 200, but \(exchange.description)")
            }
          })
      }
      return probes
    }
  }
}

/// The probes of a query's pages.
struct QueryPageProbes {
  /// The maximum number of further pages to request.
  private static let pageLimit = 20

  /// The rows of the first response, which has a limit of 50.
  let rows: [JSONObject]
  let part: ServicePart
  let path: ServicePath
  let plan: ServiceTestPlan
  let request: (_ limit: Int, _ cursor: String?) -> Request

  var probes: [Probe] {
    guard plan.selects([.queryLimit, .cursor, .lastPage], part, path) else { return [] }
    return [
      Probe(part, path, request(1, nil)) { exchange in
        guard case .success(let page) = exchange.rows else {
          let finding = Finding.failed("limit 1: \(exchange.description)")
          return [(.queryLimit, finding), (.cursor, .skipped("the query with limit 1 failed"))]
        }
        let isSingle = rows.count <= 1
        return [
          (.queryLimit, Finding(problem: page.count > 1 ? "\(page.count) rows" : nil)),
          (
            .cursor,
            isSingle
              ? .skipped("there is only one row")
              : Finding(problem: exchange.cursor == nil ? "no cursor, although there are \(rows.count) rows" : nil)
          ),
        ] + (exchange.cursor == nil ? [(.lastPage, .skipped("there is no second page"))] : [])
      } next: { exchange in
        exchange.cursor.map { [page($0, seen: [])] } ?? []
      }
    ]
  }

  private func page(_ cursor: String, seen: Set<String>) -> Probe {
    Probe(part, path, request(50, cursor)) { exchange in
      guard case .success = exchange.rows else {
        return [(.lastPage, .failed("with the cursor of the page before: \(exchange.description)"))]
      }
      guard let next = exchange.cursor else { return [(.lastPage, .passed)] }
      if next == cursor || seen.contains(next) {
        return [(.lastPage, .failed("a page returned the cursor of an earlier page"))]
      }
      return seen.count >= Self.pageLimit ? [(.lastPage, .skipped("there are more than \(Self.pageLimit) pages"))] : []
    } next: { exchange in
      guard let next = exchange.cursor, next != cursor, !seen.contains(next), seen.count < Self.pageLimit else {
        return []
      }
      return [page(next, seen: seen.union([cursor]))]
    }
  }
}

/// The rules for the events that a trigger returns.
struct EventRules {
  private let rows: [JSONObject]
  private let metas: [JSONValue?]

  init(_ rows: [JSONObject]) {
    self.rows = rows
    metas = rows.map { $0["meta"] }
  }

  var findings: [(check: ServiceCheck, finding: Finding)] {
    [
      (.threeItems, Finding(problem: rows.count < 3 ? "\(rows.count) events" : nil)),
      (.newestFirst, order), (.uniqueIDs, ids), (.timestamps, timestamps),
    ]
  }

  private var ids: Finding {
    var seen: Set<String> = []
    for (index, meta) in metas.enumerated() {
      guard case .string(let id)? = meta?["id"], !id.isEmpty else {
        return .failed("data[\(index)].meta.id is not a string")
      }
      guard seen.insert(id).inserted else { return .failed("data[\(index)].meta.id is \"\(id)\" again") }
    }
    return .passed
  }

  /// Whether the next response has the same ids. Events may be added between the two responses.
  func stability(in next: [JSONObject]?) -> Finding {
    guard let next else { return .noData }
    if rows.isEmpty || next.isEmpty { return .skipped("there are no events") }
    let (ids, later) = (Set(rows.compactMap(\.eventID)), Set(next.compactMap(\.eventID)))
    if ids.isDisjoint(with: later) {
      return .warning("no event of the next response has the meta.id of an earlier one")
    }
    // Look for an event that is unchanged apart from a new id.
    for (index, row) in rows.enumerated() {
      guard let id = row.eventID, !later.contains(id) else { continue }
      let same = next.first { other in
        other.withoutEventID == row.withoutEventID && other.eventID.map { !ids.contains($0) } ?? false
      }
      if let new = same?.eventID {
        return .warning("data[\(index)].meta.id was \"\(id)\", and then \"\(new)\"")
      }
    }
    return .passed
  }

  /// Seconds have at most ten digits until the year 2286. Milliseconds have had more since April 1970.
  private static let firstMilliseconds = 10_000_000_000

  private var timestamps: Finding {
    for (index, meta) in metas.enumerated() {
      guard let value = meta?["timestamp"] else { return .failed("data[\(index)].meta.timestamp is missing") }
      guard let seconds = value.int else { return .failed("data[\(index)].meta.timestamp is not an integer") }
      if seconds >= Self.firstMilliseconds { return .failed("data[\(index)].meta.timestamp is in milliseconds") }
    }
    return .passed
  }

  private var order: Finding {
    let times = metas.map { $0?["timestamp"]?.double }
    for (index, pair) in zip(times, times.dropFirst()).enumerated() {
      if let newer = pair.0, let older = pair.1, older > newer {
        return .failed("data[\(index + 1)] is newer than data[\(index)]")
      }
    }
    return .passed
  }
}

/// The rules for the result of an action.
enum ActionRules {
  static func findings(_ rows: [JSONObject]) -> [(check: ServiceCheck, finding: Finding)] {
    [
      (.actionOneItem, Finding(problem: rows.count == 1 ? nil : "\(rows.count) items")),
      (.actionID, id(rows.first)),
    ]
  }

  private static func id(_ row: JSONObject?) -> Finding {
    guard let row else { return .skipped("there are no items") }
    guard case .string(let id)? = row["id"] else {
      return .failed(row["id"] == nil ? "data[0].id is missing" : "data[0].id is not a string")
    }
    return Finding(problem: id.isEmpty ? "data[0].id is empty" : nil)
  }
}

extension JSONObject {
  /// The id of an event, as a text.
  fileprivate var eventID: String? {
    switch self["meta"]?["id"] {
    case .string(let id)?: id
    case let id?: id.text
    case nil: nil
    }
  }

  fileprivate var withoutEventID: JSONObject {
    var row = self
    if case .object(var meta)? = row["meta"] {
      meta["id"] = nil
      row["meta"] = .object(meta)
    }
    return row
  }
}
