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
    package var accessToken: String
    /// The refresh token that came with it; nil if access tokens do not expire.
    package var refreshToken: String?
    /// The user's name in the service, if it is known.
    package var name: String?
    /// User tokens from earlier exchanges, which are valid like ``userToken``.
    var issuedTokens: [String] = []
    /// Whether an earlier sandbox created the user, so that the partner's server does not know the access token.
    var isCreated = false
  }

  /// A connection between a partner service and others, or an Applet, with the state of each seeded user.
  struct Connection {
    let id: String
    let name: String
    let description: String
    /// The services, starting with the owner.
    let services: [Service]
    var enabledCount: Int
    var publishedAt: OffsetTime?
    /// Whether it is an Applet, the older API's equivalent of a connection, which has no cover and no features.
    var isApplet = false
    /// The part of the cover image URLs before `480.png`.
    var cover: String?
    /// Whether the services also list their actions, in the format from before features existed.
    var listsLegacyActions = false
    var features: [Feature] = []
    var users: [String: UserConnection]

    var isPublished: Bool { publishedAt != nil }
    /// The platforms of each of its native services, one set per service.
    var native: [Set<Platform>] { services.map(\.native).filter { !$0.isEmpty } }
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

extension SandboxFixtures {
  /// A feature of a connection.
  struct Feature {
    let id: String
    let title: String
    var description: String?
    let icon: String
    var fields: [Field] = []
    var triggers: [Step] = []
    var queries: [Step] = []
    var actions: [Step] = []
  }

  /// A trigger, query or action of a feature.
  struct Step {
    let id: String
    let service: Service
    /// The slug, without the service's prefix.
    let slug: String
    let label: String
    var fields: [Field]
    /// The rows that a query returns.
    let rows: QueryRows
    /// Whether one request to the partner's server validates the values of all fields of a trigger.
    let isContextual: Bool

    init(
      _ id: String, _ service: Service, _ slug: String, _ label: String, _ fields: [Field] = [],
      rows: QueryRows = QueryRows(), isContextual: Bool = false
    ) {
      (self.id, self.service, self.slug, self.label) = (id, service, slug, label)
      (self.fields, self.rows, self.isContextual) = (fields, rows, isContextual)
    }
  }

  /// A field that a user fills in.
  struct Field {
    let id: String
    let label: String
    let type: FieldType
    let isRequired: Bool
    let isHidden: Bool
    let preset: Value?
    /// The options of a dropdown or a checkbox list, with their current labels, in display order.
    var options: [Option]

    init(
      _ id: String, _ label: String, _ type: FieldType, preset: Value? = nil, required: Bool = true,
      hidden: Bool = false, options: [Option] = []
    ) {
      (self.id, self.label, self.type, self.preset) = (id, label, type, preset)
      (self.isRequired, self.isHidden, self.options) = (required, hidden, options)
    }
  }

  /// One option of a field.
  struct Option {
    let value: String
    let label: String
    let group: String?

    init(_ value: String, _ label: String, group: String? = nil) {
      (self.value, self.label, self.group) = (value, label, group)
    }
  }

  /// The field types that the emulator sends.
  enum FieldType: String, CaseIterable {
    case textField = "TEXT_FIELD"
    case textArea = "TEXT_AREA"
    case collectionSelect = "COLLECTION_SELECT"
    case doubleCollectionSelect = "DOUBLE_COLLECTION_SELECT"
    case checkboxMulti = "CHECKBOX_MULTI"
    case locationPoint = "LOCATION_POINT"
    case locationRadius = "LOCATION_RADIUS"
    case locationEnter = "LOCATION_ENTER"
    case locationExit = "LOCATION_EXIT"
    /// The other spelling crashes the Android SDK (docs/api/connect.md C10).
    case locationEnterOrExit = "LOCATION_ENTER_OR_EXIT"
  }

  /// The value of a field. See docs/api/connect.md §9 for the kind of value of each field type.
  enum Value {
    case text(String)
    case option(String, label: String, group: String? = nil)
    case options([(value: String, label: String)])
    /// A location in degrees, with a radius in meters; a point has no radius.
    case location(Double, Double, radius: Double? = nil, address: String, description: String, zoom: Int? = nil)

    /// The value in words, for people.
    var text: String {
      switch self {
      case .text(let text): text
      case .option(_, let label, let group): group.map { "\($0) › \(label)" } ?? label
      case .options(let options): options.map(\.label).joined(separator: ", ")
      case .location(let latitude, let longitude, let radius, let address, _, _):
        "\(latitude), \(longitude)" + (radius.map { ", \($0) m" } ?? "") + (address.isEmpty ? "" : ", \(address)")
      }
    }
  }

  /// One configured instance of a feature. Values and steps are in the order of the feature's definition; those
  /// missing from the user's configuration are nil.
  struct UserFeature {
    let id: String
    var feature: Feature
    var isEnabled = true
    var values: [Value?] = []
    var triggers: [UserStep?] = []
    var queries: [UserStep?] = []
    var actions: [UserStep?] = []

    /// The steps of a kind that the user has configured, in the order of the feature's definition.
    func configuredSteps(_ kind: StepKind) -> [ConfiguredStep] {
      zip(feature[keyPath: kind.ofFeature], self[keyPath: kind.ofUser]).compactMap { step, configured in
        configured.map { ConfiguredStep(kind: kind, step: step, configured: $0) }
      }
    }
  }

  /// A step as configured by one user, with values in the order of the step's fields.
  struct UserStep {
    let id: String
    var values: [Value?]

    init(_ id: String, _ values: Value...) { self.init(id, values: values) }
    init(_ id: String, values: [Value?]) { (self.id, self.values) = (id, values) }
  }

  /// A step of a feature, with one user's configuration of it.
  struct ConfiguredStep {
    let kind: StepKind
    let step: Step
    let configured: UserStep
  }
}

/// The kind of a step, with the API's names for it.
enum StepKind: String, CaseIterable {
  case triggers, queries, actions

  /// The singular: `trigger`, `query` or `action`.
  var word: String {
    switch self {
    case .triggers: "trigger"
    case .queries: "query"
    case .actions: "action"
    }
  }

  var ofFeature: WritableKeyPath<SandboxFixtures.Feature, [SandboxFixtures.Step]> {
    switch self {
    case .triggers: \.triggers
    case .queries: \.queries
    case .actions: \.actions
    }
  }

  var ofUser: WritableKeyPath<SandboxFixtures.UserFeature, [SandboxFixtures.UserStep?]> {
    switch self {
    case .triggers: \.triggers
    case .queries: \.queries
    case .actions: \.actions
    }
  }
}
