/// All phrases of the connect flow, in any language: on the button, on the page after the redirect, and in the
/// prompts of `activate` and `configure`.
package enum Phrase: Hashable, Sendable {
  // MARK: The button

  case loading
  case loadingFailed
  case retry
  case connect(service: String)
  case emailPlaceholder
  case invalidEmail
  case verifying
  case creatingAccount
  case newAccount(email: String)
  case signingIn(service: String)
  case connecting
  case connected
  case disconnecting
  case disconnected
  /// Contains the word IFTTT once, as ``securedWith`` does, so that a drawing can emphasize it.
  case worksWith
  case securedWith
  case learnMore
  case manage

  // MARK: About a connection

  case connects(first: String, second: String)
  case promiseOfFeatures
  case promiseOfControl
  case promiseOfProtection
  case promiseOfFreedom
  /// A sentence that contains ``terms`` literally.
  case acceptTerms
  case terms

  // MARK: The page after the redirect

  case connectedTo(service: String)
  case notConfiguredYet
  case configureToStart
  case cancelled
  case nothingChanged
  case notConnected
  case accountCreationFailed
  case signInFailed(service: String)
  /// As ``signInFailed(service:)``, for a service without a name.
  case partnerSignInFailed
  case identityNotVerified
  case appCouldNotFinish
  case notConfirmed
  case noReasonGiven
  /// IFTTT's own error code, which has no translation.
  case refused(reason: String)
  case unknownAnswer
  case pageNotExpected
  case closeWindow
  case terminalKnowsMore

  // MARK: Prompts and notes of activate

  case askEmail
  case accountWillBeCreated(email: String)
  case openPage
  case waitingMinutes(Int)
  case waitingSeconds(Int)
  case pasteAddress
  case keepOtherToken(login: String, expected: String)

  // MARK: Prompts and notes of configure

  case useFeature(title: String)
  case valueFor(field: String)
  case required
  case leaveAsIs(value: String)
  case chooseOne
  case chooseSeveral
  case latitude
  case longitude
  case radius
  case address
  case notANumber(String)
  case notAnOption(String)
  case needsValue(field: String)
  /// Several options have this name, so that a number must be used to select one.
  case ambiguousOption(String)
  /// Both bounds are included.
  case outOfBounds(low: String, high: String)
  case pointHasNoRadius
  case added
  case changed
  case removed
  case removeSettings(Int)
  /// Stored values that are no longer among the options.
  case sendOutdated
  /// Settings that IFTTT sent and that cannot be sent back, by their paths in its response.
  case loseUnreadable(places: String)
  /// The current settings, which IFTTT did not send, would be replaced.
  case replaceUnseen
  case nothingToChange

  // MARK: Replies

  /// The letters for yes and no. The letter for no is in upper case, because it is the default.
  case yesOrNo
}
