import HTTP

/// The meanings of the statuses of errors (docs/api/connect.md §5).
enum DescribedStatus {
  static let unauthorized = "The credentials are missing or invalid"

  static func summary(_ status: Int) -> String {
    switch status {
    case 400: "The request is malformed"
    case 401: unauthorized
    case 403: "The credentials do not allow this request"
    case 404: "The id is unknown, or not visible with these credentials"
    case 422: "A parameter is invalid"
    default: "The service's server failed"
    }
  }
}

extension APIResponse {
  static func json(_ schema: String, _ status: Int = 200) -> APIResponse {
    APIResponse(status, status == 201 ? "Created" : "OK", schema: schema)
  }

  static func empty(_ summary: String) -> APIResponse { APIResponse(204, summary) }
}

extension [APIResponse] {
  static func errors(_ statuses: Int...) -> [APIResponse] { errors(statuses) }

  static func errors(_ statuses: [Int], schema: String = "Error") -> [APIResponse] {
    statuses.map { APIResponse($0, DescribedStatus.summary($0), schema: schema) }
  }

  /// The errors of the older API.
  static func olderErrors(_ statuses: Int...) -> [APIResponse] { errors(statuses, schema: "AppletError") }
}
