import HTTP
import JSON

/// The probes of the validation of a trigger's fields: one request for each field, or, with contextual validation, one
/// for all of them.
struct ValidationProbes {
  private let endpoints: EndpointPlan
  private let trigger: String
  private let samples: [Sample]

  /// A valid and an invalid value of a field.
  private struct Sample {
    let field: String
    let valid: JSONValue
    let invalid: JSONValue
  }

  init(endpoints: EndpointPlan, trigger: String) {
    (self.endpoints, self.trigger) = (endpoints, trigger)
    samples = endpoints.setup.validations.filter { $0.trigger == trigger }.compactMap { sample in
      guard let valid = sample.valid, let invalid = sample.invalid else { return nil }
      return Sample(field: sample.field, valid: valid, invalid: invalid)
    }
  }

  private var plan: ServiceTestPlan { endpoints.plan }
  private var defined: ServiceDefinition.Step? { plan.definition?.step(.triggers, trigger) }

  var probes: [Probe] {
    guard !samples.isEmpty else { return [] }
    guard let defined else { return withoutDefinition }
    return defined.isContextual ? together() : samples.flatMap { single($0) }
  }

  /// Without a definition, a 404 for the first field may mean that the fields are validated together. If that leads to
  /// 404 too, the fields are tested one by one, because that is what most services do.
  private var withoutDefinition: [Probe] {
    let checks = ServiceCheck.checks(of: .validation)
    let selected = samples.filter { plan.selects(checks, .validation, path(of: $0)) }
    guard let first = selected.first else { return together { $0.status == 404 ? [] : nil } }
    return single(first, others: selected.dropFirst().flatMap { single($0) }) { exchange in
      guard exchange.status == 404 else { return nil }
      let probes = together { $0.status == 404 ? selected.flatMap { single($0) } : nil }
      return probes.isEmpty ? nil : probes
    }
  }

  // MARK: One request for each field

  private func path(of sample: Sample) -> ServicePath { .validation(of: sample.field, in: trigger) }

  /// - Parameter others: the probes of other fields, which follow the first response.
  private func single(
    _ sample: Sample, others: [Probe] = [], alternative: @escaping (ServiceExchange) -> [Probe]? = { _ in nil }
  ) -> [Probe] {
    let (path, body) = (path(of: sample), ["value": sample.valid] as JSONObject)
    return ExtraDataProbes(
      endpoints, .validation, path, body: body, checks: [.contentType, .validValue],
      others: [.invalidValue, .validationMessage], alternative: alternative
    ) { exchange in
      let validity: Finding =
        switch exchange.data {
        case .failure(let error): .failed(error.message)
        case .success(let data): ValidationResult(path: "data", value: data).finding(expected: true)
        }
      return [(.contentType, exchange.contentType), (.validValue, validity)]
    } next: { _, adapt in
      endpoints.rejection(.validation, path, adapt(body))
        + invalid(path, adapt(["value": sample.invalid]))
        + others
    }.probes
  }

  // MARK: One request for all fields

  private func together(alternative: @escaping (ServiceExchange) -> [Probe]? = { _ in nil }) -> [Probe] {
    let path = ServicePath.contextualValidation(of: trigger)
    var values = endpoints.setup.sample(.triggers, trigger) ?? [:]
    for sample in samples { values[sample.field] = sample.valid }
    let body: JSONObject = ["values": .object(values)]
    return ExtraDataProbes(
      endpoints, .validation, path, body: body, checks: [.contentType, .fieldResults, .validValue],
      others: [.invalidValue, .validationMessage], alternative: alternative
    ) { exchange in
      [(.contentType, exchange.contentType)] + findings(of: exchange)
    } next: { first, adapt in
      endpoints.rejection(.validation, path, adapt(body))
        + samples.filter { hasResult($0, in: first) }.flatMap { sample in
          var values = values
          values[sample.field] = sample.invalid
          return invalid(path, adapt(["values": .object(values)]), of: sample.field)
        }
    }.probes
  }

  private func hasResult(_ sample: Sample, in exchange: ServiceExchange) -> Bool {
    (try? exchange.data.get())?[sample.field]?.object != nil
  }

  /// The findings about the response to valid values.
  private func findings(of exchange: ServiceExchange) -> [(check: ServiceCheck, finding: Finding)] {
    let untested = samples.filter { !hasResult($0, in: exchange) }.flatMap { sample in
      [ServiceCheck.invalidValue, .validationMessage].map { check in
        (check: check, finding: Finding.skipped("there is no result for \"\(sample.field)\""))
      }
    }
    switch exchange.data {
    case .failure(let error): return [(.fieldResults, .noData), (.validValue, .failed(error.message))] + untested
    case .success(let data):
      let results = (data.object?.members ?? []).filter { $0.value.object != nil }
      let names = defined?.fields.filter(\.isValidated).map(\.slug) ?? samples.map(\.field)
      let missing = names.filter { name in !results.contains { $0.key == name } }
      let problems = results.compactMap { key, value in
        ValidationResult(path: "data.\(key)", value: value).finding(expected: true).message
      }
      let isComplete = Finding(
        problem: missing.isEmpty ? nil : "data has no result for \(missing.map { "\"\($0)\"" }.joined(separator: ", "))"
      )
      let isValid: Finding =
        results.isEmpty
        ? .skipped("there are no results")
        : Finding(problem: problems.isEmpty ? nil : problems.joined(separator: "; "))
      return [(.fieldResults, isComplete), (.validValue, isValid)] + untested
    }
  }

  // MARK: Invalid values

  /// The probe with an invalid value.
  /// - Parameter field: the field that has the value, if `data` has a result for each field.
  private func invalid(_ path: ServicePath, _ body: JSONObject, of field: String? = nil) -> [Probe] {
    guard plan.selects([.invalidValue, .validationMessage], .validation, path) else { return [] }
    let request = endpoints.requests.request(.post, path, endpoints.credential, body: body)
    return [
      Probe(.validation, path, request) { exchange in
        switch exchange.data {
        case .failure(let error):
          let prefix = field.map { "with an invalid \"\($0)\": " } ?? ""
          return [(.invalidValue, .failed(prefix + error.message)), (.validationMessage, .noData)]
        case .success(let data):
          let result = ValidationResult(
            path: field.map { "data.\($0)" } ?? "data", value: field.map { data[$0] ?? .null } ?? data)
          return [(.invalidValue, result.finding(expected: false)), (.validationMessage, result.message)]
        }
      }
    ]
  }
}

/// A server's result for one value: whether it is valid, and the reason if it is not.
struct ValidationResult {
  /// The path in the response, such as `data.lamp`.
  let path: String
  let value: JSONValue

  /// Whether the result is as expected.
  func finding(expected: Bool) -> Finding {
    guard case .bool(let flag)? = value["valid"] else { return .failed("\(path).valid is neither true nor false") }
    return flag == expected ? .passed : .failed("\(path).valid is \(flag)")
  }

  /// Whether a value that is not valid has a message.
  var message: Finding {
    guard value["valid"] == .bool(false) else { return .skipped("the value was not rejected") }
    guard case .string(let text)? = value["message"], !text.isEmpty else {
      return .failed("\(path).message is missing, empty or not a text")
    }
    return .passed
  }
}
