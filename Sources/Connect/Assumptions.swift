/// What the sources on the Connect API leave open or disagree about, each with its number in the reference, so that one
/// place changes when the real behaviour becomes known.
enum Assumptions {
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

  /// A connection other than the one asked for is no answer: it would be shown, kept and changed under a wrong id. No
  /// source says that it happens.
  static let refusesAnotherConnection = true

  /// No source says what the Connect URL's return carries: one without `next_step` means that the browser is back, and
  /// nothing else (U12).
  static let connectReturnSaysNothing = true

  /// No wire value tells that a connection is pending; whoever skipped its configuration knows (U4).
  static let skippingLeavesPending = true
}
