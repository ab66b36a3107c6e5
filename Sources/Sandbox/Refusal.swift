import JSON

/// An error answer.
struct Refusal: Error {
  let status: Int
  let code: String
  let message: String
  var assumption: Assumption? = .errorCodes
  var allowed: String?

  /// The form that connect-api.md, section 5, gives; in the older API without `details`, and with codes that nobody can
  /// take for IFTTT's, as none of them is known.
  func answer(in version: APIVersion) -> Answer {
    let isInvented = code.utf8.starts(with: "emulator_".utf8)
    var error: JSONObject = ["type": "error", "code": .string(code), "message": .string(message)]
    switch version {
    case .v1: if !isInvented { error["code"] = .string("emulator_\(code)") }
    case .v2: error["details"] = []
    }
    let gap = version == .v1 ? .olderAPI : assumption
    return Answer(
      status: status, body: JSONValue.object(error).bytes, assumptions: gap.map { [$0] } ?? [], allowed: allowed)
  }

  static let unknownConnection = Refusal(
    status: 404, code: "not_found", message: "Unknown connection id", assumption: nil)
  static let unknownApplet = Refusal(status: 404, code: "not_found", message: "Unknown service or applet id")
  static let unknownAccount = Refusal(
    status: 404, code: "not_found", message: "No account with this e-mail", assumption: .notFoundMessage)
  static let unknownPath = Refusal(
    status: 404, code: "emulator_unknown_path", message: "The sandbox serves nothing at this address")

  static func wrongMethod(allowed: String) -> Refusal {
    Refusal(
      status: 405, code: "emulator_wrong_method", message: "This address is used with \(allowed)", allowed: allowed)
  }

  /// Its body was seen, with an enable call without a usable token; its status was not.
  static func unauthorized(_ assumption: Assumption = .errorCodes) -> Refusal {
    Refusal(
      status: 401, code: "unauthorized", message: "Cannot uniquely identify user", assumption: assumption)
  }

  static func forbidden(_ message: String) -> Refusal {
    Refusal(status: 403, code: "emulator_forbidden", message: message)
  }

  static func badRequest(_ message: String, _ assumption: Assumption = .errorCodes) -> Refusal {
    Refusal(status: 400, code: "emulator_bad_request", message: message, assumption: assumption)
  }

  static let neverEnabled = Refusal(
    status: 403, code: "emulator_never_enabled", message: "This user never switched it on", assumption: .turning)
  static let pending = Refusal(
    status: 422, code: "emulator_pending", message: "This user's configuration was skipped and never made",
    assumption: .pendingRefusal)
}
