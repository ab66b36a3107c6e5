/// Everything the connect flow says, in whatever language: on the button, on the page the browser ends on, and in the
/// questions of `activate` and `configure`.
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
  /// Has the word IFTTT in it once, as ``securedWith`` has, so that a drawing can set it off.
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
  /// A sentence with ``terms`` in it, letter for letter.
  case acceptTerms
  case terms

  // MARK: The page the browser ends on

  case connectedTo(service: String)
  case notConfiguredYet
  case configureToStart
  case cancelled
  case nothingChanged
  case notConnected
  case accountCreationFailed
  case signInFailed(service: String)
  /// The same where the service has no name.
  case partnerSignInFailed
  case identityNotVerified
  case appCouldNotFinish
  case notConfirmed
  case noReasonGiven
  /// IFTTT's own word for what went wrong, which has no translation.
  case refused(reason: String)
  case unknownAnswer
  case pageNotExpected
  case closeWindow
  case terminalKnowsMore

  // MARK: Questions and notes of activate

  case askEmail
  case accountWillBeCreated(email: String)
  case openPage
  case waitingMinutes(Int)
  case waitingSeconds(Int)
  case pasteAddress
  case keepOtherToken(login: String, expected: String)

  // MARK: Questions and notes of configure

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
  /// Several options have this name, so a number has to say which.
  case ambiguousOption(String)
  /// Both ends belong to it.
  case outOfBounds(low: String, high: String)
  case pointHasNoRadius
  case added
  case changed
  case removed
  case removeSettings(Int)
  /// Values that were stored once and are no options any more.
  case sendOutdated
  /// Settings that IFTTT sent, by their places in its answer, and that cannot be sent back.
  case loseUnreadable(places: String)
  /// What is set now was not sent.
  case replaceUnseen
  case nothingToChange

  // MARK: Answers

  /// The letters for yes and no, the latter in capitals since it is what an empty answer means.
  case yesOrNo
}
