/// Assumptions about IFTTT's APIs that no source confirms, each with its number in the reference. Collected here so
/// that one place changes when the real behavior becomes known.
enum APIAssumptions {
  /// The iOS SDK sends the invite code on `/connections/*` only, the Android SDK with every request (C18, section 4).
  static let inviteCodeTravelsOnEveryCall = true

  /// The platform this program reports, if it reports one: its own name, since it is neither of the two known
  /// platforms (C27). Whether IFTTT uses the value is not stated anywhere (U24).
  static let platform = "ifttt-cli"

  /// The status of an error object under a 2xx carries no meaning. Its code therefore decides; only these three codes
  /// are known (U1).
  static let kindsByCode: [String: APIErrorResponse.Kind] = [
    "not_found": .notFound, "invalid_parameters": .invalidParameters, "unauthorized": .unauthorized,
  ]
}
