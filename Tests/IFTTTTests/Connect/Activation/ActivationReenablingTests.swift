import IFTTT
import Testing

/// Connections that were enabled before and are now disabled (docs/api/activation.md §6, §10 and §12).
struct ActivationReenablingTests {
  private func disabled(_ request: ActivationFlow.ActivationRequest) -> ActivationScript {
    var script = ActivationScript(request)
    script.receives(.begun, .load(request.level))
    return script
  }

  @Test func isReenabledWithoutABrowser() {
    var script = disabled(.user)
    script.receives(.loaded(.disabled), .reenable)
    script.receives(.reenabled, .verify(.user))
    script.receives(.verified(.enabled), .end(.done(.init(.reenabled))))
  }

  @Test func reenabledConnectionIsNotPending() {
    var script = disabled(.user.with(\.skipsConfiguration, true))
    script.receives(.loaded(.disabled), .reenable)
    script.receives(.reenabled, .verify(.user))
    script.receives(.verified(.enabled), .end(.done(.init(.reenabled, isPending: false))))
  }

  @Test func reenabledConnectionIsVerified() {
    var script = disabled(.user)
    script.receives(.loaded(.disabled), .reenable)
    script.receives(.reenabled, .verify(.user))
    script.receives(.verified(.disabled), .end(.failed(.notReenabled(.disabled))))
  }

  @Test func failedReenablingFallsBackToBrowser() {
    var script = disabled(.user)
    script.receives(.loaded(.disabled), .reenable)
    script.receives(.reenableFailed(.status(422)), .note(.reenableFailed(.status(422))), .askLogin)
    script.receives(.login("kai"), .prepare)
  }

  /// ConnectSDK-Android #240: re-enabling always fails for a connection that was disabled while pending.
  @Test func failedReenablingWithSkippedConfigurationIsReported() {
    var script = disabled(.user.with(\.skipsConfiguration, true))
    script.receives(.loaded(.disabled), .reenable)
    script.receives(.reenableFailed(.status(422)), .end(.failed(.reenabling(.status(422)))))
  }

  @Test func failedReenablingWithoutAResponseEndsActivation() {
    var script = disabled(.user)
    script.receives(.loaded(.disabled), .reenable)
    script.receives(.reenableFailed(.lost), .end(.failed(.api(.lost))))
  }

  @Test func withoutAUserTokenBrowserIsUsed() {
    var script = disabled(.service)
    script.receives(.loaded(.disabled), .prepare)
    script = disabled(.stranger)
    script.receives(.loaded(.disabled), .findAccount(.kai))
  }

  @Test func forcedActivationUsesBrowser() {
    var script = disabled(.user.with(\.isForced, true))
    script.receives(.loaded(.disabled), .askLogin)
  }
}
