package import HTTP
package import JSON
import Text

/// Parsing of a response: the status first, then `type`. `"type":"error"` is always an error (docs/api/connect.md R11).
extension Response {
  /// The object in the body of a 2xx.
  /// - Parameters:
  ///   - isSecret: whether the body may contain a credential and so must not appear in an error.
  ///   - skipped: keys of members that are not needed.
  /// - Throws: ``APIError/response(_:)`` for an error, ``APIError/unreadable(status:problem:beginning:)`` for a 2xx
  ///   without a JSON object.
  package func object(isSecret: Bool = false, skipping skipped: [String] = []) throws(APIError) -> JSONObject {
    switch try accepted(isSecret: isSecret, skipping: skipped) {
    case .object(let object): return object
    case .other(let problem): throw unreadable(problem, isSecret: isSecret)
    }
  }

  /// The body of a 2xx, for endpoints whose response is undocumented (docs/api/connect.md R12).
  /// - Throws: ``APIError/response(_:)`` for an error.
  package func accepted(isSecret: Bool = false, skipping skipped: [String] = []) throws(APIError) -> ResponseBody {
    let content = ResponseBody(body, skipping: skipped)
    if case .object(let object) = content, object.text("type") == "error" || !isSuccess {
      throw .response(error(object, isSecret: isSecret))
    }
    guard isSuccess else { throw .response(error(JSONObject(), isSecret: isSecret)) }
    return content
  }

  /// Checks the status only, for endpoints whose response body does not matter.
  /// - Throws: ``APIError/response(_:)`` for any status except 2xx.
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
      details: object.members("details", skipped: &ignored) { detail, _ in
        let (parameter, message) = (detail.text("parameter"), detail.text("message"))
        return parameter == nil && message == nil
          ? nil : APIErrorResponse.Detail(parameter: parameter, message: message)
      },
      retryAfter: requestedDelay.map { Int(($0 + .milliseconds(999)).components.seconds) }
        ?? secondsOfRetryAfter,
      beginning: isSecret ? "" : beginningOf(body))
    failure.delivery = delivery
    return failure
  }

  /// The seconds of `Retry-After`; nil for a date, which no known response contains (docs/api/connect.md U8).
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
  /// A body that is not a JSON object, and the reason.
  case other(problem: String)

  init(_ body: [UInt8], skipping skipped: [String] = []) {
    guard !body.isEmpty else {
      self = .other(problem: "the body is empty")
      return
    }
    do throws(JSONError) {
      if case .object(let object) = try JSONValue(parsing: body, skipping: skipped) {
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
  /// The message in `{"errors":[{"message":"…"}]}`, the form of the Webhooks service (docs/api/service.md §11).
  fileprivate var firstMessage: String? { self["errors"]?.array?.first?["message"]?.string }
}

/// Lenient parsing of IFTTT's responses (docs/api/connect.md §10): a value of an unexpected type, or null, counts as
/// missing.
extension JSONObject {
  package func text(_ key: String) -> String? { self[key]?.string }
  package func identifier(_ key: String) -> String? { self[key]?.identifier }
  package func flag(_ key: String) -> Bool? { self[key]?.flag }
  package func integer(_ key: String) -> Int? { self[key]?.integer }
  package func object(_ key: String) -> JSONObject? { self[key]?.object }

  /// The usable members of an array; a missing array is empty. An element that is not an object, or for which `read`
  /// returns nil, is skipped on its own (docs/api/connect.md R5).
  package func members<Member>(
    _ key: String, skipped: inout SkippedElements, read: (JSONObject, inout SkippedElements) -> Member?
  ) -> [Member] {
    guard let elements = self[key]?.array else { return [] }
    var members: [Member] = []
    members.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      var inner = SkippedElements()
      if let object = element.object, let member = read(object, &inner) {
        members.append(member)
        skipped.add(inner, inside: "\(key)[\(index)]")
      } else {
        skipped.add("\(key)[\(index)]")
      }
    }
    return members
  }
}

extension JSONValue {
  /// A number, or a string that is spelled like one; never reformatted (docs/api/connect.md R3 and R9).
  package var lenientNumber: JSONNumber? {
    switch self {
    case .number(let number): return number
    case .string(let text):
      guard let first = text.utf8.first, first == UInt8(ascii: "-") || first.isDigit,
        let value = try? JSONValue(parsing: Array(text.utf8)), case .number(let number) = value
      else { return nil }
      return number
    default: return nil
    }
  }

  /// A whole number that fits into an `Int`.
  package var integer: Int? {
    lenientNumber.flatMap { number in number.int ?? number.double.flatMap(Int.init(exactly:)) }
  }
}

/// The unusable array elements that were skipped: their number, and the paths of the first ones.
package struct SkippedElements: Sendable, Equatable {
  package private(set) var count = 0
  /// The paths of the first eight elements: `services[1]`, `features[0].fields[2]`.
  package private(set) var paths: [String] = []

  package init() {}

  package var isEmpty: Bool { count == 0 }

  mutating func add(_ path: String) {
    count += 1
    if paths.count < SkippedElements.pathLimit { paths.append(path) }
  }

  /// Adds the elements that were skipped inside the element at `path`.
  package mutating func add(_ inner: SkippedElements, inside path: @autoclosure () -> String) {
    guard !inner.isEmpty else { return }
    count += inner.count
    let path = path()
    for innerPath in inner.paths.prefix(SkippedElements.pathLimit - paths.count) {
      paths.append("\(path).\(innerPath)")
    }
  }

  private static let pathLimit = 8
}
