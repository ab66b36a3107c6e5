package import HTTP
package import JSON
import Text

/// A request that IFTTT sends to the server of a partner service. The emulator does not know the server's address or
/// service key; its host adds them.
package struct PartnerRequest: Sendable, Equatable {
  package let id: Int
  package let call: PartnerCall
  /// The token of the user for whom it is sent; nil to send the service key.
  package let accessToken: String?
  /// Set if the request is a refresh of an access token with this refresh token, which its host sends to the token URL.
  package var refreshToken: String?
}

/// The contents of a request to a partner's server.
package struct PartnerCall: Sendable, Equatable {
  package let method: Method
  /// The path segments below `/ifttt/v1`.
  package let path: [String]
  package var body: JSONObject?
  /// The id of a request that is on record already, and whose body is sent as it is; nil for a new id.
  package var requestID: String?
  /// Whether a Realtime notification caused the request.
  package var isRealtime = false
  /// Whether it is authorized as the user. Otherwise, it has the service key.
  var isForUser = true
  /// The user's id in the partner service; nil if it is unknown.
  var user: String?
  var connection: String?

  var endpoint: String { path.joined(separator: "/") }

  /// Identifies the call among those that one received request leads to.
  var key: String { "\(method.rawValue) \(endpoint) \(user ?? "") \(JSONValue.object(body ?? [:]).text)" }
}

/// The response to a request to a partner's server.
package enum PartnerResponse: Sendable, Equatable {
  case response(status: Int, body: [UInt8])
  /// There was no response, for this reason.
  case failure(String)

  var status: Int? { if case .response(let status, _) = self { status } else { nil } }

  /// C8: Any 2xx is a success where IFTTT needs no body.
  var isSuccess: Bool { status.map { 200..<300 ~= $0 } == true }

  private var object: JSONObject? {
    guard case .response(_, let body) = self else { return nil }
    return (try? JSONValue(parsing: body))?.object
  }

  /// The value of `data` in a response with 200.
  var data: JSONValue? { status == 200 ? object?["data"] : nil }
  /// The page cursor of a query's response.
  var cursor: String? { object?["cursor"]?.string.flatMap { $0.isEmpty ? nil : $0 } }
  /// The objects in `data` of a response with 200.
  var rows: [JSONObject]? { data?.array?.compactMap(\.object) }

  /// The tokens in the response to a refresh.
  var tokens: (access: String, refresh: String?)? {
    guard status == 200, let access = object?["access_token"]?.string, !access.isEmpty else { return nil }
    return (access, object?["refresh_token"]?.string.flatMap { $0.isEmpty ? nil : $0 })
  }
  /// All tokens in the response, whether the refresh succeeded or not.
  var namedTokens: [String] { ["access_token", "refresh_token"].compactMap { object?[$0]?.string } }
  /// Why a refresh failed, for people. An OAuth server names the error with a word.
  var refreshProblem: String {
    if let word = object?["error"]?.string, !word.isEmpty { return word }
    return status == 200 ? "the response has no access_token" : problem
  }

  private var errors: [JSONValue] { object?["errors"]?.array ?? [] }
  private var message: String? { errors.lazy.compactMap { $0["message"]?.string }.first { !$0.isEmpty } }

  /// The message of a response that skips the event; nil if the response does not. The status must be exactly 400 and
  /// the word exactly `SKIP`.
  var skip: String? {
    guard status == 400, let skip = errors.first(where: { $0["status"] == "SKIP" }) else { return nil }
    return skip["message"]?.string ?? ""
  }

  /// Why the request failed, for people.
  var problem: String {
    switch self {
    case .failure(let reason): reason
    case .response(200, _): "the response has no usable \"data\""
    case .response(let status, _): message ?? "the response was \(status)"
    }
  }
}
