import HTTP
import Sandbox
package import Store
package import Text
import World

/// The credentials of one run: given by an option or the environment, stored in the profile, built into the sandbox, or
/// typed at a prompt. Secrets are decrypted only when a credential is needed.
package final class CredentialAccess {
  let world: World
  private let storage: StoreAccess
  package let console: Console
  /// The command, as errors name it: `'connections enable'`.
  let command: String
  let recording: Recording?
  let replay: Replay?
  private var readSecrets: [CredentialName: Secret] = [:]
  /// Where each credential of this session is from, for the error if a server rejects it.
  private var origins: [Secret: String] = [:]
  /// The missing credentials that the user typed.
  let typed: TypedCredentials
  private var decryptedSecrets: [Secret]?
  private var inviteCodes: Set<Secret> = []
  /// Whether stored secrets are masked in text from the network. A run for many users disables it: a request's own
  /// secrets are masked in any case, and the tokens of all users may be a million.
  package var masksStoredSecrets = true

  init(_ storage: StoreAccess, _ console: Console, command: String, recording: Recording?, replay: Replay?) {
    (world, self.storage, self.console, self.command) = (storage.world, storage, console, command)
    (self.recording, self.replay) = (recording, replay)
    typed = TypedCredentials()
  }

  package var store: Store { get throws { try storage.store } }
  package var profile: Profile { get throws { try storage.profile } }
  var profileName: ProfileName { get throws { try storage.profileName } }

  /// A secret that was read or typed earlier.
  func knownSecret(_ name: CredentialName) -> Secret? { readSecrets[name] }

  /// The option, variable or profile that a secret is from; nil if it is unknown.
  package func origin(of secret: Secret) -> String? { origins[secret] }

  func note(_ secret: Secret, from origin: String) { origins[secret] = origin }

  /// A secret that was already read from a file, or else the result of `read`.
  func readOnce(_ name: CredentialName, _ read: () throws -> Secret) throws -> Secret {
    if let secret = readSecrets[name] { return secret }
    let secret = try read()
    readSecrets[name] = secret
    return secret
  }

  /// All credentials that this session could send, whether or not they were sent: a server may repeat any token that
  /// it issued.
  package var knownSecrets: [Secret] {
    knownSecrets(decrypting: true)
  }

  /// - Parameter decrypts: whether to decrypt the stored secrets if that has not happened yet.
  func knownSecrets(decrypting decrypts: Bool) -> [Secret] {
    let stored = masksStoredSecrets ? decryptedSecrets ?? (decrypts ? storedSecrets() : []) : []
    if !stored.isEmpty { decryptedSecrets = stored }
    return world.environment.secrets + readSecrets.values + inviteCodes + stored
  }

  /// Adds an invite code that was given or is stored in the profile.
  package func remember(inviteCode: Secret) { inviteCodes.insert(inviteCode) }

  /// The secrets in the store if it was opened. A store that cannot be read is reported elsewhere.
  private func storedSecrets() -> [Secret] {
    guard let store = storage.openedStore, let profile = try? profileName.description else { return [] }
    return store.availableCredentials(profile: profile)
  }
}

extension CredentialAccess {
  /// The secret from the file, or else from the environment; nil if neither is given. A file is read only once,
  /// because it may be a pipe.
  package func given(_ name: CredentialName, file: String?) throws -> Secret? {
    let secret = try found(name, file: file)
    if let secret { recording?.note(secret, as: name) }
    return secret
  }

  /// The secret from its source. A replay uses only the placeholders in its environment.
  private func found(_ name: CredentialName, file: String?) throws -> Secret? {
    if let file, replay == nil {
      return try readOnce(name) {
        let secret = try normalized(read(name, from: file), as: name, from: file == "-" ? "stdin" : "'\(file)'")
        note(secret, from: "\(name.option) \(file)")
        return secret
      }
    }
    guard let value = world.environment[name.variable], !value.isEmpty else { return knownSecret(name) }
    guard !value.unicodeScalars.contains("\u{fffd}") else {
      throw Problem(
        .credentialsMissing, "\(name.variable) has invalid UTF-8 or the character U+FFFD",
        hint: "Set it to the \(name.noun) only.")
    }
    func unusable(_ what: String) -> Problem {
      Problem(
        .credentialsMissing, "\(name.variable) \(what)",
        hint: "Set it to the \(name.noun) only, without a line break.")
    }
    guard value.utf8.count <= longestCredential else { throw unusable("contains more than 64 KiB") }
    let secret: Secret
    do throws(InvalidSecret) { secret = try Secret(given: value) } catch {
      throw error == .controlCharacters ? unusable("contains control characters") : unusable("is unusable: \(error)")
    }
    let used =
      name == .webhooksKey
      ? try readOnce(name) { try normalized(secret, as: name, from: name.variable.name) } : secret
    note(used, from: name.variable.name)
    return used
  }

  /// Reads the secret from a file or stdin.
  private func read(_ name: CredentialName, from file: String) throws -> Secret {
    let bytes: [UInt8]
    if file == "-" {
      try console.claimInput(for: name.option)
      if world.terminal.inputIsTerminal { return try typed(name) }
      bytes = try world.input.readAll(limit: longestCredential)
    } else {
      do throws(SystemError) {
        bytes = try world.files.read(file, limit: longestCredential)
      } catch {
        throw Problem(
          .credentialsMissing, "cannot read the \(name.noun) from '\(file)'", reason: error.description,
          hint: "Pass a readable file, or '-' for stdin.")
      }
    }
    do throws(InvalidSecret) { return try Secret(file: bytes) } catch {
      throw unusable(error, as: name, from: file == "-" ? "stdin" : "'\(file)'")
    }
  }

  private func unusable(_ fault: InvalidSecret, as name: CredentialName, from source: String) -> Problem {
    let (reason, hint): (String, Hint) =
      switch fault {
      case .notUTF8, .controlCharacters: ("it is not one line of text", "Pass exactly one line.")
      case .empty: (fault.description, "Pass exactly one line.")
      case .encoding: (fault.description, "Save it as UTF-8.")
      case .invisible, .quoted, .assignment: (fault.description, "Pass the \(name.noun) only.")
      }
    return Problem(
      .credentialsMissing, "\(source) does not contain \(name.article) \(name.noun)", reason: reason, hint: hint)
  }

  /// The secret itself. A webhooks key is often copied together with the address that contains it.
  /// - Parameter source: the file or variable, for errors.
  private func normalized(_ secret: Secret, as name: CredentialName, from source: String) throws -> Secret {
    guard name == .webhooksKey else { return secret }
    guard let key = WebhooksKey(of: secret) else {
      throw Problem(
        .credentialsMissing, "\(source) does not contain a webhooks key",
        reason: "it contains a space or punctuation, and it is not an address with a key",
        hint: WebhooksKey.whereToFind)
    }
    if key.isFromAddress { console.note("The webhooks key was given as an address; only the key in it is used.") }
    return key.secret
  }

  /// Prompts without echo, because a plain read from a terminal would show the typed secret.
  private func typed(_ name: CredentialName) throws -> Secret {
    guard console.mayPrompt else {
      throw Problem(
        .credentialsMissing, "\(name.option) - reads stdin, which is a terminal",
        reason: "prompts are disabled, and the terminal would echo the input",
        hint: "Pass a file with \(name.option) FILE, or pipe the \(name.noun) in.")
    }
    return try prompted(name)
  }

  /// Prompts for the secret.
  private func prompted(_ name: CredentialName) throws -> Secret {
    let text = try console.promptForSecret(name.noun).revealed
    do throws(InvalidSecret) { return try Secret(given: text) } catch {
      throw unusable(error, as: name, from: "the input")
    }
  }

  /// Uses a secret that was typed before its command is run, in place of the file that the command names.
  package func remember(_ typed: Secret, as name: CredentialName) throws {
    let secret: Secret
    do throws(InvalidSecret) { secret = try Secret(given: typed.revealed) } catch {
      throw unusable(error, as: name, from: "the input")
    }
    readSecrets[name] = try normalized(secret, as: name, from: "the input")
    note(secret, from: "the prompt")
  }

  package func forget(_ name: CredentialName) { readSecrets[name] = nil }

  /// Uses the secrets that were typed in another session of the same run.
  func adoptSecrets(of other: CredentialAccess) { (readSecrets, origins) = (other.readSecrets, other.origins) }

  /// Prompts once for a secret that is missing.
  func promptOnce(_ name: CredentialName) throws -> Secret {
    let secret = try readOnce(name) { try normalized(prompted(name), as: name, from: "the input") }
    note(secret, from: "the prompt")
    recording?.note(secret, as: name)
    return secret
  }

  /// The user's id on the developer's service: the given one, or else the profile's.
  package func userID(_ given: String?) throws -> String? {
    try setting(.userID, given) ?? (profileName.isSandbox ? SandboxFixtures.userID : nil)
  }

  /// The given or typed value of a setting, or else the profile's.
  func setting(_ kind: CredentialNeed.Kind, _ given: String?) throws -> String? {
    if let value = given ?? typed.values[kind] { return value }
    return try kind.setting.flatMap { try profile.settings[$0] }
  }

  /// The id of the profile's own user: as selected or, if nothing selects one, that of the only stored token. Nil if it
  /// is unknown.
  package func ownUserID(_ options: CredentialOptions) throws -> String? {
    try userID(options.userID) ?? storedRecord(of: nil).0?.userID
  }

  /// The record of the user's token and the records of all tokens stored in the profile.
  package func storedRecord(of named: String?) throws -> (CredentialRecord?, all: [CredentialRecord]) {
    let all = try store.credentials(profile: profile.name).filter { $0.kind == .userToken }
    guard let user = try userID(named) else { return (all.count == 1 ? all[0] : nil, all) }
    return (all.first { $0.userID == user }, all)
  }

  /// The invite code from the option, the environment or the profile. The sandbox has a built-in code.
  package func inviteCode(_ given: String?) throws -> Secret? {
    if let code = try givenInviteCode(given) { return code }
    return try profileName.isSandbox ? Secret(parsing: SandboxFixtures.inviteCode) : nil
  }

  package func givenInviteCode(_ given: String?) throws -> Secret? {
    guard let text = try given ?? profile.settings[.inviteCode] else { return nil }
    guard let code = Secret(parsing: text) else {
      throw Problem(
        .usage, "the invite code contains control characters",
        hint: "It is the part after 'code=' of the service's invite URL.")
    }
    remember(inviteCode: code)
    return code
  }
}
