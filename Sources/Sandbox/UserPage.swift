extension Emulator {
  /// A part of the list of the first service's users.
  package struct UserPage {
    package var users: [(id: String, accessToken: String)] = []
    /// The position of the next part; nil if this is the last one.
    package var next: Int?
  }

  /// The maximum number of users in one part.
  private static let pageSize = 1000

  /// The users of the first service with a key: those of the seed, the generated users, and those created since. A new
  /// user does not move the others.
  ///
  /// - Parameter position: how many users to skip.
  package func users(from position: Int) -> UserPage {
    guard let service = seed.partners.first?.service else { return UserPage() }
    let seeded = seed.users.filter { $0.service == service }
    let created = state.users.filter { $0.service == service }
    let (start, count) = (max(0, position), seeded.count + seed.generatedUsers + created.count)
    let end = min(count, start.addingReportingOverflow(Self.pageSize).partialValue)
    guard start < end else { return UserPage() }
    let users = (start..<end).lazy.compactMap { place -> SandboxFixtures.User? in
      if place < seeded.count { return seeded[place] }
      if place - seeded.count >= seed.generatedUsers { return created[place - seeded.count - seed.generatedUsers] }
      let user = GeneratedUser.make(place - seeded.count + 1, of: service)
      // A user of the seed with this id takes its place.
      return seed.isGenerated(user.id) ? user : nil
    }
    return UserPage(users: users.map { ($0.id, $0.accessToken) }, next: end < count ? end : nil)
  }
}
