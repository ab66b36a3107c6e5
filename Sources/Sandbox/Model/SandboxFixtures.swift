/// The sandbox's fixtures: its contents before any change, and the credentials that give access to them.
package enum SandboxFixtures {
  /// The phone platforms that some services are part of.
  enum Platform: String, CaseIterable {
    case ios, android
  }

  /// A service, of a partner or of another company.
  struct Service {
    let slug: String
    let name: String
    let shortName: String
    /// The number in the URLs of its icons.
    let channel: Int
    let color: String
    /// The platforms whose phones provide the service natively, such as `location`.
    var native: Set<Platform> = []
  }

  /// A service with an API key, and an optional invite code for its unpublished connections and Applets.
  struct Partner: Equatable {
    let service: String
    let key: String
    let inviteCode: String?
    /// Whether its users sign in. If not, its server receives the service key instead of access tokens.
    var usesSignIn = true
  }

  /// A user who connected a partner service to an IFTTT account.
  package struct User: Sendable, Equatable {
    package let id: String
    package let service: String
    package let login: String
    /// The email address of the IFTTT account, in lowercase.
    package var email: String?
    package let userToken: String
    /// The access token that the partner's OAuth server issued to IFTTT.
    package let accessToken: String
    /// The refresh token that came with it; nil if access tokens do not expire.
    package var refreshToken: String?
  }

  /// A connection between a partner service and others, with the state of each seeded user.
  struct Connection {
    let id: String
    let name: String
    let description: String
    /// The services, starting with the owner.
    let services: [Service]
    let enabledCount: Int
    var publishedAt: OffsetTime?
    /// The part of the cover image URLs before `480.png`.
    var cover: String?
    /// Whether the services also list their actions, in the format from before features existed.
    var listsLegacyActions = false
    var features: [Feature]
    let users: [String: UserConnection]

    var isPublished: Bool { publishedAt != nil }
  }

  /// An Applet, the older API's equivalent of a connection.
  struct Applet {
    let id: String
    let name: String
    let description: String
    let services: [Service]
    let enabledCount: Int
    var publishedAt: OffsetTime?
    let users: [String: UserApplet]

    var isPublished: Bool { publishedAt != nil }
    /// The platforms of each of its native services, one set per service.
    var native: [Set<Platform>] { services.map(\.native).filter { !$0.isEmpty } }
  }

  /// One user's state of an Applet.
  struct UserApplet {
    let status: SandboxUserStatus
    var lastRunAt: OffsetTime?
  }

  /// One user's state and configuration of a connection.
  struct UserConnection {
    let status: SandboxUserStatus
    /// Whether it was enabled with its configuration skipped and was never configured since. This has no value of its
    /// own in the JSON.
    var isPending = false
    var lastRunAt: OffsetTime?
    var features: [UserFeature] = []
  }
}

/// The status of a connection for a user. The API sends only these three strings.
package enum SandboxUserStatus: String, Sendable, CaseIterable {
  case enabled, disabled
  case neverEnabled = "never_enabled"
}
