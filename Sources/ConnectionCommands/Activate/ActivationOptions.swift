package import CommandLine
import HTTP
import IFTTT
package import Session
import Store
import Text

/// The options of `connections activate`, most of which `configure --skip` also accepts.
package struct ActivationOptions: Sendable {
  var email: EmailAddress?
  var page: ActivationPage?
  /// The redirect URL of an earlier run, or `-` for stdin.
  package var finishURL: String?
  var revealsCode = false
  package var oauthCodeFile: String?
  /// Nil for the profile's default.
  var skipsConfiguration: Bool?
  var isForced = false
  var redirect = RedirectOptions()
  package var credentials = CredentialOptions()

  package init() {}

  /// Whether the URL is only printed, and without the OAuth code. The code works only once, so it is not spent then.
  var hidesCode: Bool { !redirect.usesBrowser && !revealsCode }

  package static var flags: [Flag<ActivationOptions>] {
    flags() + [
      .toggle(
        "skip-config", negatable: true, into: \.skipsConfiguration,
        defaultText: "the profile's default, set by 'configure --skip'",
        help: "Skip IFTTT's configuration screen; the connection is then pending until it is configured")
    ] + .lifted(CredentialOptions.flags, into: \.credentials)
  }

  /// The options that `configure --skip` also accepts.
  /// - Parameter isAdvanced: whether `-h` omits them.
  package static func flags(isAdvanced: Bool = false) -> [Flag<ActivationOptions>] {
    [
      .value(
        "email", .emailAddress, into: \.email, isAdvanced: isAdvanced,
        help: "The user's email address, which identifies a user without a user token"),
      .toggle(
        "force", into: \.isForced, isAdvanced: isAdvanced,
        help: "Use the browser even if the connection is already enabled"),
      .value(
        "url", .oneOf(ActivationPage.self, placeholder: "KIND", help: \.summary), into: \.page,
        defaultText: "connect with a service key but no user token or invite code, otherwise sdk", isAdvanced: true,
        help: "IFTTT page to open"),
      .value(
        "finish", .nonEmpty("URL"), into: \.finishURL, isAdvanced: true,
        help: "Complete an earlier run with the URL of its redirect; '-' reads stdin"),
      .value(
        "oauth-code-file", .file, into: \.oauthCodeFile, isAdvanced: true,
        help: "Read the OAuth code of your service from this file, '-' for stdin (or set IFTTT_OAUTH_CODE)"),
      .toggle(
        "reveal", into: \.revealsCode, isAdvanced: true, help: "Print the URL including the OAuth code"),
    ] + .lifted(RedirectOptions.flags(isAdvanced: isAdvanced), into: \.redirect)
  }

  /// The long names of all options of ``flags(isAdvanced:)``.
  package static let names = [
    "email", "force", "url", "finish", "oauth-code-file", "reveal", "browser", "no-browser", "redirect-uri",
    "nonce", "no-nonce",
  ]

  /// Whether any option of ``flags(isAdvanced:)`` differs from its default.
  package var isAnySet: Bool {
    email != nil || isForced || page != nil || finishURL != nil || oauthCodeFile != nil || revealsCode
      || redirect.address != nil || !redirect.usesBrowser || !redirect.usesNonce
  }

  package func check() throws(Conflict) {
    if finishURL == "-", oauthCodeFile == "-" {
      throw Conflict("stdin can be read only once", options: ["finish", "oauth-code-file"])
    }
  }

  /// Returns the options completed with the profile's settings.
  /// - Throws: `usage` for `--finish` without the redirect URI that its URL is compared with.
  func completed(in session: Session) throws -> ActivationOptions {
    var options = self
    options.redirect = try session.completed(redirect)
    if finishURL != nil, options.redirect.address == nil {
      throw Problem(
        .usage, "--finish needs the redirect URI of the earlier run",
        reason: "neither --redirect-uri nor the profile sets it",
        hint: "Add --redirect-uri with the URI that the earlier run printed.")
    }
    return options
  }
}

extension ActivationPage {
  fileprivate var summary: String? {
    switch self {
    case .sdk: "the page that IFTTT's SDKs open; returns a user token"
    case .connect: "the documented page; returns no result"
    }
  }
}

extension Session {
  /// The profile's default: whether its activations skip IFTTT's configuration screen.
  var skipsConfiguration: Bool { get throws { try profile.settings[.skipConfiguration] == "true" } }
}
