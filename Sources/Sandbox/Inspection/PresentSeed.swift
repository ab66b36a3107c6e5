extension Emulator {
  /// The present state as a seed, from which another server continues: for each user and connection, it has the same
  /// status, configuration and counts, and the same tokens are valid.
  ///
  /// A generated user or connection becomes one of the seed if it was changed. Some of the state is left out: the log,
  /// the events that polls have found, steps that are still to run, provisional access codes, used OAuth codes, the
  /// record ids of location events, and email addresses that no mail could reach.
  package var presentSeed: SandboxSeed {
    let generated = Set(state.statuses.keys).union(state.configurations.keys).filter(seed.isGenerated)
    let created =
      state.users
      + generated.subtracting(state.users.map(\.id)).sorted().compactMap { id in
        seed.partners.first.flatMap { seed.generatedUser(id, of: $0.service) }
      }
    let users = seed.users + created
    let issued = Dictionary(grouping: state.issued, by: \.userID).mapValues { $0.map(\.token) }
    let changed = Set(state.statuses.values.flatMap(\.keys) + state.configurations.values.flatMap(\.keys))
    let connections = seed.allConnections
    let known = Set(connections.map(\.connection.id))
    var continued = SandboxSeed(
      services: seed.services, partners: seed.partners,
      users: seed.users.map { present($0, isCreated: $0.isCreated, issued) }
        + created.map { present($0, isCreated: true, issued) },
      accounts: seed.accounts + state.accounts.map(\.email).filter(SeedNode.isToken), webhooksKey: seed.webhooksKey,
      connections: (connections + changed.subtracting(known).sorted().compactMap(seed.connection)).map {
        present($0, of: users)
      },
      applets: seed.partners.flatMap { seed.applets(of: $0.service) ?? [] }.map { present($0, of: users) })
    (continued.generated, continued.generatedUsers) = (seed.generated, seed.generatedUsers)
    (continued.serverKey, continued.salt) = (seed.serverKey, state.nextSalt)
    return continued
  }

  /// The user with the tokens that are valid now.
  /// - Parameter issued: The user tokens of exchanges, by user id.
  private func present(
    _ user: SandboxFixtures.User, isCreated: Bool, _ issued: [String: [String]]
  ) -> SandboxFixtures.User {
    var present = user
    present.issuedTokens += issued[user.id] ?? []
    present.isCreated = isCreated
    if user.email.map(SeedNode.isToken) == false { present.email = nil }
    guard let runtime, runtime.service == user.service else { return present }
    // The token that the host passed at the start belongs to no user of the seed.
    if let token = runtime.credentials.tokens[user.id], token != runtime.credentials.other, SeedNode.isToken(token) {
      (present.accessToken, present.isCreated) = (token, user.isCreated && token == user.accessToken)
    }
    present.refreshToken = runtime.credentials.refreshTokens[user.id]
    return present
  }

  private func present(
    _ seeded: SeededConnection, of users: [SandboxFixtures.User]
  ) -> SandboxFixtures.Connection {
    let connection = seeded.connection
    var states = connection.users
    states[SandboxSeed.generatedKey] = generatedKey.flatMap { connection.users[$0] }
    for user in users {
      let before = connection.users[seed.model(of: user.id)]
      guard before != nil || isChanged(connection.id, for: user) else { continue }
      let configuration = configuration(of: user, in: seeded)
      states[user.id] = SandboxFixtures.UserConnection(
        status: status(of: user, in: seeded), isPending: configuration.isPending, lastRunAt: before?.lastRunAt,
        features: configuration.features)
    }
    var present = connection
    (present.enabledCount, present.users) = (enabledCount(of: seeded), states)
    return present
  }

  /// The key of the state that generated users have until they change it, even after the first user changed; nil
  /// without generated users.
  private var generatedKey: String? {
    if seed.hasGeneratedStates { return SandboxSeed.generatedKey }
    return seed.generatedUsers > 0 ? seed.modelUser?.id : nil
  }

  private func isChanged(_ id: String, for user: SandboxFixtures.User) -> Bool {
    state.statuses[user.id]?[id] != nil || state.configuration(of: user.id, in: id) != nil
  }
}
