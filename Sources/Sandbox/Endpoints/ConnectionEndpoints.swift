import HTTP

extension Emulator {
  /// `GET /v2/connections/{id}`.
  func show(connection id: String, _ credential: RequestCredential, _ request: Request) throws(ErrorResponse)
    -> EmulatorResponse
  {
    let viewer = try viewer(of: request, credential)
    return answer(with: try find(id, credential, request), for: viewer)
  }

  /// `POST /v2/connections/{id}/enable` and `/disable`; requires a user token.
  mutating func turn(
    _ turn: Toggle, connection id: String, _ credential: RequestCredential, _ request: Request
  ) throws(ErrorResponse) -> EmulatorResponse {
    guard case .token(let user) = credential else { throw .unauthorized() }
    let seeded = try find(id, credential, request)
    let status = status(of: user, in: seeded)
    if status == .neverEnabled { throw .neverEnabled(.turning) }
    if turn == .enable, status == .disabled, configuration(of: user, in: seeded).isPending { throw .pending }
    set(turn.result, of: user, in: seeded)
    var answer = answer(with: seeded, for: .user(user))
    if status == turn.result { answer.assumptions.append(.turning) }
    return answer
  }

  /// Find a connection. Throws if it does not exist, if it is unpublished and not revealed by the credential, or if
  /// it belongs to another service.
  func find(_ id: String, _ credential: RequestCredential, _ request: Request) throws(ErrorResponse) -> SeededConnection
  {
    guard let seeded = seed.connection(id) else { throw .unknownConnection }
    let owner = seeded.connection.services.first?.slug
    guard seeded.connection.isPublished || credential.reveals(owner, to: request, seed) else {
      throw .unknownConnection
    }
    try credential.mayUse(owner)
    return seeded
  }

  func answer(with seeded: SeededConnection, for viewer: Viewer) -> EmulatorResponse {
    let connection = seeded.connection
    let count = state.enabledCount(of: connection.id, seeded: connection.enabledCount) {
      connection.users[seed.model(of: $0)]?.status
    }
    let status = state.status(connection.id, for: viewer) { connection.users[seed.model(of: $0)]?.status }
    let changed = viewer.user.flatMap { state.configuration(of: $0.id, in: connection.id) }
    var answer = EmulatorResponse(
      body: seeded.json(
        for: viewer.user.map { seed.model(of: $0.id) }, status: status, enabledCount: count,
        changed: changed.map { SandboxFixtures.UserConnection(status: .enabled, features: $0.features) }))
    if case .unconnected = viewer { answer.assumptions = [.identity] }
    if status == .enabled, let user = viewer.user, configuration(of: user, in: seeded).isPending {
      answer.assumptions = [.pendingStatus]
    }
    return answer
  }
}

extension SandboxState {
  /// The user's status, or nil if the request has no user.
  func status(_ id: String, for viewer: Viewer, seeded: (String) -> SandboxUserStatus?) -> SandboxUserStatus? {
    switch viewer {
    case .none: nil
    case .unconnected: .neverEnabled
    case .user(let user): status(of: user.id, in: id, seeded: seeded(user.id))
    }
  }
}
