import JSON

/// What the sources on the Connect API leave open or disagree about, each with its number in the reference, so that one
/// place changes when the real behaviour becomes known.
enum ConnectAssumptions {
  /// Answers older than the key had no `enabled` on a user feature; Android counts that as true, iOS as false (C13).
  static let missingEnabledCountsAs = true

  /// `disable` is inferred to be safe to send twice; `enable` is nowhere said to be (section 13).
  static func isRepeatable(_ change: ConnectClient.Change) -> Bool {
    switch change {
    case .disable: true
    case .enable: false
    }
  }

  /// What an account that exists, and one that does not, is answered with. iOS takes everything else for "no", Android
  /// for "yes"; here it means that nobody knows (C17, U11).
  static let accountStatuses = (exists: 204, absent: 404)

  /// The path and the query names of today's token exchange; in 2018 the token travelled in a JSON body (C2).
  static let exchange = (path: ["v2", "user_token"], user: "user_id", token: "access_token")

  /// Where usage events go. Any 2xx takes them, whatever its body (U10).
  static let eventsPath = ["v2", "sdk", "events"]

  /// A connection other than the one asked for is no answer: it would be shown, kept and changed under a wrong id. No
  /// source says that it happens.
  static let refusesAnotherConnection = true

  /// No source says what the Connect URL's return carries: one without `next_step` means that the browser is back, and
  /// nothing else (U12).
  static let connectReturnSaysNothing = true

  /// No wire value tells that a connection is pending; whoever skipped its configuration knows (U4).
  static let skippingLeavesPending = true

  // MARK: Configuration

  /// An enabled connection of whose features none is configured was activated without its configuration screen; that is
  /// inferred (U4).
  static let emptyConfigurationIsPending = true

  /// How `PUT` tells two user features of one feature apart is stated nowhere; their ids are sent as an extra key (U16).
  static let sendsUserFeatureIDs = true

  /// In a request a dropdown's value is the option's `value`, a list of checkboxes holds objects with label and value, and
  /// a location stands as it was stored. Only plain text is shown anywhere (U15).
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

  /// Only the sample of the documents shows where a service's user travels in calls that do something: in the body (C3).
  static let userInBody = "user_id"

  /// A query reads and does nothing else, which is inferred; `run` and `test` do something in the world (section 13).
  static func isRepeatable(_ call: ConnectClient.StepCall) -> Bool { call == .perform }

  /// The next page's marker: beside `next.cursor` the table has `cursor` at the top (C5).
  static let cursorAtTheTop = true
}
