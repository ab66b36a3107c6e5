import JSON

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

  /// The error object described in connect-api.md, section 5. In the older API it has no `details`. Its codes are
  /// unmistakably the emulator's own, because none of IFTTT's codes for that API are known.
  func answer(in version: APIVersion) -> EmulatorResponse {
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

  static func unknownPart(_ what: String) -> ErrorResponse {
    ErrorResponse(
      status: 404, code: "not_found", message: "This connection has no such \(what)", assumption: .notFoundMessage)
  }

  static func neverEnabled(_ assumption: Assumption = .notEnabled) -> ErrorResponse {
    ErrorResponse(
      status: 403, code: "emulator_never_enabled", message: "This user has never enabled it", assumption: assumption)
  }
  static let notEnabled = ErrorResponse(
    status: 403, code: "emulator_not_enabled", message: "This user has disabled it", assumption: .notEnabled)
  static let pending = ErrorResponse(
    status: 422, code: "emulator_pending", message: "This user's configuration was skipped and is still pending",
    assumption: .pendingRefusal)
}
