import HTTP
package import IFTTT
import Output
import Sandbox
import Store
package import Text
import World

/// The missing credentials that the user typed at prompts, and which of them a server has accepted.
final class TypedCredentials {
  /// In the order of the prompts.
  fileprivate(set) var needs: [CredentialNeed] = []
  /// The ids, by kind.
  fileprivate(set) var values: [CredentialNeed.Kind: String] = [:]
  fileprivate(set) var secrets: [CredentialNeed.Kind: Secret] = [:]
  fileprivate var accepted: Set<CredentialNeed.Kind> = []

  /// Notes that a request succeeded, so that its credentials are known to be valid.
  func noteSuccess(of request: Request) {
    guard !needs.isEmpty else { return }
    let sent = request.secrets
    for need in needs {
      let isProved =
        switch need.kind {
        case .secret: secrets[need.kind].map(sent.contains) ?? false
        // A request for a user has a credential.
        case .userID: !sent.isEmpty
        case .service: true
        }
      if isProved { accepted.insert(need.kind) }
    }
  }
}

extension CredentialAccess {
  /// Ensures that the credentials are present. Every command that needs one calls this, with all that it needs, so
  /// that the missing ones are reported or prompted for together.
  /// - Parameter complete: adds to the problem why they are needed.
  /// - Throws: `credentials_missing`, which names all that are missing, if prompts are unavailable.
  package func require(
    _ needs: [CredentialNeed], for purpose: String, explaining complete: (inout Problem) -> Void = { _ in }
  ) throws {
    let missing = try needs.filter { try isMissing($0) }
    guard !missing.isEmpty else { return }
    var problem = try problem(missing: missing, for: purpose)
    complete(&problem)
    guard console.mayPrompt else { throw problem }
    problem.hint = problem.hint.map(console.complete)
    world.writeMessage(problem.lines(color: false, width: world.messageWidth))
    for need in missing { try prompt(for: need) }
  }

  /// The secret of the file, the environment or the profile, or else typed.
  /// - Throws: as ``require(_:for:)``.
  package func required(
    _ name: CredentialName, file: String?, user: String? = nil, for purpose: String, isOfProfile: Bool = true
  ) throws -> Secret {
    let need = CredentialNeed.secret(name, file: file, user: user, isOfProfile: isOfProfile)
    try require([need], for: purpose)
    let found =
      try isOfProfile
      ? location(of: name, file: file, userID: user).flatMap { try secret(at: $0, name) } : given(name, file: file)
    // Another process may have removed it in the meantime.
    guard let found else { throw try problem(missing: [need], for: purpose) }
    return found
  }

  /// The given service, or else the profile's; the sandbox has a built-in one.
  /// - Throws: as ``require(_:for:)``.
  package func service(_ given: String?, for purpose: String? = nil) throws -> ServiceSlug {
    try require([.service(given)], for: purpose ?? command)
    let text = try knownService(given) ?? ""
    guard let slug = ServiceSlug(parsing: text) else {
      throw Problem(.usage, "'\(text)' is not a service slug", hint: "It is the last part of https://ifttt.com/SLUG.")
    }
    return slug
  }

  /// The problem of missing credentials for which no prompt is possible.
  package func problem(missing needs: [CredentialNeed], for purpose: String) throws -> Problem {
    needs.problem(for: purpose, profile: try profileName.description)
  }

  private func knownService(_ given: String?) throws -> String? {
    try setting(.service, given) ?? (profileName.isSandbox ? SandboxFixtures.serviceID : nil)
  }

  func isMissing(_ need: CredentialNeed) throws -> Bool {
    switch need.kind {
    case .userID: try userID(need.given) == nil
    case .service: try knownService(need.given) == nil
    case .secret(let name) where need.isOfProfile:
      try location(of: name, file: need.given, userID: need.user) == nil
    case .secret(let name): try given(name, file: need.given) == nil
    }
  }

  private func prompt(for need: CredentialNeed) throws {
    switch need.kind {
    case .secret(let name): typed.secrets[need.kind] = try promptOnce(name)
    case .userID, .service: typed.values[need.kind] = try promptForID(need.kind)
    }
    typed.needs.append(need)
  }

  private func promptForID(_ kind: CredentialNeed.Kind) throws -> String {
    let text = try console.ask("\(kind.noun): ").map { $0[...].trimmed } ?? ""
    guard !text.isEmpty else {
      throw Problem(.credentialsMissing, "no \(kind.noun) was entered", hint: Hint(kind.origin))
    }
    if let character = InvisibleCharacter(in: text) {
      throw Problem(
        .credentialsMissing, "the input does not contain a \(kind.noun)", reason: "it contains \(character)",
        hint: "Type or paste the \(kind.noun) only.")
    }
    return text
  }
}

// Storing what was typed.

extension CredentialAccess {
  /// Prompts once whether to store in the profile what was typed, if IFTTT has accepted it.
  package func offerToStore() throws {
    guard !typed.needs.isEmpty, console.mayPrompt, recording == nil, !console.options.isDryRun else { return }
    let needs = try typed.needs.filter { try isWorthStoring($0) }
    guard !needs.isEmpty else { return }
    let profile = try profile.name
    let names = needs.map { "the \($0.kind.noun)" }.enumerated
    guard try console.agrees(inEnglish: "Store \(names) in profile '\(profile)'?") else { return }
    var settings: [Profile.Setting: String] = [:]
    var secrets: [CredentialKind: Secret] = [:]
    for need in needs {
      if let setting = need.kind.setting { settings[setting] = typed.values[need.kind] }
      if let kind = need.kind.stored { secrets[kind] = typed.secrets[need.kind] }
    }
    let token = secrets.removeValue(forKey: .userToken)
    try store.save(Profile(name: profile, settings: settings), with: secrets)
    // It may belong to another user than the profile's.
    if let token, let need = needs.first(where: { $0.kind == .secret(.userToken) }) {
      try store.save(token, as: .userToken, userID: userID(need.user) ?? "", profile: profile)
    }
    console.note("Stored \(names) in profile '\(profile)'.")
  }

  private func isWorthStoring(_ need: CredentialNeed) throws -> Bool {
    guard need.isOfProfile, typed.accepted.contains(need.kind), try !profileName.isSandbox else { return false }
    // The command itself may have stored it in the meantime.
    if let setting = need.kind.setting { return try store.profile(profile.name)?.settings[setting] == nil }
    guard let kind = need.kind.stored else { return false }
    let user = try kind == .userToken ? userID(need.user) ?? "" : ""
    return try !store.credentials(profile: profile.name).contains { $0.kind == kind && $0.userID == user }
  }
}
