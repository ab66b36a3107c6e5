import HTTP
package import IFTTT
import Output
import Sandbox
import Store
package import Text
import World

/// The missing credentials that the user typed at prompts, and which of them a server has accepted.
final class TypedCredentials {
  /// The credentials that were prompted for, in this order.
  fileprivate(set) var needs: [CredentialNeed] = []
  /// The typed ids, by kind.
  fileprivate(set) var values: [CredentialNeed.Kind: String] = [:]
  fileprivate(set) var secrets: [CredentialNeed.Kind: Secret] = [:]
  fileprivate var accepted: Set<CredentialNeed.Kind> = []

  /// Records the credentials of a successful request as accepted.
  func noteSuccess(of request: Request) {
    guard !needs.isEmpty else { return }
    let sent = request.secrets
    for need in needs {
      let isAccepted =
        switch need.kind {
        case .secret: secrets[need.kind].map(sent.contains) ?? false
        // A request on behalf of a user always has a credential.
        case .userID: !sent.isEmpty
        case .service: true
        }
      if isAccepted { accepted.insert(need.kind) }
    }
  }
}

extension CredentialAccess {
  /// Ensures that credentials are present. Commands pass all the credentials that they need in one call, so that the
  /// missing ones are reported or prompted for together.
  /// - Parameter explain: adds to the problem why they are needed.
  /// - Throws: `credentials_missing` with all missing credentials, if prompts are unavailable.
  package func require(
    _ needs: [CredentialNeed], for purpose: String, explaining explain: (inout Problem) -> Void = { _ in }
  ) throws {
    let missing = try needs.filter { try isMissing($0) }
    guard !missing.isEmpty else { return }
    var problem = try problem(missing: missing, for: purpose)
    explain(&problem)
    guard console.mayPrompt else { throw problem }
    problem.hint = problem.hint.map(console.complete)
    world.writeMessage(problem.lines(color: false, width: world.messageWidth))
    for need in missing { try prompt(for: need) }
  }

  /// The secret from the file, the environment, the profile or a prompt.
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

// Stores typed credentials in the profile.

extension CredentialAccess {
  /// Offers once to store in the profile the typed credentials that IFTTT has accepted.
  package func offerToStore() throws {
    guard !typed.needs.isEmpty, console.mayPrompt, recording == nil, !console.options.isDryRun else { return }
    let needs = try typed.needs.filter { try isWorthStoring($0) }
    guard !needs.isEmpty else { return }
    let profile = try profile.name
    let names = needs.map { "the \($0.kind.noun)" }.listed(with: "and")
    guard try console.agrees(inEnglish: "Store \(names) in profile '\(profile)'?") else { return }
    var settings: [Profile.Setting: String] = [:]
    var secrets: [CredentialKind: Secret] = [:]
    for need in needs {
      if let setting = need.kind.setting { settings[setting] = typed.values[need.kind] }
      if let kind = need.kind.stored { secrets[kind] = typed.secrets[need.kind] }
    }
    let token = secrets.removeValue(forKey: .userToken)
    try store.save(Profile(name: profile, settings: settings), with: secrets)
    // The token may belong to a user other than the profile's.
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
