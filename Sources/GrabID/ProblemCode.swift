/// One of the program's error codes. Codes from the host are passed on unchanged.
package struct ProblemCode: Sendable, Hashable, RawRepresentable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let refused = ProblemCode(rawValue: "refused")
  package static let conflict = ProblemCode(rawValue: "conflict")
  package static let invalidParameters = ProblemCode(rawValue: "invalid_parameters")
  package static let userCancelled = ProblemCode(rawValue: "user_cancelled")
  package static let authorizationFailed = ProblemCode(rawValue: "authorization_failed")
  package static let unknownRedirect = ProblemCode(rawValue: "unknown_redirect")
  package static let stateMismatch = ProblemCode(rawValue: "state_mismatch")
  package static let pluginFailed = ProblemCode(rawValue: "plugin_failed")
  package static let usage = ProblemCode(rawValue: "usage")
  package static let notFound = ProblemCode(rawValue: "not_found")
  package static let credentialsMissing = ProblemCode(rawValue: "credentials_missing")
  package static let unauthorized = ProblemCode(rawValue: "unauthorized")
  package static let forbidden = ProblemCode(rawValue: "forbidden")
  package static let network = ProblemCode(rawValue: "network")
  package static let timeout = ProblemCode(rawValue: "timeout")
  package static let rateLimited = ProblemCode(rawValue: "rate_limited")
  package static let serverError = ProblemCode(rawValue: "server_error")
  package static let badResponse = ProblemCode(rawValue: "bad_response")
  package static let tls = ProblemCode(rawValue: "tls")
}
