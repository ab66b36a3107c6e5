import IFTTT
import Testing

/// From the first fetch of the connection to the identification of the user.
struct ActivationBeginningTests {
  @Test func returningUserIsIdentifiedByToken() {
    var talk = ActivationScript(.user)
    talk.hears(.begun, .load(.user))
    talk.hears(.loaded(.neverEnabled), .askLogin)
    talk.hears(.login("kai_lamps"), .prepare)
    talk.hears(.prepared, .open(.username("kai_lamps"), .none), .wait)
  }

  @Test func returningUserIsIdentifiedByEmail() {
    var talk = ActivationScript(.stranger)
    talk.hears(.begun, .load(.anonymous))
    talk.hears(.loaded(.unknown), .findAccount(.kai))
    talk.hears(.account(true), .prepare)
    talk.hears(.prepared, .open(.email(.kai, isNew: false), .none), .wait)
  }

  @Test func newUserIsNoted() {
    var talk = ActivationScript(.stranger)
    talk.hears(.begun, .load(.anonymous))
    talk.hears(.loaded(.unknown), .findAccount(.kai))
    talk.hears(.account(false), .note(.newAccount(.kai)), .prepare)
    talk.hears(.prepared, .open(.email(.kai, isNew: true), .none), .wait)
  }

  @Test func inconclusiveLookupCreatesNoAccount() {
    var talk = ActivationScript(.stranger)
    talk.hears(.begun, .load(.anonymous))
    talk.hears(.loaded(.unknown), .findAccount(.kai))
    talk.hears(.account(nil), .note(.accountUnknown), .prepare)
    talk.hears(.prepared, .open(.email(.kai, isNew: false), .none), .wait)
  }

  @Test func failedLookupEndsActivation() {
    var talk = ActivationScript(.stranger)
    talk.hears(.begun, .load(.anonymous))
    talk.hears(.loaded(.unknown), .findAccount(.kai))
    talk.hears(.accountFailed(.lost), .end(.failed(.api(.lost))))
  }

  @Test func promptsForEmailOnlyIfPossible() {
    var talk = ActivationScript(.stranger.with(\.email, nil).with(\.mayAskEmail, true))
    talk.hears(.begun, .load(.anonymous))
    talk.hears(.loaded(.unknown), .askEmail)
    talk.hears(.emailTyped(.kai), .findAccount(.kai))
    talk = ActivationScript(.stranger.with(\.email, nil).with(\.mayAskEmail, true))
    talk.hears(.begun, .load(.anonymous))
    talk.hears(.loaded(.unknown), .askEmail)
    talk.hears(.emailTyped(nil), .end(.failed(.needsEmail)))
    talk = ActivationScript(.stranger.with(\.email, nil))
    talk.hears(.begun, .load(.anonymous))
    talk.hears(.loaded(.unknown), .end(.failed(.needsEmail)))
  }

  @Test(arguments: [(true, Authentication.Level.service), (false, .anonymous)])
  func rejectedTokenIsDroppedOnce(hasKey: Bool, next: Authentication.Level) {
    var talk = ActivationScript(.user.with(\.hasServiceKey, hasKey).with(\.email, .kai))
    talk.hears(.begun, .load(.user))
    talk.hears(.loadFailed(.status(401)), .note(.tokenRefused(next)), .load(next))
    var again = talk
    again.hears(.loadFailed(.status(401)), .end(.failed(.api(.status(401)))))
    talk.hears(.loaded(.unknown), .findAccount(.kai))
  }

  @Test(arguments: [APIError.status(404), .status(403), .status(500), .lost])
  func otherLoadFailuresEndActivation(failure: APIError) {
    for request in [ActivationFlow.ActivationRequest.user, .stranger, .service] {
      var talk = ActivationScript(request)
      talk.hears(.begun, .load(request.level))
      talk.hears(.loadFailed(failure), .end(.failed(.api(failure))))
    }
  }

  @Test func tokenRejectedAtLoginIsDropped() {
    var talk = ActivationScript(.user.with(\.email, .kai))
    talk.hears(.begun, .load(.user))
    talk.hears(.loaded(.neverEnabled), .askLogin)
    var other = talk
    talk.hears(.loginFailed(.status(401)), .note(.tokenRefused(.anonymous)), .findAccount(.kai))
    other.hears(.loginFailed(.status(500)), .end(.failed(.api(.status(500)))))
  }

  @Test(arguments: [nil, ""])
  func accountWithoutANameIsIdentifiedByEmail(login: String?) {
    var talk = ActivationScript(.user.with(\.email, .kai))
    talk.hears(.begun, .load(.user))
    talk.hears(.loaded(.neverEnabled), .askLogin)
    talk.hears(.login(login), .findAccount(.kai))
  }

  @Test func enabledConnectionIsDoneUnlessForced() {
    var talk = ActivationScript(.user)
    talk.hears(.begun, .load(.user))
    talk.hears(.loaded(.enabled), .end(.done(.init(.alreadyEnabled))))
    talk.hears(.returned(.complete(token: nil)))
    var forced = ActivationScript(.user.with(\.isForced, true))
    forced.hears(.begun, .load(.user))
    forced.hears(.loaded(.enabled), .askLogin)
  }
}
