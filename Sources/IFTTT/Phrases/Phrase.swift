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
  case loseUnreadable(paths: String)
  /// The current settings, which IFTTT did not send, would be replaced.
  case replaceUnseen
  case nothingToChange

  // MARK: Replies

  /// The letters for yes and no. The letter for no is in upper case, because it is the default.
  case yesOrNo
}

extension Phrase {
  var inEnglish: String {
    switch self {
    case .loading: "Loading…"
    case .loadingFailed: "This connection could not be loaded"
    case .retry: "Try again"
    case .connect(let service): "Connect \(service)"
    case .emailPlaceholder: "Your email address"
    case .invalidEmail: "Enter one complete email address"
    case .verifying: "Verifying…"
    case .creatingAccount: "Creating your account…"
    case .newAccount(let email): "A new IFTTT account for \(email)"
    case .signingIn(let service): "Signing in to \(service)…"
    case .connecting: "Connecting…"
    case .connected: "Connected"
    case .disconnecting: "Disconnecting…"
    case .disconnected: "Disconnected"
    case .worksWith: "Works with IFTTT"
    case .securedWith: "Secured by IFTTT"
    case .learnMore: "Learn more"
    case .manage: "Manage"
    case .connects(let first, let second): "IFTTT brings \(first) and \(second) together"
    case .promiseOfFeatures: "Your favorite services can do more together"
    case .promiseOfControl: "You decide which services see your data and what they do with it"
    case .promiseOfProtection: "Your data is protected, and you can see how it is used"
    case .promiseOfFreedom: "You can disconnect at any time"
    case .acceptTerms: "By using this connection, you accept IFTTT’s privacy policy and terms of use"
    case .terms: "privacy policy and terms of use"
    case .connectedTo(let service): "Connected to \(service)"
    case .notConfiguredYet: "Connected, but not set up yet"
    case .configureToStart: "It starts working once it is configured. Continue in the terminal."
    case .cancelled: "Canceled"
    case .nothingChanged: "Nothing was changed."
    case .notConnected: "Not connected"
    case .accountCreationFailed: "IFTTT could not create an account for you."
    case .signInFailed(let service): "Signing in to \(service) did not work."
    case .partnerSignInFailed: "Signing in to the service did not work."
    case .identityNotVerified: "IFTTT could not verify that it is you."
    case .appCouldNotFinish: "The IFTTT app could not finish this; try again in the browser."
    case .noReasonGiven: "IFTTT gave no reason."
    case .refused(let reason): "IFTTT gave this reason: \(reason)"
    case .unknownAnswer: "IFTTT sent a response that this program does not recognize."
    case .pageNotExpected: "This page was not expected"
    case .closeWindow: "You can close this window and return to the terminal."
    case .terminalKnowsMore: "The terminal shows the next step."
    case .askEmail: "Email address of your IFTTT account"
    case .accountWillBeCreated(let email): "IFTTT will create a new account for \(email)."
    case .openPage: "Open this page in your browser:"
    case .waitingMinutes(let count): "Waiting up to \(count) \(Plural.onlyOne(count).of("minute", "minutes"))…"
    case .waitingSeconds(let count): "Waiting up to \(count) \(Plural.onlyOne(count).of("second", "seconds"))…"
    case .pasteAddress: "If the last page does not open, paste its address here"
    case .keepOtherToken(let login, let expected): "The new token belongs to \(login), not to \(expected). Keep it?"
    case .useFeature(let title): "Turn on “\(title)”?"
    case .valueFor(let field): "Value for “\(field)”"
    case .required: "required"
    case .leaveAsIs(let value): "Press Enter to keep \(value)"
    case .chooseOne: "Choose one by its number"
    case .chooseSeveral: "Choose by number, with commas between"
    case .latitude: "Latitude"
    case .longitude: "Longitude"
    case .radius: "Radius in meters"
    case .address: "Address"
    case .notANumber(let text): "“\(text)” is not a number."
    case .notAnOption(let text): "“\(text)” is not one of the options."
    case .needsValue(let field): "“\(field)” needs a value."
    case .ambiguousOption(let text): "Several options are named “\(text)”; choose by number."
    case .outOfBounds(let low, let high): "Enter a number from \(low) to \(high)."
    case .pointHasNoRadius: "This place is a point and has no radius."
    case .added: "Added"
    case .changed: "Changed"
    case .removed: "Removed"
    case .removeSettings(let count): "Remove \(count) \(Plural.onlyOne(count).of("setting", "settings"))?"
    case .sendOutdated: "Send values that are no longer available?"
    case .loseUnreadable(let paths): "IFTTT sent settings that cannot be read and would be removed: \(paths). Continue?"
    case .replaceUnseen: "IFTTT did not send the current settings, and they would be replaced. Continue?"
    case .nothingToChange: "There is nothing to change."
    case .yesOrNo: "y/N"
    }
  }

  /// American English, except for British spellings.
  var inBritishEnglish: String {
    switch self {
    case .promiseOfFeatures: "Your favourite services can do more together"
    case .cancelled: "Cancelled"
    case .radius: "Radius in metres"
    default: inEnglish
    }
  }
}
