import HTTP

/// What the emulator has to say, before it is dressed as an HTTP response.
struct EmulatorResponse {
  var status = 200
  var body: [UInt8] = []
  var assumptions: [Assumption] = []
  /// The methods to name when another one was used.
  var allowed: String?
  /// Of the body, where there is one.
  var mediaType = "application/json; charset=utf-8"
  /// More fields, sent as they are.
  var fields: [Response.Field] = []
}

/// What no source states about the real API; each case is the number of that gap in the reference, and is sent as
/// the header `X-Emulator-Assumption` with every answer that fills it.
enum Assumption: Int {
  /// U1: the codes of most errors, and the statuses of those whose body is known.
  case errorCodes = 1
  /// U2: what replacing a configuration is answered with.
  case replacementAnswer = 2
  /// U3: what the deprecated update is answered with.
  case updateAnswer = 3
  /// U4: a pending connection shows as enabled, without features.
  case pendingStatus = 4
  /// U5: what is refused while pending.
  case pendingRefusal = 5
  /// U6: what is refused to users who have not enabled the connection.
  case notEnabled = 6
  /// U7: turning on what was never on, and turning on or off twice.
  case turning = 7
  /// U9: who one is without credentials, or with a user id that IFTTT does not know.
  case identity = 9
  /// U10: the body of the answer to usage events.
  case eventsAnswer = 10
  /// U11: `account/find` without an e-mail.
  case accountQuestion = 11
  /// U12: what the Connect URL's `redirect_uri` gets back.
  case connectReturn = 12
  /// U13: which addresses may be returned to.
  case returnMatching = 13
  /// U15: the forms of values in a configuration.
  case valueForms = 15
  /// U16: telling apart two user features of one feature.
  case sameFeature = 16
  /// U23: order and errors of the older API.
  case olderAPI = 23
  /// U25: an id on every answer.
  case requestID = 25
  /// U26: how an exchange fails.
  case exchangeFailure = 26
  /// U27: the message of some 404 answers, and most of what `details` name.
  case notFoundMessage = 27
  /// U28: the token counts when a key comes with it.
  case tokenBeforeKey = 28
}
