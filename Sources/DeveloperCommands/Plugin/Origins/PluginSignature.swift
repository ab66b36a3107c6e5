import Plugins
import Session
import Store
import Text
import World

/// The signer of an archive. A signature that does not match its archive is an error instead.
enum PluginSignature: Equatable {
  case absent
  /// Signed with a trusted key.
  case trusted(label: String, key: String)
  /// Signed with a key that is not trusted. Only the fingerprint of the signer is known.
  case unknown(key: String)
  /// Signed with a trusted key that has expired.
  case expired(label: String, key: String)

  /// The fingerprint of the key.
  var key: String? {
    switch self {
    case .absent: nil
    case .trusted(_, let key), .unknown(let key), .expired(_, let key): key
    }
  }

  var label: String? {
    switch self {
    case .absent, .unknown: nil
    case .trusted(let label, _), .expired(let label, _): label
    }
  }

  /// The signer as shown to the user.
  var text: String {
    switch self {
    case .absent: "no key"
    case .trusted(let label, let key): "\(label) (\(key))"
    case .unknown(let key): "an unknown key (\(key))"
    case .expired(let label, let key): "\(label) (\(key)), whose key has expired"
    }
  }

  /// Why a plugin with this signature must not be installed; nil if it is accepted.
  /// - Parameters:
  ///   - old: the provenance of the installed plugin of the same name; nil if no plugin is installed.
  ///   - isRequired: whether the index requires a signature.
  ///   - isAttended: whether the user confirms the installation at a prompt.
  func rejection(
    replacing old: PluginProvenance?, isRequired: Bool, isAttended: Bool
  ) -> (reason: String, hint: Hint)? {
    if case .expired(let label, _) = self {
      return (
        "the key of '\(label)' has expired",
        "If it is still valid, remove it, then run: \(ifttt: "plugin trust add LABEL PUBLIC-KEY-FILE")"
      )
    }
    if let oldKey = old?.signerKey, key != oldKey, label == nil || label != old?.signer {
      return (
        "the installed version is signed by \(old?.signer ?? "an unknown key") (\(oldKey)), this one by \(text)",
        "If the change is intended, remove the installed plugin first."
      )
    }
    if isRequired, self == .absent {
      return ("its index requires signatures, and the plugin is not signed", "Ask the publisher of the index.")
    }
    if case .unknown(let key) = self, !isAttended {
      return (
        "it is signed with a key that is not trusted, \(key)",
        "Trust the key, or confirm on a terminal: \(ifttt: "plugin trust add LABEL PUBLIC-KEY-FILE")"
      )
    }
    return nil
  }
}

/// Verifies the signatures of archives with ssh-keygen.
struct SignatureCheck {
  let session: Session

  /// - Parameters:
  ///   - signature: the contents of the signature file; nil if the archive is not signed.
  ///   - name: the archive's name, for errors.
  /// - Throws: `refused` for a signature that does not match the archive.
  func signature(of archive: [UInt8], named name: String, _ signature: [UInt8]?) throws -> PluginSignature {
    guard let signature else { return .absent }
    let file: SignatureFile
    do throws(PluginContentsError) { file = try SignatureFile(parsing: signature) } catch {
      throw rejection(of: name, error.description)
    }
    let signer = try PluginRecords(session.store).signers().first { $0.key == file.key.text }
    try verify(archive, signature, file.key, signer, name)
    let key = file.key.fingerprint
    guard let signer else { return .unknown(key: key) }
    if let end = signer.validBefore, end <= session.world.clock.now() { return .expired(label: signer.label, key: key) }
    return .trusted(label: signer.label, key: key)
  }

  /// Verifies that the key has signed the archive, but not that the key is trusted.
  private func verify(
    _ archive: [UInt8], _ signature: [UInt8], _ key: SigningKey, _ signer: TrustedSigner?, _ name: String
  ) throws {
    let tool = try ExternalTool("ssh-keygen", for: "checking a signature", in: session.world)
    let label = signer?.label ?? "unknown"
    try PrivateFolder.with(in: session) { folder in
      let (allowedSigners, copy) = ("\(folder)/allowed", "\(folder)/signature")
      let line = "\(label) namespaces=\"\(SignatureFile.namespace)\" \(key.text)\n"
      try session.world.files.replace(allowedSigners, with: Array(line.utf8), mode: 0o600)
      try session.world.files.replace(copy, with: signature, mode: 0o600)
      let result = try tool.run(
        ["-Y", "verify", "-f", allowedSigners, "-I", label, "-n", SignatureFile.namespace, "-s", copy], input: archive)
      guard result.status == 0 else { throw rejection(of: name, result.reason) }
    }
  }

  private func rejection(of name: String, _ reason: String) -> Problem {
    Problem(
      .refused, "the signature of \(name) is not valid", reason: reason,
      hint: "Do not install it. Ask the publisher for the archive and its \(SignatureFile.suffix) file.")
  }
}

/// Signs archives with ssh-keygen, which also reads the private key and prompts for its passphrase.
struct ArchiveSigning {
  /// The path of a private key, or of a public key whose private key is in an agent.
  let key: String
  let session: Session

  /// - Throws: `refused` if ssh-keygen fails.
  func signature(of archive: [UInt8]) throws -> [UInt8] {
    let world = session.world
    var tool = try ExternalTool("ssh-keygen", for: "signing", in: session.world)
    let agent = world.environment[.sshAgent].map { [(name: EnvironmentVariable.sshAgent.name, value: $0)] } ?? []
    return try PrivateFolder.with(in: session) { folder in
      let file = "\(folder)/archive"
      try world.files.replace(file, with: archive, mode: 0o600)
      let arguments = ["-Y", "sign", "-f", world.path(key), "-n", SignatureFile.namespace, file]
      // First try without a prompt: a key without a passphrase or in an agent needs none. A prompt in the background
      // would stop the process when it reads from the terminal, so make ssh-keygen run an askpass program that fails.
      tool.variables = agent + [("SSH_ASKPASS_REQUIRE", "force"), ("SSH_ASKPASS", "/usr/bin/false")]
      let result = try tool.run(arguments)
      if result.status != 0 {
        guard session.console.mayPrompt else { throw failure(result.reason) }
        tool.variables = agent + [("SSH_ASKPASS_REQUIRE", "never")]
        let status = try tool.runAtTerminal(arguments)
        guard status == 0 else { throw failure("ssh-keygen exited with status \(status)") }
      }
      return try world.files.readRegular(file + SignatureFile.suffix, limit: SignatureFile.sizeLimit)
    }
  }

  private func failure(_ reason: String) -> Problem {
    Problem(
      .refused, "the archive was not signed", reason: reason,
      hint: "Pass a private key with --sign. If it has a passphrase, add it to ssh-agent or run this on a terminal.")
  }
}
