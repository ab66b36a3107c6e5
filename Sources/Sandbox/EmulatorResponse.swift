import HTTP

/// The emulator's response, before it is converted to an HTTP response.
struct EmulatorResponse {
  var status = 200
  var body: [UInt8] = []
  var assumptions: [Assumption] = []
  /// The allowed methods, if the request used another one.
  var allowed: String?
  /// The media type of the body, if there is one.
  var mediaType = "application/json; charset=utf-8"
  /// Additional header fields, sent unchanged.
  var fields: [Response.Field] = []
}

/// Behavior of the real API that no source documents. Each case is the number of a gap in the reference. Every
/// response that relies on one has its number in the header `X-Emulator-Assumption`.
enum Assumption: Int {
  /// U1: The codes of most errors, and the statuses of errors whose body is known.
  case errorCodes = 1
  /// U2: The response to replacing a configuration.
  case replacementAnswer = 2
  /// U3: The response to the deprecated update.
  case updateAnswer = 3
  /// U4: A pending connection appears as enabled, without features.
  case pendingStatus = 4
  /// U5: The requests that are rejected while a connection is pending.
  case pendingRefusal = 5
  /// U6: The response for users who have not enabled the connection.
  case notEnabled = 6
  /// U7: Enabling a connection that was never enabled, and enabling or disabling it twice.
  case turning = 7
  /// U9: The identity without credentials, or with a user id that is unknown to IFTTT.
  case identity = 9
  /// U10: The body of the response to usage events.
  case eventsAnswer = 10
  /// U11: `account/find` without an email address.
  case accountQuestion = 11
  /// U12: The result passed to the Connect URL's `redirect_uri`.
  case connectReturn = 12
  /// U13: The redirect URIs that are accepted.
  case returnMatching = 13
  /// U15: The formats of values in a configuration.
  case valueForms = 15
  /// U16: Distinguishing two user features of the same feature.
  case sameFeature = 16
  /// U18: The response of the Realtime API.
  case realtimeAnswer = 18
  /// U23: Order and errors in the older API.
  case olderAPI = 23
  /// U25: A request id in every response.
  case requestID = 25
  /// U26: The errors of a token exchange.
  case exchangeFailure = 26
  /// U27: The message of some 404 responses, and most contents of `details`.
  case notFoundMessage = 27
  /// U28: If a request has both a token and a key, the token is used.
  case tokenBeforeKey = 28
}
