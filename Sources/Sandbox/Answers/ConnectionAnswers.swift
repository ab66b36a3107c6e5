import HTTP

extension Emulator {
  /// `GET /v2/connections/{id}`.
  func show(connection id: String, _ credential: Credential, _ request: Request) throws(Refusal) -> Answer {
    let viewer = try Viewer(of: request, credential, seed)
    return answer(with: try find(id, credential, request), for: viewer)
  }

  /// `POST /v2/connections/{id}/enable` and `/disable`; with a user token only.
  mutating func turn(
    _ turn: Turn, connection id: String, _ credential: Credential, _ request: Request
  ) throws(Refusal) -> Answer {
    guard case .token(let user) = credential else { throw .unauthorized() }
    let seeded = try find(id, credential, request)
    let its = seeded.connection.users[user.id]
    let status = state.status(of: user.id, in: id, seeded: its?.status)
    if status == .neverEnabled { throw .neverEnabled }
    if turn == .enable, status == .disabled, its?.isPending == true { throw .pending }
    state.set(turn.result, of: user.id, in: id, seeded: its?.status)
    var answer = answer(with: seeded, for: .user(user))
    if status == turn.result { answer.assumptions.append(.turning) }
    return answer
  }

  private func find(
    _ id: String, _ credential: Credential, _ request: Request
  ) throws(Refusal) -> SeededConnection {
    guard let seeded = seed.connection(id) else { throw .unknownConnection }
    let owner = seeded.connection.services.first?.slug
    guard seeded.connection.isPublished || credential.reveals(owner, to: request, seed) else {
      throw .unknownConnection
    }
    try credential.mayUse(owner)
    return seeded
  }

  private func answer(with seeded: SeededConnection, for viewer: Viewer) -> Answer {
    let connection = seeded.connection
    let count = state.enabledCount(of: connection.id, seeded: connection.enabledCount) {
      connection.users[$0]?.status
    }
    let status = state.status(connection.id, for: viewer) { connection.users[$0]?.status }
    var answer = Answer(body: seeded.json(for: viewer.user, status: status, enabledCount: count))
    if case .unconnected = viewer { answer.assumptions = [.identity] }
    let isPending = viewer.user.flatMap { connection.users[$0.id]?.isPending } == true
    if isPending, status == .enabled { answer.assumptions = [.pendingStatus] }
    return answer
  }
}

extension SandboxState {
  /// Nil when nobody's status was asked for.
  func status(_ id: String, for viewer: Viewer, seeded: (String) -> UserStatus?) -> UserStatus? {
    switch viewer {
    case .none: nil
    case .unconnected: .neverEnabled
    case .user(let user): status(of: user.id, in: id, seeded: seeded(user.id))
    }
  }
}
