package import HTTP
package import JSON

/// Parsing of a response: the status first, then `type`. `"type":"error"` is always an error (reference:
/// connect-api.md, section 10, rule 11).
extension Response {
  /// The object in the body of a 2xx.
  /// - Parameter isSecret: whether the body may contain a credential and so must not appear in an error.
  /// - Throws: ``APIError/answer(_:)`` for an error, ``APIError/unreadable(status:problem:beginning:)`` for a 2xx
  ///   without a JSON object.
  package func object(isSecret: Bool = false) throws(APIError) -> JSONObject {
    switch try accepted(isSecret: isSecret) {
    case .object(let object): return object
    case .other(let problem): throw unreadable(problem, isSecret: isSecret)
    }
  }

  /// The body of a 2xx, for endpoints whose response is undocumented (rule 12).
  /// - Throws: ``APIError/answer(_:)`` for an error.
  package func accepted(isSecret: Bool = false) throws(APIError) -> ResponseBody {
    let content = ResponseBody(body)
    if case .object(let object) = content, object.text("type") == "error" || !isSuccess {
      throw .answer(error(object, isSecret: isSecret))
    }
    guard isSuccess else { throw .answer(error(JSONObject(), isSecret: isSecret)) }
    return content
  }

  /// Checks the status only, for endpoints whose response body does not matter.
  /// - Throws: ``APIError/answer(_:)`` for any status except 2xx.
  package func succeeded() throws(APIError) {
    if !isSuccess { _ = try accepted() }
  }

  /// The error in a response whose body is passed on unchanged, from the status or the member `type`; nil if there is
  /// none. A successful body is not parsed into memory.
  package func printedError() -> APIError? {
    if isSuccess {
      let isError = body.withUnsafeBytes { bytes -> Bool in
        var scanner = JSONScanner(bytes)
        guard scanner.next == UInt8(ascii: "{"), let type = try? scanner.value(of: Array("type".utf8)) else {
          return false
        }
        return scanner.slice(type).elementsEqual("\"error\"".utf8)
      }
      guard isError else { return nil }
    }
    do throws(APIError) { _ = try accepted() } catch { return error }
    return nil
  }

  /// An error for a 2xx that is JSON, but not the expected result.
  package func unreadable(_ problem: String, isSecret: Bool = false) -> APIError {
    .unreadable(status: status, problem: problem, beginning: isSecret ? "" : beginningOf(body), delivery)
  }

  private var isSuccess: Bool { (200..<300).contains(status) }

  private func error(_ object: JSONObject, isSecret: Bool) -> APIErrorResponse {
    var ignored = SkippedElements()
    var failure = APIErrorResponse(
      status: status, code: object.text("code"), message: object.text("message") ?? object.firstMessage,
      details: object.members("details", dropped: &ignored) { detail, _ in
        let (parameter, message) = (detail.text("parameter"), detail.text("message"))
        return parameter == nil && message == nil
          ? nil : APIErrorResponse.Detail(parameter: parameter, message: message)
      },
      retryAfter: patience.map { Int(($0 + .milliseconds(999)).components.seconds) }
        ?? secondsOfRetryAfter,
      beginning: isSecret ? "" : beginningOf(body))
    failure.delivery = delivery
    return failure
  }

  /// IFTTT was never seen to send a date (U8).
  private var secondsOfRetryAfter: Int? {
    if case .seconds(let seconds) = retryAfter { seconds } else { nil }
  }

  private var delivery: ResponseMetadata {
    ResponseMetadata(attempts: attempts, requestID: header("X-Request-ID").map { String($0.prefix(200)) })
  }
}

/// The body of a response.
package enum ResponseBody: Sendable, Equatable {
  case object(JSONObject)
  /// Not a JSON object, and why.
  case other(problem: String)

  init(_ body: [UInt8]) {
    guard !body.isEmpty else {
      self = .other(problem: "the body is empty")
      return
    }
    do throws(JSONError) {
      if case .object(let object) = try JSONValue(parsing: body) {
        self = .object(object)
      } else {
        self = .other(problem: "it is not a JSON object")
      }
    } catch {
      self = .other(problem: "it is not JSON: \(error)")
    }
  }
}

extension JSONObject {
  /// The message in `{"errors":[{"message":"…"}]}`, the form of the Webhooks service (reference: service-api.md,
  /// section 11).
  fileprivate var firstMessage: String? { self["errors"]?.array?.first?["message"]?.string }
}
