/// The seeded world of the sandbox: what it holds before anything is changed, and the credentials that open it.
package enum SandboxFixtures {
  /// The phones that some services are part of.
  enum Platform: String, CaseIterable {
    case ios, android
  }

  /// A service of the world, a partner's or another's.
  struct Service {
    let slug: String
    let name: String
    let shortName: String
    /// The number in the addresses of its icons.
    let channel: Int
    let color: String
    /// The platforms whose phones carry the service itself, such as `location`.
    var native: Set<Platform> = []
  }

  /// A service that has a key to the API, and may have an invite code for what it has not published.
  struct Partner: Equatable {
    let service: String
    let key: String
    let inviteCode: String?
  }

  /// Someone who connected a partner service to an IFTTT account.
  package struct User: Sendable, Equatable {
    package let id: String
    package let service: String
    package let login: String
    /// Of the IFTTT account, in lower case.
    package var email: String?
    package let userToken: String
    /// What the partner's OAuth server issued to IFTTT.
    package let accessToken: String
  }

  /// What users switch on between a partner service and others, and who of the seeded users did.
  struct Connection {
    let id: String
    let name: String
    let description: String
    /// The first one owns it.
    let services: [Service]
    let enabledCount: Int
    var publishedAt: OffsetTime?
    /// What stands before `480.png` in the addresses of the cover image.
    var cover: String?
    /// Whether the services also list their actions, in the form that came before features.
    var listsLegacyActions = false
    let features: [Feature]
    let users: [String: UserConnection]

    var isPublished: Bool { publishedAt != nil }
  }

  /// What the older API has in place of a connection.
  struct Applet {
    let id: String
    let name: String
    let description: String
    let services: [Service]
    let enabledCount: Int
    var publishedAt: OffsetTime?
    let users: [String: UserApplet]

    var isPublished: Bool { publishedAt != nil }
    /// One set for each of its services that phones carry.
    var native: [Set<Platform>] { services.map(\.native).filter { !$0.isEmpty } }
  }

  /// How one user stands to an Applet.
  struct UserApplet {
    let status: SandboxUserStatus
    var lastRunAt: OffsetTime?
  }

  /// How one user stands to a connection, and what that user configured.
  struct UserConnection {
    let status: SandboxUserStatus
    /// Made with its configuration skipped and never configured since; no value of its own on the wire.
    var isPending = false
    var lastRunAt: OffsetTime?
    var features: [UserFeature] = []
  }
}

/// What the API tells of a user and a connection; the only three strings it sends.
package enum SandboxUserStatus: String, Sendable, CaseIterable {
  case enabled, disabled
  case neverEnabled = "never_enabled"
}
