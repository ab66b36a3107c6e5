import HTTP

/// The credential of a request. A user token takes precedence over a service key (U28).
enum RequestCredential {
  case none
  /// A service key, with the slug of its service.
  case key(String)
  case token(SandboxFixtures.User)

  /// - Throws: The 401 response if a credential is present but not exactly right.
  init(
    of request: Request, in state: SandboxState, _ seed: SandboxSeed, _ users: [SandboxFixtures.User]
  ) throws(ErrorResponse) {
    if let authorization = request.header("Authorization") {
      let scheme = "Bearer "
      let token = String(Substring(authorization.utf8.dropFirst(scheme.utf8.count)))
      guard authorization.utf8.starts(with: scheme.utf8),
        let user = state.user(
          ofToken: token, among: users) ?? seed.generatedUser(ofToken: token)
      else { throw .unauthorized() }
      self = .token(user)
    } else if let key = request.header("IFTTT-Service-Key") {
      guard let service = seed.service(ofKey: key) else { throw .unauthorized() }
      self = .key(service)
    } else {
      self = .none
    }
  }

  /// The partner service that the credential belongs to.
  var service: String? {
    switch self {
    case .none: nil
    case .key(let service): service
    case .token(let user): user.service
    }
  }

  /// Throw an error if the owner is a different service. Anonymous requests have no service, so they pass.
  func mayUse(_ owner: String?) throws(ErrorResponse) {
    guard service == nil || service == owner else { throw .forbidden("These credentials belong to another service") }
  }

  /// Whether unpublished items of this service are visible: to its key, and to requests with its invite code.
  func reveals(_ owner: String?, to request: Request, _ seed: SandboxSeed) -> Bool {
    guard let owner else { return false }
    if case .key(owner) = self { return true }
    guard let code = request.header("IFTTT-Invite-Code") else { return false }
    return code == seed.inviteCode(of: owner)
  }
}

/// The user for whom a response is rendered.
enum Viewer {
  /// No user: an anonymous request, or a service's request without a user.
  case none
  /// A service's user that is unknown to IFTTT.
  case unconnected
  case user(SandboxFixtures.User)

  var user: SandboxFixtures.User? {
    if case .user(let user) = self { user } else { nil }
  }
}

extension Emulator {
  /// The viewer of a GET request, from its key or token and the query's `user_id`.
  func viewer(of request: Request, _ credential: RequestCredential) throws(ErrorResponse) -> Viewer {
    let id = parameter("user_id", of: request)
    if id?.isEmpty == true { throw .badRequest("user_id is empty") }
    switch credential {
    case .none: return .none
    case .key(let service): return viewer(id, of: service)
    case .token(let user):
      guard id == nil || id == user.id else { throw .forbidden("The token belongs to another user") }
      return .user(user)
    }
  }

  func viewer(_ id: String?, of service: String) -> Viewer {
    guard let id else { return .none }
    return user(id, of: service).map(Viewer.user) ?? .unconnected
  }
}
