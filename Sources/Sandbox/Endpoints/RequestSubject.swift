import HTTP
import JSON

/// The connection that a request is about, and the user on whose behalf it is made.
struct RequestSubject {
  let seeded: SeededConnection
  let user: SandboxFixtures.User
  let configuration: SandboxState.Configuration

  var connection: SandboxFixtures.Connection { seeded.connection }
}

extension Emulator {
  /// The subject of a request, if the user has the connection enabled. With a service key, the user must be named in
  /// the query or in the body (C3); with a user token, this is optional.
  func subject(
    _ id: String, _ credential: RequestCredential, _ request: Request, _ body: JSONObject? = nil
  ) throws(ErrorResponse) -> RequestSubject {
    let (inQuery, inBody) = (parameter("user_id", of: request), try identifier("user_id", of: body ?? [:]))
    if let inQuery, let inBody, inQuery != inBody {
      throw .invalidParameters([.init(parameter: "/user_id", message: "Differs from user_id in the query")])
    }
    let named = inBody ?? inQuery
    if case .none = credential { throw .unauthorized() }
    let seeded = try find(id, credential, request)
    var found: SandboxFixtures.User?
    switch credential {
    case .none: break
    case .key(let service):
      guard let named, !named.isEmpty else { throw .badRequest("user_id is missing") }
      found = user(named, of: service)
    case .token(let user):
      guard named == nil || named == user.id else { throw .forbidden("The token belongs to another user") }
      found = user
    }
    guard let user = found else { throw .neverEnabled() }
    switch status(of: user, in: seeded) {
    case .neverEnabled: throw .neverEnabled()
    case .disabled: throw .notEnabled
    case .enabled: break
    }
    return RequestSubject(seeded: seeded, user: user, configuration: configuration(of: user, in: seeded))
  }
}
