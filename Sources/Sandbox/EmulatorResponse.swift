import HTTP
import JSON

/// The emulator's response, before it is converted to an HTTP response.
struct EmulatorResponse {
  var status = 200
  var body: [UInt8] = []
  var assumptions: [Assumption] = []
  /// The allowed methods, if the request used another one.
  var allowed: String?
  /// The media type of the body, if there is one.
  var mediaType = "application/json; charset=utf-8"
  /// Additional header fields, sent unchanged.
  var fields: [HeaderField] = []

  /// A redirect of a browser. It is not stored, and the other site does not learn the address of the page.
  static func redirect(to location: String) -> EmulatorResponse {
    var response = EmulatorResponse(status: 303)
    response.fields = [
      .init("Location", location), .init("Cache-Control", "no-store"), .init("Referrer-Policy", "no-referrer"),
    ]
    return response
  }
}

/// Behavior of the real API that no source documents. Each case has its number in `docs/api` (docs/api/README.md §9).
/// Every response that relies on one has this number in the header `X-Emulator-Assumption`.
enum Assumption: Int {
  /// U1: The codes of most errors, and the statuses of errors whose body is known.
  case errorCodes = 1
  /// U2: The response to replacing a configuration.
  case replacementResponse = 2
  /// U3: The response to the deprecated update.
  case updateResponse = 3
  /// U4: A pending connection appears as enabled, without features.
  case pendingStatus = 4
  /// U5: The requests that are rejected while a connection is pending.
  case pendingRejection = 5
  /// U6: The response for users who have not enabled the connection.
  case notEnabled = 6
  /// U7: Enabling a connection that was never enabled, and enabling or disabling it twice.
  case statusChange = 7
  /// U9: The identity without credentials, or with a user id that is unknown to IFTTT.
  case identity = 9
  /// U10: The body of the response to usage events.
  case eventsResponse = 10
  /// U11: `account/find` without an email address.
  case accountLookup = 11
  /// U12: The result passed to the Connect URL's `redirect_uri`.
  case connectRedirect = 12
  /// U13: The redirect URIs that are accepted.
  case redirectMatching = 13
  /// U15: The formats of values in a configuration.
  case valueFormats = 15
  /// U16: Distinguishing two user features of the same feature.
  case sameFeature = 16
  /// U18: The response of the Realtime API.
  case realtimeResponse = 18
  /// U23: Order and errors in the older API.
  case olderAPI = 23
  /// U25: A request id in every response.
  case requestID = 25
  /// U26: The errors of a token exchange.
  case exchangeFailure = 26
  /// U27: The message of some 404 responses, and most contents of `details`.
  case notFoundMessage = 27
  /// U28: If a request has both a token and a key, the token is used.
  case tokenBeforeKey = 28
}

/// An error response.
struct ErrorResponse: Error {
  let status: Int
  let code: String
  let message: String
  var assumption: Assumption? = .errorCodes
  var allowed: String?
  /// The invalid parts of the request, each as a JSON pointer (RFC 6901) into the body with the reason.
  var details: [Detail] = []

  struct Detail: Equatable {
    let parameter: String
    let message: String
  }

  /// Returns the error object described in docs/api/connect.md §5. In the older API it has no `details`, and all its
  /// codes begin with `emulator_`, because IFTTT's codes for that API are unknown.
  func response(in version: APIVersion) -> EmulatorResponse {
    let isInvented = code.utf8.starts(with: "emulator_".utf8)
    var error: JSONObject = ["type": "error", "code": .string(code), "message": .string(message)]
    switch version {
    case .v1: if !isInvented { error["code"] = .string("emulator_\(code)") }
    case .v2, .location:
      error["details"] = .array(
        details.map { ["parameter": .string($0.parameter), "message": .string($0.message)] })
    }
    let gap = version == .v1 ? .olderAPI : assumption
    return EmulatorResponse(
      status: status, body: JSONValue.object(error).bytes, assumptions: gap.map { [$0] } ?? [], allowed: allowed)
  }

  static let unknownConnection = ErrorResponse(
    status: 404, code: "not_found", message: "Unknown connection id", assumption: nil)
  static let unknownApplet = ErrorResponse(status: 404, code: "not_found", message: "Unknown service or applet id")
  static let unknownAccount = ErrorResponse(
    status: 404, code: "not_found", message: "No account with this email", assumption: .notFoundMessage)
  static let unknownAccountWithPlus = ErrorResponse(
    status: 404, code: "not_found",
    message: "No account with this email: a raw + in a query is decoded as a space; write %2B",
    assumption: .notFoundMessage
  )
  static let unknownPath = ErrorResponse(
    status: 404, code: "emulator_unknown_path", message: "The sandbox has no endpoint at this path")

  static func wrongMethod(allowed: String) -> ErrorResponse {
    ErrorResponse(
      status: 405, code: "emulator_wrong_method", message: "This endpoint accepts only \(allowed)", allowed: allowed)
  }

  /// The 401 response. Its body was observed on an enable request without a usable token; its status was not.
  static func unauthorized(_ assumption: Assumption = .errorCodes) -> ErrorResponse {
    ErrorResponse(
      status: 401, code: "unauthorized", message: "Cannot uniquely identify user", assumption: assumption)
  }

  static func forbidden(_ message: String) -> ErrorResponse {
    ErrorResponse(status: 403, code: "emulator_forbidden", message: message)
  }

  static func badRequest(_ message: String, _ assumption: Assumption = .errorCodes) -> ErrorResponse {
    ErrorResponse(status: 400, code: "emulator_bad_request", message: message, assumption: assumption)
  }

  static func invalidParameters(_ details: [Detail], _ assumption: Assumption? = .notFoundMessage) -> ErrorResponse {
    ErrorResponse(
      status: 422, code: "invalid_parameters", message: "The parameters of your request were invalid",
      assumption: assumption, details: details)
  }

  static func unknownPart(_ part: String) -> ErrorResponse {
    ErrorResponse(
      status: 404, code: "not_found", message: "This connection has no such \(part)", assumption: .notFoundMessage)
  }

  static func neverEnabled(_ assumption: Assumption = .notEnabled) -> ErrorResponse {
    ErrorResponse(
      status: 403, code: "emulator_never_enabled", message: "This user has never enabled it", assumption: assumption)
  }
  static let notEnabled = ErrorResponse(
    status: 403, code: "emulator_not_enabled", message: "This user has disabled it", assumption: .notEnabled)
  static let pending = ErrorResponse(
    status: 422, code: "emulator_pending", message: "This user's configuration was skipped and is still pending",
    assumption: .pendingRejection)
}
