import Connect

// What an activation says to the person at the terminal, in the language of the flow. Errors are not among it.

enum ActivationWords {
  static let askEmail = "Your e-mail"
  static let invalidEmail = "Please type one e-mail address, such as kai@mail.test."
  static let openPage = "Open this page to connect:"
  static func waiting(_ time: Duration) -> String {
    let seconds = Int(time.components.seconds)
    return seconds % 60 == 0 && seconds > 0
      ? "Waiting \(seconds / 60) \(seconds == 60 ? "minute" : "minutes") for the browser to return; Ctrl-C ends it."
      : "Waiting \(seconds) seconds for the browser to return; Ctrl-C ends it."
  }
  static let pasteAddress = "Or paste the address where the browser ended, and press Return."
  static func newAccount(_ email: EmailAddress) -> String {
    "IFTTT knows no account with the e-mail \(email): a new one will be made for it."
  }
  static func keepOtherToken(login: String, expected: String) -> String {
    "The token that came back belongs to '\(login)', and the profile's to '\(expected)'. Replace it?"
  }
}
