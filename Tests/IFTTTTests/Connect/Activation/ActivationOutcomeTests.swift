import IFTTT
import Testing
import Text

/// From opening the browser to the end of the activation.
struct ActivationOutcomeTests {
  let token: Secret

  init() throws { token = try #require(Secret(parsing: "Tok-1")) }

  @Test func tokenIsSavedFirst() {
    var script = ActivationScript.waiting(.stranger)
    script.receives(.returned(.complete(token: token)), .saveToken)
    script.receives(.saved, .claimToken)
    script.receives(.claimed, .verify(.user))
    script.receives(.verified(.enabled), .end(.done(.init(.browser))))
  }

  @Test func withoutATokenConnectionIsFetchedAtSameLevel() {
    for request in [ActivationFlow.ActivationRequest.user, .stranger, .service] {
      var script = ActivationScript.waiting(request)
      script.receives(.returned(.complete(token: nil)), .verify(request.level))
      script.receives(.verified(.enabled), .end(.done(.init(.browser))))
    }
  }

  @Test func unknownStatusAfterCompleteCountsAsSuccess() {
    var script = ActivationScript.waiting(.stranger)
    script.receives(.returned(.complete(token: nil)), .verify(.anonymous))
    script.receives(.verified(.unknown), .end(.done(.init(.browser))))
  }

  @Test(arguments: [UserStatus.neverEnabled, .disabled])
  func disabledStatusAfterCompleteIsAFailure(status: UserStatus) {
    var script = ActivationScript.waiting(.user)
    script.receives(.returned(.complete(token: nil)), .verify(.user))
    script.receives(.verified(status), .end(.failed(.notConfirmed(status))))
  }

  @Test func redirectWithoutResultIsVerified() {
    var script = ActivationScript.waiting(.service)
    script.receives(.returned(.back), .verify(.service))
    var off = script
    script.receives(.verified(.enabled), .end(.done(.init(.browser))))
    var lost = off
    off.receives(.verified(.unknown), .end(.failed(.notConfirmed(.unknown))))
    lost.receives(.verifyFailed(.lost), .end(.failed(.api(.lost))))
  }

  @Test func failedVerificationAfterCompleteCountsAsSuccess() {
    var script = ActivationScript.waiting(.stranger)
    script.receives(.returned(.complete(token: token)), .saveToken)
    script.receives(.saved, .claimToken)
    script.receives(.claimed, .verify(.user))
    script.receives(.verifyFailed(.lost), .end(.done(.init(.browser, unverified: .lost))))
  }

  /// ConnectSDK-iOS #296: the token's account is compared with the known one.
  @Test func tokenOfAnotherAccountIsAFailure() {
    var script = ActivationScript.waiting(.user)
    script.receives(.returned(.complete(token: token)), .saveToken)
    script.receives(.saved, .claimToken)
    script.receives(
      .declined(current: "kai", returned: "zoe"), .end(.failed(.anotherAccount(current: "kai", returned: "zoe"))))
    script.receives(.verified(.enabled))
  }

  @Test(arguments: [UserStatus.enabled, .neverEnabled, .unknown])
  func skippedConfigurationLeavesConnectionPending(status: UserStatus) {
    var script = ActivationScript.waiting(.user.with(\.skipsConfiguration, true))
    script.receives(.returned(.complete(token: nil)), .verify(.user))
    script.receives(.verified(status), .markPending, .end(.done(.init(.browser, isPending: true))))
  }

  @Test func skippedConfigurationIsPendingEvenIfVerificationFails() {
    var script = ActivationScript.waiting(.user.with(\.skipsConfiguration, true))
    script.receives(.returned(.complete(token: nil)), .verify(.user))
    script.receives(
      .verifyFailed(.lost), .markPending, .end(.done(.init(.browser, isPending: true, unverified: .lost))))
  }

  @Test func redirectWithoutResultIsPendingOnlyIfEnabled() {
    var script = ActivationScript.waiting(.service.with(\.skipsConfiguration, true))
    script.receives(.returned(.back), .verify(.service))
    var on = script
    script.receives(.verified(.neverEnabled), .end(.failed(.notConfirmed(.neverEnabled))))
    on.receives(.verified(.enabled), .markPending, .end(.done(.init(.browser, isPending: true))))
  }

  @Test(arguments: [
    (ActivationRedirect.cancelled, ActivationFlow.Failure.cancelled), (.accountCreationFailed, .accountCreation),
    (.authorizationFailed(.partnerSignIn), .authorization(.partnerSignIn)),
    (.authorizationFailed(.other("tide")), .authorization(.other("tide"))),
    (.unknown(.damaged), .unknownReturn(.damaged)), (.unknown(.step("x")), .unknownReturn(.step("x"))),
  ])
  func otherRedirectsEndActivationOnce(came: ActivationRedirect, failure: ActivationFlow.Failure) {
    var script = ActivationScript.waiting(.user.with(\.skipsConfiguration, true))
    script.receives(.returned(came), .end(.failed(failure)))
    script.receives(.returned(.complete(token: token)))
    script.receives(.timeUp(sawForeignReturn: false))
  }

  @Test func firstOfTwoRedirectsCounts() {
    var script = ActivationScript.waiting()
    script.receives(.returned(.complete(token: token)), .saveToken)
    script.receives(.returned(.cancelled))
    script.receives(.saved, .claimToken)
    script.receives(.returned(.cancelled))
  }

  @Test(arguments: [(false, ActivationFlow.Failure.timeout), (true, .foreignReturn)])
  func timeoutEndsActivation(sawForeignReturn: Bool, failure: ActivationFlow.Failure) {
    var script = ActivationScript.waiting()
    script.receives(.timeUp(sawForeignReturn: sawForeignReturn), .end(.failed(failure)))
  }

  @Test func enabledStatusDuringWaitAllowsTimeForRedirect() {
    var script = ActivationScript.waiting()
    script.receives(.seen(.neverEnabled))
    script.receives(.seen(.enabled), .linger)
    script.receives(.seen(.enabled))
    var came = script
    script.receives(.timeUp(sawForeignReturn: true), .note(.noRedirect), .verify(.user))
    script.receives(.verified(.enabled), .end(.done(.init(.browser))))
    came.receives(.returned(.complete(token: token)), .saveToken)
  }

  @Test func previouslyEnabledStatusDoesNotEndWait() {
    var script = ActivationScript.waiting(.user.with(\.isForced, true), before: .enabled)
    script.receives(.seen(.enabled))
    script.receives(.returned(.complete(token: nil)), .verify(.user))
  }
}
