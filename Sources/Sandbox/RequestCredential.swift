import HTTP

/// What a request proves of itself. A user token counts before a service key (U28).
enum RequestCredential {
  case none
  /// The slug of the service whose key it is.
  case key(String)
  case token(SandboxFixtures.User)

  /// Throws the 401 answer for anything that is there and is not exactly right.
  init(
    of request: Request, in state: SandboxState, _ seed: SandboxSeed, _ users: [SandboxFixtures.User]
  ) throws(ErrorResponse) {
    if let authorization = request.header("Authorization") {
      let scheme = "Bearer "
      guard authorization.utf8.starts(with: scheme.utf8),
        let user = state.user(
          ofToken: String(Substring(authorization.utf8.dropFirst(scheme.utf8.count))), among: users)
      else { throw .unauthorized() }
      self = .token(user)
    } else if let key = request.header("IFTTT-Service-Key") {
      guard let service = seed.service(ofKey: key) else { throw .unauthorized() }
      self = .key(service)
    } else {
      self = .none
    }
  }

  /// The partner service that asks, however it proved it.
  var service: String? {
    switch self {
    case .none: nil
    case .key(let service): service
    case .token(let user): user.service
    }
  }

  /// Refuses what belongs to another service; anonymous requests own nothing and may still look.
  func mayUse(_ owner: String?) throws(ErrorResponse) {
    guard service == nil || service == owner else { throw .forbidden("These credentials belong to another service") }
  }

  /// Whether something unpublished of this service shows: to its key, and to who was invited.
  func reveals(_ owner: String?, to request: Request, _ seed: SandboxSeed) -> Bool {
    guard let owner else { return false }
    if case .key(owner) = self { return true }
    guard let code = request.header("IFTTT-Invite-Code") else { return false }
    return code == seed.inviteCode(of: owner)
  }
}

/// For whom something is shown.
enum Viewer {
  /// Nobody, or a service without a user.
  case none
  /// A service's user that IFTTT does not know.
  case unconnected
  case user(SandboxFixtures.User)

  var user: SandboxFixtures.User? {
    if case .user(let user) = self { user } else { nil }
  }

  /// What the key or the token and the query's `user_id` make of a GET.
  init(of request: Request, _ credential: RequestCredential, _ users: [SandboxFixtures.User]) throws(ErrorResponse) {
    let id = parameter("user_id", of: request)
    if id?.isEmpty == true { throw .badRequest("user_id is empty") }
    switch credential {
    case .none: self = .none
    case .key(let service): self = Viewer(id, of: service, users)
    case .token(let user):
      guard id == nil || id == user.id else { throw .forbidden("The token belongs to another user") }
      self = .user(user)
    }
  }

  init(_ id: String?, of service: String, _ users: [SandboxFixtures.User]) {
    guard let id else {
      self = .none
      return
    }
    self = users.first { $0.id == id && $0.service == service }.map(Viewer.user) ?? .unconnected
  }
}
