import Session
import Text

/// The path argument of `ifttt api`: which API it belongs to, and whether that API is known to have it.
struct APIPath {
  /// The path with a leading slash.
  let text: String

  init(_ typed: String) {
    text = ["v1/", "v2/"].contains { typed.hasPrefix($0) } ? "/" + typed : typed
  }

  var base: Base? {
    if text.hasPrefix("/v2/") { .connect } else if text.hasPrefix("/v1/") { .api } else { nil }
  }

  /// Why no base URL could be determined.
  var problem: Problem {
    if requestMethod(text) != nil {
      return Problem(.usage, "the path is missing", hint: "Add it: \(ifttt: "api \(text.uppercased()) v2/me").")
    }
    let isURL = text.includes("://") || text.hasPrefix("//") || text.contains("@")
    return Problem(
      .usage, "'\(text)' does not begin with /v2/ or /v1/",
      hint: isURL
        ? "Pass only the path, such as /v2/me: credentials are sent only to the base URL's host."
        : "Begin the path with v2/ for the Connect API (such as v2/me) or v1/ for the Applets API.")
  }

  static let advice: Hint =
    "Check the path: IFTTT documents v2/me, v2/user_token, v2/connections/ID and v1/services/SERVICE/applets."

  /// The paths that IFTTT documents; `*` stands for one segment, and `**` at the end for one or more.
  private static let known = [
    "v2/me", "v2/user_token", "v2/provisional_access_code", "v2/account/find", "v2/sdk/events", "v2/connections/*",
    "v2/connections/*/enable", "v2/connections/*/disable", "v2/connections/*/user_connection",
    "v2/connections/*/user_connection/refresh", "v2/connections/*/features/**", "v2/connections/*/triggers/**",
    "v2/connections/*/queries/**", "v2/connections/*/actions/**", "v1/me", "v1/account/find", "v1/location_events",
    "v1/services/*/user_token", "v1/services/*/applets", "v1/services/*/applets/*", "v1/services/*/applets/*/enable",
    "v1/services/*/applets/*/disable",
  ].map { $0.split(separator: "/") }

  var isKnown: Bool {
    let parts = text.prefix { $0 != "?" }.split(separator: "/")
    return Self.known.contains { pattern in
      if pattern.last == "**" {
        return parts.count >= pattern.count && zip(pattern.dropLast(), parts).allSatisfy { $0 == "*" || $0 == $1 }
      }
      return parts.count == pattern.count && zip(pattern, parts).allSatisfy { $0 == "*" || $0 == $1 }
    }
  }
}
