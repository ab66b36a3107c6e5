import API
import Connect
import Testing

/// What was on before and was switched off (reference: activation.md, sections 6, 10 and 12).
struct ActivationReenablingTests {
  private func disabled(_ wish: ActivationFlow.Wish) -> ActivationScript {
    var talk = ActivationScript(wish)
    talk.hears(.begun, .load(wish.level))
    return talk
  }

  @Test func itIsTurnedOnWithoutABrowser() {
    var talk = disabled(.user)
    talk.hears(.loaded(.disabled), .reenable)
    talk.hears(.reenabled, .verify(.user))
    talk.hears(.verified(.enabled), .end(.done(.init(.reenabled))))
  }

  @Test func whatIsOnlyTurnedOnAgainIsNotPending() {
    var talk = disabled(.user.with(\.skipsConfiguration, true))
    talk.hears(.loaded(.disabled), .reenable)
    talk.hears(.reenabled, .verify(.user))
    talk.hears(.verified(.enabled), .end(.done(.init(.reenabled, isPending: false))))
  }

  @Test func thatItIsOnIsNotAssumed() {
    var talk = disabled(.user)
    talk.hears(.loaded(.disabled), .reenable)
    talk.hears(.reenabled, .verify(.user))
    talk.hears(.verified(.disabled), .end(.failed(.notConfirmed(.disabled))))
  }

  @Test func whereThatFailsTheBrowserIsTheWayOut() {
    var talk = disabled(.user)
    talk.hears(.loaded(.disabled), .reenable)
    talk.hears(.reenableFailed(.status(422)), .note(.reenableFailed(.status(422))), .askLogin)
    talk.hears(.login("kai"), .prepare)
  }

  /// ConnectSDK-Android #240: what was left pending and switched off fails every time.
  @Test func withTheConfigurationSkippedTheErrorIsShown() {
    var talk = disabled(.user.with(\.skipsConfiguration, true))
    talk.hears(.loaded(.disabled), .reenable)
    talk.hears(.reenableFailed(.status(422)), .end(.failed(.reenabling(.status(422)))))
  }

  @Test func whereNoAnswerCameNoBrowserHelps() {
    var talk = disabled(.user)
    talk.hears(.loaded(.disabled), .reenable)
    talk.hears(.reenableFailed(.lost), .end(.failed(.api(.lost))))
  }

  @Test func withoutAUserTokenItGoesThroughTheBrowser() {
    var talk = disabled(.service)
    talk.hears(.loaded(.disabled), .prepare)
    talk = disabled(.stranger)
    talk.hears(.loaded(.disabled), .findAccount(.kai))
  }

  @Test func byForceItGoesThroughTheBrowser() {
    var talk = disabled(.user.with(\.isForced, true))
    talk.hears(.loaded(.disabled), .askLogin)
  }
}
