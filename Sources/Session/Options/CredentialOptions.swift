package import CommandLine
import IFTTT
import Output
package import Text
package import World

/// The options that select the credentials of a command that connects to IFTTT.
package struct CredentialOptions: Sendable {
  package var level: Level?
  package var serviceKeyFile: String?
  package var userTokenFile: String?
  package var userID: String?
  package var inviteCode: String?

  package init(
    level: Level? = nil, serviceKeyFile: String? = nil, userTokenFile: String? = nil, userID: String? = nil,
    inviteCode: String? = nil
  ) {
    self.level = level
    self.serviceKeyFile = serviceKeyFile
    self.userTokenFile = userTokenFile
    self.userID = userID
    self.inviteCode = inviteCode
  }

  /// The authentication level of a request.
  package enum Level: String, Sendable, CaseIterable { case user, service, anonymous }

  /// The heading of options that select credentials.
  package static let heading = "Credentials"

  package static var flags: [Flag<CredentialOptions>] {
    let flags: [Flag<CredentialOptions>] = [
      .value(
        "as", .oneOf(Level.self, placeholder: "LEVEL"), into: \.level,
        defaultText: "the first available: user token, service key, anonymous", help: "Authentication level"),
      .credentialFile(.userToken, into: \.userTokenFile, isAdvanced: true),
      .credentialFile(.serviceKey, into: \.serviceKeyFile, isAdvanced: true),
      .userID(into: \.userID),
      .inviteCode(into: \.inviteCode),
    ]
    return flags.grouped(under: heading)
  }
}

extension Flag {
  /// The option for a file with a credential, which an environment variable may contain instead.
  /// - Parameter description: the credential in the help text; nil for `the` and its name.
  package static func credentialFile(
    _ name: CredentialName, into path: @autoclosure @escaping OptionKeyPath<Options, String?>,
    description: String? = nil, defaultText: String? = nil, isAdvanced: Bool = false
  ) -> Flag {
    .value(
      String(name.option.dropFirst(2)), .file, into: path(), defaultText: defaultText, isAdvanced: isAdvanced,
      help: "Read \(description ?? "the \(name.noun)") from this file, '-' for stdin (or set \(name.variable))")
  }

  package static func userID(into path: @autoclosure @escaping OptionKeyPath<Options, String?>) -> Flag {
    .value(
      "user-id", .userID(completion: .dynamic("token-user")), into: path(),
      environment: EnvironmentVariable.userID.name,
      help: "The user's id on your own service")
  }

  package static func inviteCode(into path: @autoclosure @escaping OptionKeyPath<Options, String?>) -> Flag {
    .value(
      "invite-code",
      .parsed("CODE", expected: "a code without control characters, of at most 64 KiB") { code in
        code.utf8.count <= longestCredential ? Secret(parsing: code).map { _ in code } : nil
      },
      into: path(), environment: EnvironmentVariable.inviteCode.name, isAdvanced: true,
      help: "Invite code of an unpublished service")
  }

  package static func service(into path: @autoclosure @escaping OptionKeyPath<Options, String?>) -> Flag {
    .value(
      "service", .serviceSlug(mayBeEmpty: false), into: path(), environment: EnvironmentVariable.service.name,
      help: "Slug of your service: the last part of https://ifttt.com/SLUG")
  }
}

extension Array {
  /// Converts the flags of a part of `Options` into flags of the whole.
  package static func lifted<Part, Options>(
    _ flags: [Flag<Part>], into path: @autoclosure @escaping OptionKeyPath<Options, Part>
  ) -> [Flag<Options>] where Element == Flag<Options> {
    flags.map { flag in
      Flag<Options>(flag.schema) { (options: inout Options, given: ParsedValue) throws(ValueError) in
        try flag.apply(&options[keyPath: path()], given)
      }
    }
  }
}

extension ValueKind<String> {
  /// A service's slug, or the URL of its page.
  /// - Parameter mayBeEmpty: whether an empty value, which removes the setting, is accepted too.
  package static func serviceSlug(mayBeEmpty: Bool) -> ValueKind {
    ValueKind(ValueSchema(placeholder: "SLUG")) { (text: String) throws(ValueError) in
      let page = "https://ifttt.com/"
      let slug = text.hasPrefix(page) ? String(text.dropFirst(page.count)) : text
      guard mayBeEmpty && slug.isEmpty || ServiceSlug(parsing: slug) != nil else {
        throw ValueError("expected the last part of https://ifttt.com/SLUG")
      }
      // A service key that is typed in the wrong place would be stored in the clear.
      guard SecretForms.tokens(in: Array(slug.utf8)[...]).isEmpty else {
        throw ValueError("it looks like a secret; a slug is the last part of https://ifttt.com/SLUG")
      }
      return slug
    }
  }

  /// A user's id on the developer's service. Invisible characters are rejected, because IFTTT would treat the id as
  /// another user's.
  /// - Parameter mayBeEmpty: whether the empty text is accepted, which removes a stored id.
  package static func userID(mayBeEmpty: Bool = false, completion: CompletionKind = .none) -> ValueKind {
    ValueKind(ValueSchema(placeholder: "ID", completion: completion)) { (text: String) throws(ValueError) in
      guard mayBeEmpty || !text.isEmpty else { throw ValueError("it must not be empty") }
      if let character = InvisibleCharacter(in: text) { throw ValueError("it contains \(character)") }
      return text
    }
  }
}

extension CredentialName {
  package var variable: EnvironmentVariable {
    switch self {
    case .serviceKey: .serviceKey
    case .userToken: .userToken
    case .accessToken: .accessToken
    case .oauthCode: .oauthCode
    case .clientSecret: .clientSecret
    case .webhooksKey: .webhooksKey
    }
  }
}
