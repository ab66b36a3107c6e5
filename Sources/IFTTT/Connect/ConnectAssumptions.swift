import JSON

/// Open questions and contradictions in the sources on the Connect API, each with its number in `docs/api`. Collected
/// here so that one place changes when the real behavior becomes known.
enum ConnectAssumptions {
  /// Old responses had no `enabled` on a user feature; Android counts that as true, iOS as false
  /// (docs/api/connect.md C13).
  static let missingEnabledCountsAs = true

  /// `disable` is inferred to be idempotent; no source says this about `enable` (docs/api/connect.md §13).
  static func isRepeatable(_ change: ConnectClient.Change) -> Bool {
    switch change {
    case .disable: true
    case .enable: false
    }
  }

  /// The statuses for an existing and a missing account. iOS treats everything else as "no", Android as "yes"; here it
  /// means that the answer is unknown (docs/api/connect.md C17, U11).
  static let accountStatuses = (exists: 204, absent: 404)

  /// The path and query names of today's token exchange; in 2018 the token was sent in a JSON body
  /// (docs/api/connect.md C2).
  static let exchange = (path: ["v2", "user_token"], user: "user_id", token: "access_token")

  /// The path for usage events. Any 2xx accepts them, whatever its body (docs/api/connect.md U10).
  static let eventsPath = ["v2", "sdk", "events"]

  /// A response with a connection other than the requested one is rejected: it would be shown, stored and changed
  /// under the wrong id. No source says that this happens.
  static let refusesAnotherConnection = true

  /// No source says what the Connect URL's redirect carries. Without `next_step`, it only means that the browser
  /// returned (docs/api/activation.md U12).
  static let connectReturnSaysNothing = true

  /// No value in IFTTT's responses marks a connection as pending; only the client that skipped its configuration knows
  /// (docs/api/connect.md U4).
  static let skippingLeavesPending = true

  // MARK: Configuration

  /// An enabled connection without any configured feature is inferred to have been activated without its configuration
  /// screen (docs/api/connect.md U4).
  static let emptyConfigurationIsPending = true

  /// Undocumented: how `PUT` distinguishes two user features of one feature. Their ids are sent as an extra key
  /// (docs/api/connect.md U16).
  static let sendsUserFeatureIDs = true

  /// The form of a value in a request: the option's `value` for a dropdown, objects with label and value for
  /// checkboxes, and the stored form for a location. Only plain text is documented (docs/api/connect.md U15).
  static func requestForm(_ value: JSONValue, _ kind: FieldKind?) -> JSONValue {
    if case .other = kind { return value }
    switch FieldValue(value) {
    case .option(let option): return .string(option.value)
    case .options(let options):
      return .array(options.map { ["label": JSONValue($0.label), "value": .string($0.value)] })
    case .location(let location) where value["lat"] == nil: return location.json
    case .text, .location, .other, nil: return value
    }
  }

  /// The user of a service in requests with side effects is sent in the body. Only the sample in the documentation
  /// shows this (docs/api/connect.md C3).
  static let userInBody = "user_id"

  /// A query is inferred to have no side effects; `run` and `test` have them (docs/api/connect.md §13).
  static func isRepeatable(_ call: ConnectClient.StepCall) -> Bool { call == .perform }

  /// The next page's cursor: the documented table lists a top-level `cursor` in addition to `next.cursor`
  /// (docs/api/connect.md C5).
  static let cursorAtTheTop = true
}
