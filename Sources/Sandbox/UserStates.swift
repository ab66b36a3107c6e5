extension Emulator {
  /// The seeded users and those created since.
  var everyone: [SandboxFixtures.User] { state.users.isEmpty ? seed.users : seed.users + state.users }

  func user(_ id: String, of service: String) -> SandboxFixtures.User? {
    everyone.first { $0.id == id && $0.service == service } ?? seed.generatedUser(id, of: service)
  }

  func status(of user: SandboxFixtures.User, in seeded: SeededConnection) -> SandboxUserStatus {
    let connection = seeded.connection
    return state.status(of: user.id, in: connection.id, seeded: connection.users[seed.model(of: user.id)]?.status)
  }

  mutating func set(_ status: SandboxUserStatus, of user: SandboxFixtures.User, in seeded: SeededConnection) {
    let connection = seeded.connection
    state.set(status, of: user.id, in: connection.id) { [seed] in connection.users[seed.model(of: $0)]?.status }
  }

  /// The user's last configuration, whether the connection is enabled or disabled.
  func configuration(
    of user: SandboxFixtures.User, in seeded: SeededConnection
  ) -> SandboxState.Configuration {
    let connection = seeded.connection
    if let changed = state.configuration(of: user.id, in: connection.id) { return changed }
    guard let its = connection.users[seed.model(of: user.id)] else { return SandboxState.Configuration() }
    return SandboxState.Configuration(isPending: its.isPending, features: its.features)
  }

  mutating func set(
    _ configuration: SandboxState.Configuration, of user: SandboxFixtures.User, in seeded: SeededConnection
  ) {
    state.configurations[user.id, default: [:]][seeded.connection.id] = configuration
  }
}
