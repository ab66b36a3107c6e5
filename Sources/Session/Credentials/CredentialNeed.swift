import Store
package import Text
import World

/// A credential that a command needs: a secret, the user's id or the service.
package struct CredentialNeed: Sendable {
  package enum Kind: Hashable, Sendable { case secret(CredentialName), userID, service }

  package let kind: Kind
  /// The file or the value that an option of the command specifies.
  let given: String?
  /// The user that the options specify, to whom a user token belongs.
  let user: String?
  /// Whether the profile's own credential is used too, and is therefore worth storing.
  let isOfProfile: Bool

  package static func userID(_ given: String?) -> CredentialNeed {
    CredentialNeed(kind: .userID, given: given, user: nil, isOfProfile: true)
  }

  package static func service(_ given: String?) -> CredentialNeed {
    CredentialNeed(kind: .service, given: given, user: nil, isOfProfile: true)
  }

  package static func secret(
    _ name: CredentialName, file: String?, user: String? = nil, isOfProfile: Bool = true
  ) -> CredentialNeed {
    CredentialNeed(kind: .secret(name), given: file, user: user, isOfProfile: isOfProfile)
  }
}

// The table of everything that can be missing: its name, and how and where to get it.

extension CredentialNeed.Kind {
  package var noun: String {
    switch self {
    case .secret(let name): name.noun
    case .userID: "user id"
    case .service: "service"
    }
  }

  fileprivate var nounWithArticle: String {
    if case .secret(let name) = self { "\(name.article) \(noun)" } else { "a \(noun)" }
  }

  /// The option with its placeholder.
  private var option: String {
    switch self {
    case .secret(let name): "\(name.option) FILE"
    case .userID: "--user-id ID"
    case .service: "--service SLUG"
    }
  }

  private var variable: EnvironmentVariable {
    switch self {
    case .secret(let name): name.variable
    case .userID: .userID
    case .service: .service
    }
  }

  /// A sentence that says where it comes from.
  package var origin: String {
    switch self {
    case .secret(.serviceKey): "IFTTT shows it on your service's page https://platform.ifttt.com/services/SLUG/api."
    case .secret(.userToken): "IFTTT issues it for one user; no IFTTT page shows it."
    case .secret(.accessToken): "Your own OAuth server issues it for the user; no IFTTT page shows it."
    case .secret(.oauthCode): "Your own OAuth server issues it for the user."
    case .secret(.clientSecret): "Your own OAuth server expects it from IFTTT."
    case .secret(.webhooksKey): WebhooksKey.whereToFind.text
    case .userID: "Your service's endpoint /ifttt/v1/user/info returns it; it is not the IFTTT login."
    case .service: "It is the last part of the URL of your service's page, https://ifttt.com/SLUG."
    }
  }

  /// What to pass, and where it comes from.
  fileprivate var advice: String { "pass \(option) or set \(variable). \(origin)" }

  /// The option of `profile set` that stores it, and its placeholder; nil if a profile does not store it, or another command does.
  fileprivate var storingOption: [String]? {
    switch self {
    case .secret(.serviceKey), .secret(.webhooksKey), .userID, .service:
      option.split(separator: " ").map(String.init)
    case .secret(.userToken), .secret(.accessToken), .secret(.oauthCode), .secret(.clientSecret): nil
    }
  }

  /// The kind under which a profile stores it; nil for a setting, and if a profile does not store it.
  var stored: CredentialKind? {
    switch self {
    case .secret(.serviceKey): .serviceKey
    case .secret(.userToken): .userToken
    case .secret(.webhooksKey): .webhooksKey
    case .secret(.accessToken), .secret(.oauthCode), .secret(.clientSecret), .userID, .service: nil
    }
  }

  /// The profile's setting that holds it.
  var setting: Profile.Setting? {
    switch self {
    case .userID: .userID
    case .service: .service
    case .secret: nil
    }
  }
}

extension [CredentialNeed] {
  /// The problem of a command that lacks these credentials: all at once, each with its option, its variable and its
  /// origin, and the commands that store them.
  /// - Parameters:
  ///   - purpose: the command or action that needs them.
  ///   - profile: the profile that would store them.
  func problem(for purpose: String, profile: String) -> Problem {
    Problem(
      .credentialsMissing, "\(purpose) needs \(map(\.kind.nounWithArticle).enumerated)",
      hint: Hint.joined(storing(in: profile)),
      details: map { Problem.Detail(parameter: $0.kind.noun, message: $0.kind.advice) })
  }

  private func storing(in profile: String) -> [Hint] {
    let ofProfile = filter(\.isOfProfile).map(\.kind)
    let stored = ofProfile.filter { $0.storingOption != nil }
    var hints: [Hint] = []
    if !stored.isEmpty {
      let commandLine = ["profile", "set", profile] + stored.compactMap(\.storingOption).joined()
      let command: SuggestedCommand = "\(typed: commandLine)"
      let what = count == 1 ? "it" : stored.map { "the \($0.noun)" }.enumerated
      hints.append("To store \(what), run \(ifttt: command).")
    }
    if ofProfile.contains(.secret(.userToken)) {
      hints.append(
        "Get and store a user token with \(ifttt: "token exchange"), or store one that you have with "
          + "\(ifttt: "token set")."
      )
    }
    return hints
  }
}

extension [String] {
  /// The items as a sentence lists them: `a, b and c`.
  package var enumerated: String {
    count < 2 ? first ?? "" : "\(dropLast().joined(separator: ", ")) and \(self[count - 1])"
  }
}
