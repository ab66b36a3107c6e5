import Plugins
import Session
import Store
import Text
import World

/// Verifies the signatures of archives with ssh-keygen.
struct SignatureCheck {
  let session: Session

  /// - Parameters:
  ///   - signature: the content of the file beside the archive; nil if there is none.
  ///   - name: the archive's name, for errors.
  /// - Throws: `refused` for a signature that does not match the archive.
  func signature(of archive: [UInt8], named name: String, _ signature: [UInt8]?) throws -> PluginSignature {
    guard let signature else { return .absent }
    let file: SignatureFile
    do throws(PluginContentsError) { file = try SignatureFile(parsing: signature) } catch {
      throw rejection(of: name, error.description)
    }
    let signer = try session.store.trustedSigners().first { $0.key == file.key.text }
    try verify(archive, signature, file.key, signer, name)
    let key = file.key.fingerprint
    guard let signer else { return .unknown(key: key) }
    if let end = signer.validBefore, end <= session.world.clock.now() { return .expired(label: signer.label, key: key) }
    return .trusted(label: signer.label, key: key)
  }

  /// Verifies that the key has signed the bytes. Whether the key is trusted is decided elsewhere.
  private func verify(
    _ archive: [UInt8], _ signature: [UInt8], _ key: SigningKey, _ signer: TrustedSigner?, _ name: String
  ) throws {
    let tool = try ExternalTool("ssh-keygen", for: "checking a signature", in: session)
    let label = signer?.label ?? "unknown"
    try PrivateFolder.with(in: session) { folder in
      let (allowed, copy) = ("\(folder)/allowed", "\(folder)/signature")
      let line = "\(label) namespaces=\"\(SignatureFile.namespace)\" \(key.text)\n"
      try session.world.files.replace(allowed, with: Array(line.utf8), mode: 0o600)
      try session.world.files.replace(copy, with: signature, mode: 0o600)
      let result = try tool.run(
        ["-Y", "verify", "-f", allowed, "-I", label, "-n", SignatureFile.namespace, "-s", copy], input: archive)
      guard result.status == 0 else { throw rejection(of: name, result.reason) }
    }
  }

  private func rejection(of name: String, _ reason: String) -> Problem {
    Problem(
      .refused, "the signature of \(name) is not valid", reason: reason,
      hint: "Do not install it. Ask the publisher for the archive and its \(SignatureFile.suffix) file.")
  }
}
