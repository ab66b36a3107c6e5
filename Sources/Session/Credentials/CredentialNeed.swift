import Store
package import Text
import World

/// A credential that a command needs: a secret, the user's id or the service.
package struct CredentialNeed: Sendable {
  package enum Kind: Hashable, Sendable { case secret(CredentialName), userID, service }

  package let kind: Kind
  /// The value of the command's option: for a secret, the path of its file.
  let given: String?
  /// For a user token, the user that the options specify.
  let user: String?
  /// Whether the profile's credential is also accepted, so that storing it is useful.
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

// The name, the options and the source of each credential that can be missing.

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

  /// A sentence about its source.
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

  /// The advice for a missing credential: its option, its variable and its source.
  fileprivate var advice: String { "pass \(option) or set \(variable). \(origin)" }

  /// The option of `profile set` that stores it, and its placeholder; nil if `profile set` cannot store it.
  fileprivate var storingOption: [String]? {
    switch self {
    case .secret(.serviceKey), .secret(.webhooksKey), .userID, .service:
      option.split(separator: " ").map(String.init)
    case .secret(.userToken), .secret(.accessToken), .secret(.oauthCode), .secret(.clientSecret): nil
    }
  }

  /// The kind under which a profile stores it as a secret; nil if it does not.
  var stored: CredentialKind? {
    if case .secret(let name) = self { CredentialKind(rawValue: name.rawValue) } else { nil }
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

extension CredentialNeed {
  fileprivate var advice: String {
    guard !isOfProfile, kind == .secret(.serviceKey) else { return kind.advice }
    return kind.advice + " The profile's key is sent only to IFTTT."
  }
}

extension [CredentialNeed] {
  /// The problem of a command without these credentials. It lists all of them, each with its option, variable and
  /// source, and the commands that store them.
  /// - Parameters:
  ///   - purpose: the command or action that needs them.
  ///   - profile: the profile that would store them.
  func problem(for purpose: String, profile: String) -> Problem {
    Problem(
      .credentialsMissing, "\(purpose) needs \(map(\.kind.nounWithArticle).listed(with: "and"))",
      hint: Hint.joined(storing(in: profile)),
      details: map { Problem.Detail(parameter: $0.kind.noun, message: $0.advice) })
  }

  private func storing(in profile: String) -> [Hint] {
    let ofProfile = filter(\.isOfProfile).map(\.kind)
    let stored = ofProfile.filter { $0.storingOption != nil }
    var hints: [Hint] = []
    if !stored.isEmpty {
      let commandLine = ["profile", "set", profile] + stored.compactMap(\.storingOption).joined()
      let command: SuggestedCommand = "\(typed: commandLine)"
      let object = count == 1 ? "it" : stored.map { "the \($0.noun)" }.listed(with: "and")
      hints.append("To store \(object), run \(ifttt: command).")
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
