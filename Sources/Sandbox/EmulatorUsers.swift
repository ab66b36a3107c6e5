import Text

extension Emulator {
  /// The seeded users and those created since.
  var allUsers: [SandboxFixtures.User] { state.users.isEmpty ? seed.users : seed.users + state.users }

  func user(_ id: String, of service: String) -> SandboxFixtures.User? {
    allUsers.first { $0.id == id && $0.service == service } ?? seed.generatedUser(id, of: service)
  }

  /// - Parameter earlier: The state to read; nil for the current one.
  func status(
    of user: SandboxFixtures.User, in seeded: SeededConnection, _ earlier: SandboxState? = nil
  ) -> SandboxUserStatus {
    (earlier ?? state).status(of: user.id, in: seeded.id, seeded: seeded.seededStatus(of: seed.model(of: user.id)))
  }

  /// The status to show; nil if the request has no user.
  func status(of viewer: Viewer, in seeded: SeededConnection) -> SandboxUserStatus? {
    switch viewer {
    case .none: nil
    case .unconnected: .neverEnabled
    case .user(let user): status(of: user, in: seeded)
    }
  }

  mutating func set(_ status: SandboxUserStatus, of user: SandboxFixtures.User, in seeded: SeededConnection) {
    state.set(status, of: user.id, in: seeded.id) { [seed] in seeded.seededStatus(of: seed.model(of: $0)) }
  }

  /// The number of users who have it enabled.
  func enabledCount(of seeded: SeededConnection) -> Int {
    state.enabledCount(of: seeded.id, seeded: seeded.connection.enabledCount) { [seed] in
      seeded.seededStatus(of: seed.model(of: $0))
    }
  }

  /// The user's last configuration, whether the connection is enabled or disabled.
  /// - Parameter earlier: The state to read; nil for the current one.
  func configuration(
    of user: SandboxFixtures.User, in seeded: SeededConnection, _ earlier: SandboxState? = nil
  ) -> SandboxState.Configuration {
    let connection = seeded.connection
    if let changed = (earlier ?? state).configuration(of: user.id, in: connection.id) { return changed }
    guard let userConnection = connection.users[seed.model(of: user.id)] else { return SandboxState.Configuration() }
    return SandboxState.Configuration(isPending: userConnection.isPending, features: userConnection.features)
  }

  mutating func set(
    _ configuration: SandboxState.Configuration, of user: SandboxFixtures.User, in seeded: SeededConnection
  ) {
    state.configurations[user.id, default: [:]][seeded.connection.id] = configuration
  }

  /// The IFTTT account with this email address, either seeded or created since. Addresses are case-insensitive.
  func account(email: String) -> SandboxState.Account? {
    let email = email.lowercased()
    if let user = allUsers.first(where: { $0.email == email }) { return .init(email: email, login: user.login) }
    if let created = state.accounts.first(where: { $0.email == email }) { return created }
    guard seed.accounts.contains(email) else { return nil }
    return .init(email: email, login: Self.login(for: email, notIn: Set(allUsers.map(\.login))))
  }

  /// The account with this login: that of a user, one created in the sandbox, or a seeded one.
  func account(login: String) -> SandboxState.Account? {
    if let user = allUsers.first(where: { $0.login == login }) {
      return .init(email: user.email ?? "", login: login)
    }
    if let created = state.accounts.first(where: { $0.login == login }) { return created }
    return seed.accounts.lazy.compactMap { account(email: $0) }.first { $0.login == login }
  }

  /// The account with this email address, created if necessary.
  mutating func makeAccount(email: String) -> SandboxState.Account {
    if let account = account(email: email) { return account }
    let taken = Set(allUsers.map(\.login) + state.accounts.map(\.login))
    let account = SandboxState.Account(
      email: email.lowercased(), login: Self.login(for: email.lowercased(), notIn: taken))
    state.accounts.append(account)
    return account
  }

  /// The service's user for this account, created if necessary, as on a first sign-in to the service.
  ///
  /// - Parameter id: The service's id of the user, if known.
  mutating func makeUser(
    of service: String, _ account: SandboxState.Account, id: String? = nil
  ) -> SandboxFixtures.User {
    if let id, let user = user(id, of: service) { return user }
    if id == nil, let user = allUsers.first(where: { $0.service == service && $0.login == account.login }) {
      return user
    }
    let taken = Set(allUsers.map(\.id))
    let free = (9001...).lazy.map { "u-\($0)" }.first { !taken.contains($0) } ?? ""
    let user = SandboxFixtures.User(
      id: id.flatMap { taken.contains($0) ? nil : $0 } ?? free, service: service, login: account.login,
      email: account.email.isEmpty ? nil : account.email, userToken: state.makeWord(of: 48),
      accessToken: "at_\(state.makeWord(of: 12))")
    state.users.append(user)
    return user
  }

  /// A login derived from the part of the address before the `@`, with invalid characters replaced.
  private static func login(for email: String, notIn taken: Set<String>) -> String {
    let local = email.prefix { $0 != "@" }.utf8.map { $0.isLowercase || $0.isDigit ? $0 : UInt8(ascii: "_") }
    let name = local.isEmpty ? "someone" : String(decoding: local.prefix(40), as: UTF8.self)
    if !taken.contains(name) { return name }
    return (2...).lazy.map { "\(name)\($0)" }.first { !taken.contains($0) } ?? name
  }

  /// A part of the list of the first service's users.
  package struct UserPage {
    package var users: [SandboxFixtures.User] = []
    /// The position of the next part; nil if this is the last one.
    package var next: Int?
  }

  /// The maximum number of users in one part.
  private static let pageSize = 1000

  /// The users of the first service with a key: those of the seed, the generated users, and those created since. A new
  /// user does not move the others.
  ///
  /// - Parameter position: The number of users to skip.
  package func users(from position: Int) -> UserPage {
    guard let service = seed.partners.first?.service else { return UserPage() }
    let seeded = seed.users.filter { $0.service == service }
    let created = state.users.filter { $0.service == service }
    let (start, count) = (max(0, position), seeded.count + seed.generatedUsers + created.count)
    let end = min(count, start.addingReportingOverflow(Self.pageSize).partialValue)
    guard start < end else { return UserPage() }
    let users = (start..<end).lazy.compactMap { index -> SandboxFixtures.User? in
      if index < seeded.count { return seeded[index] }
      if index - seeded.count >= seed.generatedUsers { return created[index - seeded.count - seed.generatedUsers] }
      let user = GeneratedUser.make(index - seeded.count + 1, of: service)
      // A user of the seed with this id takes its place.
      return seed.isGenerated(user.id) ? user : nil
    }
    return UserPage(users: Array(users), next: end < count ? end : nil)
  }
}
