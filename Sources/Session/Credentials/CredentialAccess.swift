import HTTP
import Sandbox
package import Store
package import Text
import World

/// The credentials of one run: from an option, the environment, the profile, the sandbox or a prompt. Secrets are
/// decrypted only when a credential is needed.
package final class CredentialAccess {
  let world: World
  private let storage: StoreAccess
  package let console: Console
  /// The command, as errors name it: `'connections enable'`.
  let command: String
  let recording: Recording?
  let replay: Replay?
  private var readSecrets: [CredentialName: Secret] = [:]
  /// The secrets that programs of the profile have printed.
  private var printedSecrets: [CredentialName: Secret] = [:]
  /// The origin of each credential of this session, for the error if a server rejects it.
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

  /// The option, variable or profile that contained a secret; nil if it is unknown.
  package func origin(of secret: Secret) -> String? { origins[secret] }

  func note(_ secret: Secret, from origin: String) { origins[secret] = origin }

  /// A secret that was already read from a file, or else the result of `read`.
  func readOnce(_ name: CredentialName, _ read: () throws -> Secret) throws -> Secret {
    if let secret = readSecrets[name] { return secret }
    let secret = try read()
    readSecrets[name] = secret
    return secret
  }

  /// All credentials that this session could send. Unsent ones are included, because a server may repeat any token that
  /// it issued.
  package var knownSecrets: [Secret] {
    knownSecrets(decrypting: true)
  }

  /// - Parameter decrypts: whether to decrypt the stored secrets if that has not happened yet.
  func knownSecrets(decrypting decrypts: Bool) -> [Secret] {
    let stored = masksStoredSecrets ? decryptedSecrets ?? (decrypts ? storedSecrets() : []) : []
    if !stored.isEmpty { decryptedSecrets = stored }
    return world.environment.secrets + readSecrets.values + printedSecrets.values + inviteCodes + stored
  }

  /// Adds an invite code that was given or is stored in the profile.
  package func remember(inviteCode: Secret) { inviteCodes.insert(inviteCode) }

  /// The secrets in the store; empty if the store was not opened or cannot be read. Errors are reported elsewhere.
  private func storedSecrets() -> [Secret] {
    guard let store = storage.openedStore, let profile = try? profileName.description else { return [] }
    return store.availableCredentials(profile: profile)
  }
}

extension CredentialAccess {
  /// The secret from the file, or else from the environment; nil if there is neither. A file is read only once, because
  /// it may be a pipe.
  package func given(_ name: CredentialName, file: String?) throws -> Secret? {
    let secret = try lookUp(name, file: file)
    if let secret { recording?.note(secret, as: name) }
    return secret
  }

  /// The secret from its source. A replay uses only the placeholders in its environment.
  private func lookUp(_ name: CredentialName, file: String?) throws -> Secret? {
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
    func unusable(_ predicate: String) -> Problem {
      Problem(
        .credentialsMissing, "\(name.variable) \(predicate)",
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
      try console.reserveInput(for: name.option)
      if world.terminal.inputIsTerminal { return try promptInsteadOfReading(name) }
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

  /// The secret that a program of the profile prints on its first line, without a shell. It is run once, and its output is
  /// never shown, because it may be a secret even if it is not the expected one.
  func printed(_ name: CredentialName, by words: [String]) throws -> Secret {
    if let secret = printedSecrets[name] { return secret }
    func failure(_ reason: String) throws -> Problem {
      Problem(
        .credentialsMissing, "the command for the \(name.noun) of profile '\(try profile.name)' failed", reason: reason,
        hint: "Run it yourself to see why: \(shell: "\(typed: words)")")
    }
    let result: ProcessResult
    do throws(SystemError) { result = try world.processes.run(forSecret: words) } catch {
      try world.checkInterruption()
      throw try failure(error.isTimeout ? "\(words[0]) did not end within 30 s" : error.description)
    }
    guard result.status == 0 else { throw try failure("\(words[0]) exited with status \(result.status)") }
    let line = result.output.prefix { $0 != UInt8(ascii: "\n") }
    let source = "the output of \(words[0])"
    let secret: Secret
    do throws(InvalidSecret) { secret = try Secret(file: Array(line)) } catch {
      throw unusable(error, as: name, from: source)
    }
    guard line.count <= longestCredential else { throw try failure("its first line has more than 64 KiB") }
    let used = try normalized(secret, as: name, from: source)
    printedSecrets[name] = used
    return used
  }

  private func unusable(_ error: InvalidSecret, as name: CredentialName, from source: String) -> Problem {
    let (reason, hint): (String, Hint) =
      switch error {
      case .notUTF8, .controlCharacters: ("it is not one line of text", "Pass exactly one line.")
      case .empty: (error.description, "Pass exactly one line.")
      case .encoding: (error.description, "Save it as UTF-8.")
      case .invisible, .quoted, .assignment: (error.description, "Pass the \(name.noun) only.")
      }
    return Problem(
      .credentialsMissing, "\(source) does not contain \(name.article) \(name.noun)", reason: reason, hint: hint)
  }

  /// The secret, without the address around a webhooks key, which is often copied with it.
  /// - Parameter source: the file or variable, for errors.
  private func normalized(_ secret: Secret, as name: CredentialName, from source: String) throws -> Secret {
    guard name == .webhooksKey else { return secret }
    guard let key = WebhooksKey(of: secret) else {
      throw Problem(
        .credentialsMissing, "\(source) does not contain a webhooks key",
        reason: "it contains a space or punctuation, and it is not a URL with a key",
        hint: WebhooksKey.whereToFind)
    }
    if key.isFromAddress { console.note("The webhooks key is in the form of a URL; only the key in it is used.") }
    return key.secret
  }

  /// Prompts without echo, because a plain read from a terminal would show the typed secret.
  private func promptInsteadOfReading(_ name: CredentialName) throws -> Secret {
    guard console.mayPrompt else {
      throw Problem(
        .credentialsMissing, "\(name.option) - reads stdin, which is a terminal",
        reason: "prompts are disabled, and the terminal would echo the input",
        hint: "Pass a file with \(name.option) FILE, or pipe the \(name.noun) in.")
    }
    return try prompted(name)
  }

  private func prompted(_ name: CredentialName) throws -> Secret {
    let text = try console.promptForSecret(name.noun).revealed
    do throws(InvalidSecret) { return try Secret(given: text) } catch {
      throw unusable(error, as: name, from: "the input")
    }
  }

  /// Uses a secret that was typed before its command ran, instead of the file that the command names.
  package func remember(_ typed: Secret, as name: CredentialName) throws {
    let secret: Secret
    do throws(InvalidSecret) { secret = try Secret(given: typed.revealed) } catch {
      throw unusable(error, as: name, from: "the input")
    }
    try checkLength(of: secret, as: name)
    readSecrets[name] = try normalized(secret, as: name, from: "the input")
    note(secret, from: "the prompt")
  }

  /// Rejects a typed text that is too short for a secret. It would be masked in every word that contains it.
  private func checkLength(of secret: Secret, as name: CredentialName) throws {
    guard secret.revealed.utf8.count < 4 else { return }
    throw Problem(
      .credentialsMissing, "the input is too short for the \(name.noun)",
      hint: "Type or paste the whole \(name.noun).")
  }

  package func forget(_ name: CredentialName) { readSecrets[name] = nil }

  /// Uses the secrets that were typed in another session of the same run.
  func adoptSecrets(of other: CredentialAccess) {
    (readSecrets, printedSecrets, origins) = (other.readSecrets, other.printedSecrets, other.origins)
  }

  /// Prompts for a missing secret, at most once.
  func promptOnce(_ name: CredentialName) throws -> Secret {
    let secret = try readOnce(name) {
      let typed = try prompted(name)
      try checkLength(of: typed, as: name)
      return try normalized(typed, as: name, from: "the input")
    }
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
    if kind == .service, let service = try storage.folder?.service { return service }
    return try kind.setting.flatMap { try profile.settings[$0] }
  }

  /// The id of the profile's own user: the selected one, or else the user of the only stored token. Nil if it is
  /// unknown.
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
