/// What no source states for certain about IFTTT's APIs, each with its number in the reference, so that one place
/// changes when the real behaviour becomes known.
enum APIAssumptions {
  /// The iOS SDK sends the invite code on `/connections/*` alone, the Android SDK on every call (C18, section 4).
  static let inviteCodeTravelsOnEveryCall = true

  /// The platform of this program, where it says so at all: its own name, since it is neither of the two that are known
  /// (C27). Whether IFTTT looks at it is stated nowhere (U24).
  static let platform = "ifttt-cli"

  /// An error object under a 2xx says nothing with its status, so these three codes, the only ones seen, decide (U1).
  static let kindsByCode: [String: APIErrorResponse.Kind] = [
    "not_found": .notFound, "invalid_parameters": .invalidParameters, "unauthorized": .unauthorized,
  ]
}
