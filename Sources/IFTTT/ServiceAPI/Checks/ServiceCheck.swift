/// A rule that a partner's server is checked for, with its name and advice.
package struct ServiceCheck: Sendable, Hashable {
  package let name: String
  /// The rule that a passed check proves, as a phrase without a period.
  package let proves: String
  /// The reason why IFTTT requires it, or the remedy if it fails, in sentences.
  package let advice: String

  init(_ name: String, _ proves: String, advice: String) {
    (self.name, self.proves, self.advice) = (name, proves, advice)
  }

  package static func == (a: ServiceCheck, b: ServiceCheck) -> Bool { a.name == b.name }
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

// The names of three checks are confirmed labels of IFTTT's own tests: `returns-at-least-three-items`,
// `with-extra-data` and `ensure-older-refresh-token-does-not-expire-immediately`. The others are this program's
// (docs/api/service.md U21).
extension ServiceCheck {
  // MARK: All endpoints

  package static let response = ServiceCheck(
    "response", "the endpoint responds with 200 and data",
    advice: "Respond with 200 and {\"data\": …}. The message shows the actual response.")
  package static let contentType = ServiceCheck(
    "content-type", "the response has the content type application/json; charset=utf-8",
    advice: "Send the header Content-Type: application/json; charset=utf-8 with every response that has a body.")
  package static let wrongKey = ServiceCheck(
    "wrong-key", "a request with a wrong service key is rejected with 401",
    advice:
      "Other programs can send requests to your server too. Compare IFTTT-Service-Key with your key, and respond with 401 and {\"errors\": [{\"message\": …}]} if they differ."
  )
  package static let wrongToken = ServiceCheck(
    "wrong-token", "a request with an invalid access token is rejected with 401",
    advice:
      "IFTTT refreshes an access token only after a 401. Respond with 401 and {\"errors\": [{\"message\": …}]} if the token is invalid or has expired."
  )
  package static let extraData = ServiceCheck(
    "with-extra-data", "an unknown key in the body is ignored",
    advice:
      "IFTTT adds a random key to the body, and will add new keys in the future. Ignore keys that you do not know.")
  package static let missingFields = ServiceCheck(
    "missing-fields", "a body without the fields object is rejected with 400",
    advice:
      "Respond with 400 and {\"errors\": [{\"message\": …}]} if the fields are missing, so that IFTTT can report the error."
  )
  package static let missingField = ServiceCheck(
    "missing-field", "a body without a required field is rejected with 400",
    advice: "Respond with 400 and {\"errors\": [{\"message\": …}]} if a required field is missing.")

  // MARK: Status, setup, user

  package static let statusOK = ServiceCheck(
    "status-ok", "the status endpoint responds with 200",
    advice:
      "IFTTT requests this endpoint to check whether the service is available. Respond with 200, or with 503 during maintenance."
  )
  package static let statusWithoutBody = ServiceCheck(
    "status-without-body", "the status response has no body", advice: "Respond with the status alone.")
  package static let setup = ServiceCheck(
    "setup", "test/setup responds with 200 and samples",
    advice:
      "Prepare test data, and respond with {\"data\": {\"accessToken\": …, \"samples\": {…}}}. Without samples, the endpoints cannot be tested."
  )
  package static let setupSamples = ServiceCheck(
    "setup-samples", "the samples are well-formed and cover the service",
    advice:
      "Return sample fields for each trigger and query with fields and for each action, and a valid and an invalid value for each field with validation."
  )
  package static let userInfo = ServiceCheck(
    "user-info", "user/info responds with 200 and the user",
    advice: "Respond with {\"data\": {\"name\": …, \"id\": …}}.")
  package static let userID = ServiceCheck(
    "user-id", "the user's id is a text of at most 200 characters",
    advice:
      "IFTTT identifies the account by this id. It must be a permanent string, and not an email address, a user name or a phone number."
  )
  package static let userName = ServiceCheck(
    "user-name", "the user's name is a text", advice: "IFTTT shows the name, so that users recognize their account.")

  // MARK: Triggers

  package static let threeItems = ServiceCheck(
    "returns-at-least-three-items", "a trigger returns at least three events",
    advice:
      "A trigger is a timeline of events, not the current state of something. Return the latest 50 events, whether or not IFTTT has seen them. For tests, prepare at least three in test/setup."
  )
  package static let at50Most = ServiceCheck(
    "at-most-50-items", "a trigger returns at most 50 events without a limit",
    advice: "The default limit is 50. Return the latest 50 events only.")
  package static let limitOne = ServiceCheck(
    "limit-1", "a trigger with limit 1 returns one event", advice: "Return at most as many events as the limit allows.")
  package static let limitZero = ServiceCheck(
    "limit-0", "a trigger with limit 0 returns no events",
    advice:
      "A limit of 0 is a valid limit: IFTTT uses it to check the request without reading events. Return {\"data\": []}. A common mistake is to treat 0 as if the limit were missing."
  )
  package static let newestFirst = ServiceCheck(
    "newest-first", "events are sorted by meta.timestamp, newest first",
    advice: "IFTTT reads new events from the beginning of the list. Sort by time in descending order.")
  package static let uniqueIDs = ServiceCheck(
    "unique-ids", "each event has a unique meta.id",
    advice:
      "IFTTT recognizes new events by meta.id. Return a string that is unique and never changes for the same event.")
  package static let stableIDs = ServiceCheck(
    "stable-ids", "two polls return the same events with the same meta.id",
    advice:
      "IFTTT runs the actions for each meta.id that it does not know. An id that is made for each response therefore runs them again with every poll. Store the id with the event."
  )
  package static let timestamps = ServiceCheck(
    "timestamps", "each event has the time as an integer of seconds in meta.timestamp",
    advice: "Return the Unix time in whole seconds as a number, not in milliseconds and not as a string.")
  package static let ingredients = ServiceCheck(
    "ingredients", "each row has all ingredients",
    advice: "Return a key for each ingredient in every row; use an empty string if there is no value.")
  package static let deleteIdentity = ServiceCheck(
    "delete-identity", "deleting a trigger identity succeeds",
    advice:
      "IFTTT deletes a trigger identity when its last Applet is disabled. Respond with 200. You may ignore the request."
  )

  // MARK: Options and validation

  package static let optionsList = ServiceCheck(
    "options-list", "the options are a list of labels and values",
    advice:
      "Respond with {\"data\": [{\"label\": …, \"value\": …}]}. An option with \"values\" instead of \"value\" is a group; groups cannot be nested."
  )
  package static let validValue = ServiceCheck(
    "valid-value", "the valid sample is valid",
    advice:
      "Respond with 200 and {\"data\": {\"valid\": true}}. With contextual validation, that is the result of each field."
  )
  package static let invalidValue = ServiceCheck(
    "invalid-value", "the invalid sample is not valid",
    advice:
      "Respond with 200, not with an error, and {\"data\": {\"valid\": false, \"message\": …}}. With contextual validation, that is the result of the field."
  )

  package static let validationMessage = ServiceCheck(
    "validation-message", "the invalid sample is rejected with a message",
    advice: "In data.message, explain why the value is not valid. IFTTT shows the message to the user.")
  package static let fieldResults = ServiceCheck(
    "field-results", "contextual validation returns a result for each field",
    advice:
      "Respond with {\"data\": {\"FIELD\": {\"valid\": true}, …}}, with a member for each field that is validated. IFTTT sends the values of all fields in one request."
  )

  // MARK: Actions

  package static let actionOneItem = ServiceCheck(
    "action-one-item", "an action returns one item", advice: "Respond with {\"data\": [{\"id\": …}]}.")
  package static let actionID = ServiceCheck(
    "action-id", "an action returns the id of its result as a string",
    advice: "Return a string in data[0].id, even if your ids are numbers.")
  package static let recordSkipping = ServiceCheck(
    "record-skipping", "an action that must be skipped is rejected with 400 and SKIP",
    advice:
      "IFTTT retries an action that fails. To skip it instead, respond with 400 and {\"errors\": [{\"status\": \"SKIP\", \"message\": …}]}."
  )

  // MARK: Queries

  package static let queryLimit = ServiceCheck(
    "query-limit", "a query with limit 1 returns at most one row",
    advice: "Return at most as many rows as the limit allows.")
  package static let cursor = ServiceCheck(
    "cursor", "a query that has more rows returns a cursor",
    advice: "Return a cursor if there are more rows, so that IFTTT can request the next page.")
  package static let lastPage = ServiceCheck(
    "last-page", "following the cursors ends with a page without a cursor",
    advice: "Omit the cursor on the last page. Otherwise IFTTT would request pages forever.")

  // MARK: Webhooks

  package static let webhookAccepted = ServiceCheck(
    "webhook-accepted", "a webhook is accepted",
    advice: "Respond with 200 immediately, and do the work afterwards.")
  package static let webhookWrongKey = ServiceCheck(
    "webhook-wrong-key", "a webhook with a wrong service key is rejected with 401",
    advice:
      "Other programs can send webhooks to your server too. Compare IFTTT-Service-Key with your key before you trust it."
  )

  // MARK: Sign-in

  package static let authorize = ServiceCheck(
    "authorize", "the authorization page redirects with a code",
    advice: "After the user has allowed the access, redirect to the redirect URI with the parameters code and state.")
  package static let state = ServiceCheck(
    "state", "the redirect has the state of the request",
    advice:
      "Return the parameter state unchanged. IFTTT rejects a redirect with another state, because it may be an attack.")
  package static let token = ServiceCheck(
    "token", "the code is exchanged for an access token",
    advice: "Respond with 200 and {\"token_type\": \"Bearer\", \"access_token\": …}.")
  package static let tokenType = ServiceCheck(
    "token-type", "the token response has the token type Bearer", advice: "Return \"token_type\": \"Bearer\".")
  package static let badCode = ServiceCheck(
    "bad-code", "an invalid code is rejected with invalid_grant",
    advice: "Respond with 400 and {\"error\": \"invalid_grant\"}.")
  package static let refresh = ServiceCheck(
    "refresh", "the refresh token is exchanged for an access token",
    advice: "Respond with 200 and a new access token. Without refresh tokens, access tokens must not expire.")
  package static let olderRefreshToken = ServiceCheck(
    "ensure-older-refresh-token-does-not-expire-immediately", "a refresh token still works after it was used",
    advice:
      "If the response to a refresh is lost, IFTTT has only the older token. Keep it valid for a while; otherwise the user must sign in again."
  )
  package static let badRefreshToken = ServiceCheck(
    "bad-refresh-token", "an invalid refresh token is rejected with invalid_grant",
    advice: "Respond with 400 and {\"error\": \"invalid_grant\"}. IFTTT then prompts the user to sign in again.")
}

/// A group of checks that `--only` and `--skip` can name.
package enum ServicePart: String, Sendable, CaseIterable {
  case status, setup, user, triggers, queries, actions, options, validation, webhooks
  case signIn = "sign-in"
}

extension ServiceCheck {
  /// All checks, in the order of their parts.
  package static let all: [ServiceCheck] = ServicePart.allCases.reduce(into: []) { all, part in
    all += checks(of: part).filter { !all.contains($0) }
  }

  /// The checks of a part, in the order of the report.
  package static func checks(of part: ServicePart) -> [ServiceCheck] {
    switch part {
    case .status: [.statusOK, .statusWithoutBody, .wrongKey]
    case .setup: [.setup, .setupSamples, .contentType, .wrongKey]
    case .user: [.userInfo, .userID, .userName, .contentType, .wrongToken]
    case .triggers:
      [
        .response, .contentType, .extraData, .wrongKey, .wrongToken, .missingFields, .missingField, .threeItems,
        .at50Most, .limitOne, .limitZero, .newestFirst, .uniqueIDs, .stableIDs, .timestamps, .ingredients,
        .deleteIdentity,
      ]
    case .queries:
      [
        .response, .contentType, .extraData, .wrongKey, .wrongToken, .missingFields, .missingField, .ingredients,
        .queryLimit, .cursor, .lastPage,
      ]
    case .actions:
      [
        .response, .contentType, .extraData, .wrongKey, .wrongToken, .missingFields, .missingField, .actionOneItem,
        .actionID, .recordSkipping,
      ]
    case .options: [.response, .contentType, .extraData, .wrongKey, .wrongToken, .optionsList]
    case .validation:
      [
        .contentType, .extraData, .wrongKey, .wrongToken, .fieldResults, .validValue, .invalidValue, .validationMessage,
      ]
    case .webhooks: [.webhookAccepted, .webhookWrongKey]
    case .signIn:
      [.authorize, .state, .token, .tokenType, .badCode, .userInfo, .refresh, .olderRefreshToken, .badRefreshToken]
    }
  }
}
