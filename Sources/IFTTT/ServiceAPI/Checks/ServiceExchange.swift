package import HTTP
package import JSON
package import Text

/// A request to a partner's server and its result.
package struct ServiceExchange: Sendable {
  package let request: Request
  package let result: Result<Response, HTTPError>
  package let time: Duration
  /// Credentials of other requests, which the response may repeat.
  private let otherSecrets: [Secret]

  package init(
    request: Request, result: Result<Response, HTTPError>, time: Duration = .zero, otherSecrets: [Secret] = []
  ) {
    (self.request, self.result, self.time, self.otherSecrets) = (request, result, time, otherSecrets)
  }

  /// All credentials that the response may repeat. A credential that is wrong on purpose is not a secret.
  package var secrets: [Secret] { (request.secrets + otherSecrets).filter { $0 != ServiceTestPlan.wrongCredential } }

  package var status: Int? { try? result.get().status }
  package var requestID: String? { request.header("X-Request-ID") }

  var isSuccess: Bool { status == 200 }

  /// The JSON object in the body; nil if there is none.
  var object: JSONObject? {
    guard let body = try? result.get().body else { return nil }
    return (try? JSONValue(parsing: body))?.object
  }

  /// A description of the response, for a check that expected another response.
  package var description: String {
    switch result {
    case .failure(.transport(let error, _, _)): return "no response: \(error.message)"
    case .failure(.redirect(let reason)): return reason
    case .failure(.interrupted): return "interrupted"
    case .failure(.skipped): return "not sent, because the server cannot be reached"
    case .success(let response):
      let location = 300..<400 ~= response.status ? response.header("Location").map { "a redirect to \($0)" } : nil
      let text = location ?? errorMessages.first ?? beginning
      return "the response was \(response.status)" + (text.isEmpty ? "" : ": \(text)")
    }
  }

  /// The rows of a successful response; nil if it cannot be read.
  package var rowList: [JSONObject]? { try? rows.get() }
  /// The reason why the rows cannot be read; nil if they can.
  package var rowProblem: String? { if case .failure(let error) = rows { error.message } else { nil } }
  /// The cursor of a query's next page; nil also for null and an empty text.
  package var cursor: String? { object?["cursor"]?.string.flatMap { $0.isEmpty ? nil : $0 } }

  /// The access token in a successful response to `test/setup`; nil without one.
  package var setupToken: Secret? { (try? data.get())?["accessToken"]?.string.flatMap { Secret(parsing: $0) } }

  /// The messages of `errors`.
  var errorMessages: [String] { shownErrors.compactMap { $0["message"]?.string }.filter { !$0.isEmpty } }
  var errors: [JSONValue] { object?["errors"]?.array ?? [] }
  private var shownErrors: [JSONValue] { (try? JSONValue(parsing: shownBody))?["errors"]?.array ?? [] }

  /// The beginning of the response's body in one line, with credentials masked.
  var beginning: String {
    let line = Self.text(of: shownBody.prefix(400)).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.count > 120 ? "\(line.prefix(120))…" : line
  }

  /// The response's body with credentials masked: the credentials of the request, and those that the server issues.
  package var shownBody: [UInt8] {
    guard let body = try? result.get().body else { return [] }
    var redactor = ExchangeRedactor()
    redactor.learn(secrets)
    return redactor.masked(body)
  }

  private static func text(of bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}

// MARK: Rules that many endpoints share

extension ServiceExchange {
  /// The value of `data` in a response with 200, or the problem of the response.
  var data: Result<JSONValue, FindingError> {
    guard case .success(let response) = result, response.status == 200 else {
      return .failure(FindingError("expected 200, but \(description)"))
    }
    do throws(JSONError) {
      guard case .object(let object) = try JSONValue(parsing: response.body) else {
        return .failure(FindingError("the body is not a JSON object: \(beginning)"))
      }
      guard let data = object["data"] else { return .failure(FindingError("the body has no \"data\"")) }
      return .success(data)
    } catch {
      let body = response.body.isEmpty ? "it is empty" : "\(error); it begins: \(beginning)"
      return .failure(FindingError("the body is not JSON: \(body)"))
    }
  }

  /// The objects in `data`.
  var rows: Result<[JSONObject], FindingError> {
    data.flatMap { data in
      guard case .array(let elements) = data else { return .failure(FindingError("\"data\" is not an array")) }
      let rows = elements.compactMap(\.object)
      return rows.count == elements.count
        ? .success(rows) : .failure(FindingError("an element of \"data\" is not an object"))
    }
  }

  /// Whether a response with 200 has the content type of JSON in UTF-8.
  var contentType: Finding {
    guard case .success(let response) = result, response.status == 200 else { return .noData }
    guard let value = response.header("Content-Type") else { return .failed("the response has no Content-Type") }
    let parts = value.split(separator: ";").map { part in
      part.lowercased().filter { !$0.isWhitespace && $0 != "\"" }
    }
    let charsets = parts.dropFirst().filter { $0.hasPrefix("charset=") }
    guard parts.first == "application/json", charsets.allSatisfy({ $0 == "charset=utf-8" }) else {
      return .failed("the content type is \(value)")
    }
    // Many frameworks omit the charset, because JSON is always UTF-8 (RFC 8259, section 11). IFTTT has published
    // services that omit it.
    return charsets.isEmpty ? .warning("the content type is \(value), without charset=utf-8") : .passed
  }

  /// Whether the request was rejected with a status and a message for the user.
  func isRejected(with status: Int, needsErrors: Bool = true) -> Finding {
    guard self.status == status else { return .failed("expected \(status), but \(description)") }
    guard !needsErrors || !errorMessages.isEmpty else {
      return .failed("the response was \(status), but its body has no errors with a message")
    }
    return .passed
  }
}

/// The reason why a response is not as expected.
struct FindingError: Error {
  let message: String
  init(_ message: String) { self.message = message }
}

/// The result of one check at one endpoint.
package struct ServiceCheckResult: Sendable {
  package enum Outcome: String, Sendable, CaseIterable { case passed, failed, skipped, warning }

  package let check: ServiceCheck
  package let part: ServicePart
  package let endpoint: ServicePath
  package let outcome: Outcome
  /// The deviation, or the reason why the check was skipped; nil if it passed.
  package let message: String?
  /// The exchange that decided the check; nil if no request was sent.
  package let exchange: ServiceExchange?

  package init(
    check: ServiceCheck, part: ServicePart, endpoint: ServicePath, outcome: Outcome, message: String?,
    exchange: ServiceExchange? = nil
  ) {
    (self.check, self.part, self.endpoint) = (check, part, endpoint)
    (self.outcome, self.message, self.exchange) = (outcome, message, exchange)
  }
}

/// The outcome of a check, with its message.
package enum Finding: Sendable, Equatable {
  case passed
  case failed(String)
  case warning(String)
  case skipped(String)

  static let noData = Finding.skipped("the endpoint did not return data")

  /// Passed if there is no problem.
  init(problem: String?) { self = problem.map(Finding.failed) ?? .passed }

  var outcome: ServiceCheckResult.Outcome {
    switch self {
    case .passed: .passed
    case .failed: .failed
    case .warning: .warning
    case .skipped: .skipped
    }
  }

  var message: String? {
    switch self {
    case .passed: nil
    case .failed(let message), .warning(let message), .skipped(let message): message
    }
  }
}
