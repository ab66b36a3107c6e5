import IFTTT
import Testing
import Text

/// From opening the browser to the end of the activation.
struct ActivationEndingTests {
  let token: Secret

  init() throws { token = try #require(Secret(parsing: "Tok-1")) }

  @Test func tokenIsSavedFirst() {
    var talk = ActivationScript.waiting(.stranger)
    talk.hears(.returned(.complete(token: token)), .saveToken)
    talk.hears(.saved, .claimToken)
    talk.hears(.claimed, .verify(.user))
    talk.hears(.verified(.enabled), .end(.done(.init(.browser))))
  }

  @Test func withoutATokenConnectionIsFetchedAtSameLevel() {
    for request in [ActivationFlow.ActivationRequest.user, .stranger, .service] {
      var talk = ActivationScript.waiting(request)
      talk.hears(.returned(.complete(token: nil)), .verify(request.level))
      talk.hears(.verified(.enabled), .end(.done(.init(.browser))))
    }
  }

  @Test func unknownStatusAfterCompleteCountsAsSuccess() {
    var talk = ActivationScript.waiting(.stranger)
    talk.hears(.returned(.complete(token: nil)), .verify(.anonymous))
    talk.hears(.verified(.unknown), .end(.done(.init(.browser))))
  }

  @Test(arguments: [UserStatus.neverEnabled, .disabled])
  func disabledStatusAfterCompleteIsAFailure(status: UserStatus) {
    var talk = ActivationScript.waiting(.user)
    talk.hears(.returned(.complete(token: nil)), .verify(.user))
    talk.hears(.verified(status), .end(.failed(.notConfirmed(status))))
  }

  @Test func redirectWithoutResultIsVerified() {
    var talk = ActivationScript.waiting(.service)
    talk.hears(.returned(.back), .verify(.service))
    var off = talk
    talk.hears(.verified(.enabled), .end(.done(.init(.browser))))
    var lost = off
    off.hears(.verified(.unknown), .end(.failed(.notConfirmed(.unknown))))
    lost.hears(.verifyFailed(.lost), .end(.failed(.api(.lost))))
  }

  @Test func failedVerificationAfterCompleteCountsAsSuccess() {
    var talk = ActivationScript.waiting(.stranger)
    talk.hears(.returned(.complete(token: token)), .saveToken)
    talk.hears(.saved, .claimToken)
    talk.hears(.claimed, .verify(.user))
    talk.hears(.verifyFailed(.lost), .end(.done(.init(.browser, unverified: .lost))))
  }

  /// ConnectSDK-iOS #296: the token's account is compared with the known one.
  @Test func tokenOfAnotherAccountIsAFailure() {
    var talk = ActivationScript.waiting(.user)
    talk.hears(.returned(.complete(token: token)), .saveToken)
    talk.hears(.saved, .claimToken)
    talk.hears(
      .declined(kept: "kai", returned: "zoe"), .end(.failed(.anotherAccount(kept: "kai", returned: "zoe"))))
    talk.hears(.verified(.enabled))
  }

  @Test(arguments: [UserStatus.enabled, .neverEnabled, .unknown])
  func skippedConfigurationLeavesConnectionPending(status: UserStatus) {
    var talk = ActivationScript.waiting(.user.with(\.skipsConfiguration, true))
    talk.hears(.returned(.complete(token: nil)), .verify(.user))
    talk.hears(.verified(status), .markPending, .end(.done(.init(.browser, isPending: true))))
  }

  @Test func skippedConfigurationIsPendingEvenIfVerificationFails() {
    var talk = ActivationScript.waiting(.user.with(\.skipsConfiguration, true))
    talk.hears(.returned(.complete(token: nil)), .verify(.user))
    talk.hears(.verifyFailed(.lost), .markPending, .end(.done(.init(.browser, isPending: true, unverified: .lost))))
  }

  @Test func redirectWithoutResultIsPendingOnlyIfEnabled() {
    var talk = ActivationScript.waiting(.service.with(\.skipsConfiguration, true))
    talk.hears(.returned(.back), .verify(.service))
    var on = talk
    talk.hears(.verified(.neverEnabled), .end(.failed(.notConfirmed(.neverEnabled))))
    on.hears(.verified(.enabled), .markPending, .end(.done(.init(.browser, isPending: true))))
  }

  @Test(arguments: [
    (ActivationRedirect.cancelled, ActivationFlow.Failure.cancelled), (.accountCreationFailed, .accountCreation),
    (.authorizationFailed(.partnerSignIn), .authorization(.partnerSignIn)),
    (.authorizationFailed(.other("tide")), .authorization(.other("tide"))),
    (.unknown(.damaged), .unknownReturn(.damaged)), (.unknown(.step("x")), .unknownReturn(.step("x"))),
  ])
  func otherRedirectsEndActivationOnce(came: ActivationRedirect, failure: ActivationFlow.Failure) {
    var talk = ActivationScript.waiting(.user.with(\.skipsConfiguration, true))
    talk.hears(.returned(came), .end(.failed(failure)))
    talk.hears(.returned(.complete(token: token)))
    talk.hears(.timeUp(sawForeignReturn: false))
  }

  @Test func firstOfTwoRedirectsCounts() {
    var talk = ActivationScript.waiting()
    talk.hears(.returned(.complete(token: token)), .saveToken)
    talk.hears(.returned(.cancelled))
    talk.hears(.saved, .claimToken)
    talk.hears(.returned(.cancelled))
  }

  @Test(arguments: [(false, ActivationFlow.Failure.timeout), (true, .foreignReturn)])
  func timeoutEndsActivation(sawForeignReturn: Bool, failure: ActivationFlow.Failure) {
    var talk = ActivationScript.waiting()
    talk.hears(.timeUp(sawForeignReturn: sawForeignReturn), .end(.failed(failure)))
  }

  @Test func enabledStatusDuringWaitAllowsTimeForRedirect() {
    var talk = ActivationScript.waiting()
    talk.hears(.seen(.neverEnabled))
    talk.hears(.seen(.enabled), .linger)
    talk.hears(.seen(.enabled))
    var came = talk
    talk.hears(.timeUp(sawForeignReturn: true), .note(.noReturn), .verify(.user))
    talk.hears(.verified(.enabled), .end(.done(.init(.browser))))
    came.hears(.returned(.complete(token: token)), .saveToken)
  }

  @Test func previouslyEnabledStatusDoesNotEndWait() {
    var talk = ActivationScript.waiting(.user.with(\.isForced, true), before: .enabled)
    talk.hears(.seen(.enabled))
    talk.hears(.returned(.complete(token: nil)), .verify(.user))
  }
}
