import Arguments
import Connect
import HTTP

/// How a connection is to be switched on: what `connections activate` is told, and `configure --skip` alike.
struct ActivationOptions: Sendable {
  var email: EmailAddress?
  var page: ActivationPage?
  /// Where an earlier run's browser ended, or `-` for standard input.
  var handedOver: String?
  var revealsCode = false
  var oauthCodeFile: String?
  /// Nil for what the profile says.
  var skipsConfiguration: Bool?
  var isForced = false
  var returning = ReturnOptions()
  var credentials = CredentialOptions()

  static var flags: [Flag<ActivationOptions>] {
    [
      .value(
        "email", .emailAddress, into: \.email,
        help: "The user's e-mail, by which IFTTT knows who is not known by a user token"),
      .toggle(
        "skip-config", negatable: true, into: \.skipsConfiguration,
        defaultText: "what 'configure --skip' set for the profile",
        help: "Skip IFTTT's configuration screen; the connection is then pending until it is configured"),
      .toggle("force", into: \.isForced, help: "Go through the browser even where the connection is on already"),
      .value(
        "url", .oneOf(ActivationPage.self, placeholder: "KIND", help: \.summary), into: \.page,
        defaultText: "connect where only a service key is at hand, else sdk", isAdvanced: true,
        help: "Open this one of IFTTT's two pages"),
      .value(
        "redirect-url", .nonEmpty("URL"), into: \.handedOver, isAdvanced: true,
        help: "Take this return of an earlier run, '-' for standard input, instead of opening anything"),
      .value(
        "oauth-code-file", .file, into: \.oauthCodeFile, isAdvanced: true,
        help: "Read the OAuth code of your service from this file, '-' for standard input (or set IFTTT_OAUTH_CODE)"),
      .toggle("reveal", into: \.revealsCode, isAdvanced: true, help: "Print the URL with the OAuth code in it"),
    ] + .lifted(ReturnOptions.flags, into: \.returning) + .lifted(CredentialOptions.flags, into: \.credentials)
  }

  func check() throws(Conflict) {
    if handedOver != nil, returning.address == nil {
      throw Conflict(
        "--redirect-url is held against the address that was expected: give that with --redirect-uri", isLack: true)
    }
    if handedOver == "-", oauthCodeFile == "-" {
      throw Conflict("standard input can be read only once", options: ["redirect-url", "oauth-code-file"])
    }
  }
}

extension ActivationPage {
  fileprivate var summary: String? {
    switch self {
    case .sdk: "the one that IFTTT's SDKs open; gives a user token"
    case .connect: "the documented one; tells nothing when it is done"
    }
  }
}

extension ValueKind<EmailAddress> {
  static var emailAddress: ValueKind {
    .parsed("EMAIL", expected: "one e-mail address, such as kai@mail.test") { EmailAddress(parsing: $0) }
  }
}
