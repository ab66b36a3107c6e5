import IFTTT
import Testing

/// From the first fetch of the connection to the identification of the user.
struct ActivationStartTests {
  @Test func returningUserIsIdentifiedByToken() {
    var script = ActivationScript(.user)
    script.receives(.begun, .load(.user))
    script.receives(.loaded(.neverEnabled), .askLogin)
    script.receives(.login("kai_lamps"), .prepare)
    script.receives(.prepared, .open(.username("kai_lamps"), .none), .wait)
  }

  @Test func returningUserIsIdentifiedByEmail() {
    var script = ActivationScript(.stranger)
    script.receives(.begun, .load(.anonymous))
    script.receives(.loaded(.unknown), .findAccount(.kai))
    script.receives(.account(true), .prepare)
    script.receives(.prepared, .open(.email(.kai, isNew: false), .none), .wait)
  }

  @Test func newUserIsNoted() {
    var script = ActivationScript(.stranger)
    script.receives(.begun, .load(.anonymous))
    script.receives(.loaded(.unknown), .findAccount(.kai))
    script.receives(.account(false), .note(.newAccount(.kai)), .prepare)
    script.receives(.prepared, .open(.email(.kai, isNew: true), .none), .wait)
  }

  @Test func inconclusiveLookupCreatesNoAccount() {
    var script = ActivationScript(.stranger)
    script.receives(.begun, .load(.anonymous))
    script.receives(.loaded(.unknown), .findAccount(.kai))
    script.receives(.account(nil), .note(.accountUnknown), .prepare)
    script.receives(.prepared, .open(.email(.kai, isNew: false), .none), .wait)
  }

  @Test func failedLookupEndsActivation() {
    var script = ActivationScript(.stranger)
    script.receives(.begun, .load(.anonymous))
    script.receives(.loaded(.unknown), .findAccount(.kai))
    script.receives(.accountFailed(.lost), .end(.failed(.api(.lost))))
  }

  @Test func promptsForEmailOnlyIfPossible() {
    var script = ActivationScript(.stranger.with(\.email, nil).with(\.mayAskEmail, true))
    script.receives(.begun, .load(.anonymous))
    script.receives(.loaded(.unknown), .askEmail)
    script.receives(.emailTyped(.kai), .findAccount(.kai))
    script = ActivationScript(.stranger.with(\.email, nil).with(\.mayAskEmail, true))
    script.receives(.begun, .load(.anonymous))
    script.receives(.loaded(.unknown), .askEmail)
    script.receives(.emailTyped(nil), .end(.failed(.needsEmail)))
    script = ActivationScript(.stranger.with(\.email, nil))
    script.receives(.begun, .load(.anonymous))
    script.receives(.loaded(.unknown), .end(.failed(.needsEmail)))
  }

  @Test(arguments: [(true, Authentication.Level.service), (false, .anonymous)])
  func rejectedTokenIsDroppedOnce(hasKey: Bool, next: Authentication.Level) {
    var script = ActivationScript(.user.with(\.hasServiceKey, hasKey).with(\.email, .kai))
    script.receives(.begun, .load(.user))
    script.receives(.loadFailed(.status(401)), .note(.tokenRefused(next)), .load(next))
    var again = script
    again.receives(.loadFailed(.status(401)), .end(.failed(.api(.status(401)))))
    script.receives(.loaded(.unknown), .findAccount(.kai))
  }

  @Test(arguments: [APIError.status(404), .status(403), .status(500), .lost])
  func otherLoadFailuresEndActivation(failure: APIError) {
    for request in [ActivationFlow.ActivationRequest.user, .stranger, .service] {
      var script = ActivationScript(request)
      script.receives(.begun, .load(request.level))
      script.receives(.loadFailed(failure), .end(.failed(.api(failure))))
    }
  }

  @Test func tokenRejectedAtLoginIsDropped() {
    var script = ActivationScript(.user.with(\.email, .kai))
    script.receives(.begun, .load(.user))
    script.receives(.loaded(.neverEnabled), .askLogin)
    var other = script
    script.receives(.loginFailed(.status(401)), .note(.tokenRefused(.anonymous)), .findAccount(.kai))
    other.receives(.loginFailed(.status(500)), .end(.failed(.api(.status(500)))))
  }

  @Test(arguments: [nil, ""])
  func accountWithoutANameIsIdentifiedByEmail(login: String?) {
    var script = ActivationScript(.user.with(\.email, .kai))
    script.receives(.begun, .load(.user))
    script.receives(.loaded(.neverEnabled), .askLogin)
    script.receives(.login(login), .findAccount(.kai))
  }

  @Test func enabledConnectionIsDoneUnlessForced() {
    var script = ActivationScript(.user)
    script.receives(.begun, .load(.user))
    script.receives(.loaded(.enabled), .end(.done(.init(.alreadyEnabled))))
    script.receives(.returned(.complete(token: nil)))
    var forced = ActivationScript(.user.with(\.isForced, true))
    forced.receives(.begun, .load(.user))
    forced.receives(.loaded(.enabled), .askLogin)
  }
}
