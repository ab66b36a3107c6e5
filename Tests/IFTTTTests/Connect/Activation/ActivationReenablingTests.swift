import IFTTT
import Testing

/// Connections that were enabled before and are now disabled (docs/api/activation.md §6, §10 and §12).
struct ActivationReenablingTests {
  private func disabled(_ request: ActivationFlow.ActivationRequest) -> ActivationScript {
    var talk = ActivationScript(request)
    talk.hears(.begun, .load(request.level))
    return talk
  }

  @Test func isReenabledWithoutABrowser() {
    var talk = disabled(.user)
    talk.hears(.loaded(.disabled), .reenable)
    talk.hears(.reenabled, .verify(.user))
    talk.hears(.verified(.enabled), .end(.done(.init(.reenabled))))
  }

  @Test func reenabledConnectionIsNotPending() {
    var talk = disabled(.user.with(\.skipsConfiguration, true))
    talk.hears(.loaded(.disabled), .reenable)
    talk.hears(.reenabled, .verify(.user))
    talk.hears(.verified(.enabled), .end(.done(.init(.reenabled, isPending: false))))
  }

  @Test func reenabledConnectionIsVerified() {
    var talk = disabled(.user)
    talk.hears(.loaded(.disabled), .reenable)
    talk.hears(.reenabled, .verify(.user))
    talk.hears(.verified(.disabled), .end(.failed(.notReenabled(.disabled))))
  }

  @Test func failedReenablingFallsBackToBrowser() {
    var talk = disabled(.user)
    talk.hears(.loaded(.disabled), .reenable)
    talk.hears(.reenableFailed(.status(422)), .note(.reenableFailed(.status(422))), .askLogin)
    talk.hears(.login("kai"), .prepare)
  }

  /// ConnectSDK-Android #240: re-enabling always fails for a connection that was disabled while pending.
  @Test func failedReenablingWithSkippedConfigurationIsReported() {
    var talk = disabled(.user.with(\.skipsConfiguration, true))
    talk.hears(.loaded(.disabled), .reenable)
    talk.hears(.reenableFailed(.status(422)), .end(.failed(.reenabling(.status(422)))))
  }

  @Test func failedReenablingWithoutAResponseEndsActivation() {
    var talk = disabled(.user)
    talk.hears(.loaded(.disabled), .reenable)
    talk.hears(.reenableFailed(.lost), .end(.failed(.api(.lost))))
  }

  @Test func withoutAUserTokenBrowserIsUsed() {
    var talk = disabled(.service)
    talk.hears(.loaded(.disabled), .prepare)
    talk = disabled(.stranger)
    talk.hears(.loaded(.disabled), .findAccount(.kai))
  }

  @Test func forcedActivationUsesBrowser() {
    var talk = disabled(.user.with(\.isForced, true))
    talk.hears(.loaded(.disabled), .askLogin)
  }
}
