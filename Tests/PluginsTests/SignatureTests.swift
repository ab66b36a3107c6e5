import Plugins
import Testing

/// Public keys and signatures as OpenSSH writes them.
@Suite struct SignatureTests {
  private static let publicKey: String =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKEcdH/9kjIua51QimR8t9djasQlYFdZ+phNNNYH6e5L me"

  /// Made by `ssh-keygen -Y sign -n ifttt-plugin` with that key.
  private static let signature = """
    -----BEGIN SSH SIGNATURE-----
    U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgoRx0f/2SMi5rnVCKZHy312NqxC
    VgV1n6mE001gfp7ksAAAAMaWZ0dHQtcGx1Z2luAAAAAAAAAAZzaGE1MTIAAABTAAAAC3Nz
    aC1lZDI1NTE5AAAAQCNWbXVQxp6DsFf8Rcz0B1ELaKdKPcuYDtZAybCzxcAJdyVl63xSSI
    6hYIlFNcfeKjLK87fH4yh7jWGi0HCFagI=
    -----END SSH SIGNATURE-----

    """

  /// The same in the namespace of Git.
  private static let otherPurpose = """
    -----BEGIN SSH SIGNATURE-----
    U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgoRx0f/2SMi5rnVCKZHy312NqxC
    VgV1n6mE001gfp7ksAAAADZ2l0AAAAAAAAAAZzaGE1MTIAAABTAAAAC3NzaC1lZDI1NTE5
    AAAAQHNPylCEOqNI/iuUMSNEnsbfoq/FANZzIrx5+Y4LXbkFEv9OEHr+rJ2tP1SV3Naz4F
    tj91oUFGYihweQerVthwE=
    -----END SSH SIGNATURE-----

    """

  private func key(_ text: String) throws(PluginContentsError) -> SigningKey {
    try SigningKey(publicKeyFile: Array(text.utf8))
  }

  private func signature(_ text: String) throws(PluginContentsError) -> SignatureFile {
    try SignatureFile(parsing: Array(text.utf8))
  }

  @Test func aSignatureNamesItsKey() throws {
    let key = try key(Self.publicKey + "\n")
    #expect(key.fingerprint == "SHA256:bLxHqHDDX7J6CLTbGIiMIsT9Rw2eGmBJTpFaP+MYqfQ")
    #expect(key.type == "ssh-ed25519")
    #expect(Self.publicKey.hasPrefix(key.text))
    #expect(try signature(Self.signature).key == key)
    #expect(try self.key(key.text) == key)
  }

  /// Options, several keys, certificates and private keys could mean more than the user sees.
  @Test(arguments: [
    "", "ssh-ed25519", "no-pty \(publicKey)", "\(publicKey)\n\(publicKey)", "cert-authority \(publicKey)",
    "ssh-ed25519 !!!!", "ssh-rsa \(publicKey.dropFirst(12))",
    "ssh-ed25519-cert-v01@openssh.com AAAAIHNzaC1lZDI1NTE5LWNlcnQtdjAxQG9wZW5zc2guY29t", "ssh-ed25519 AAAAC3NzaC1lZDI1",
    "-----BEGIN OPENSSH PRIVATE KEY-----", "ssh-dss AAAAB3NzaC1kc3M=",
  ])
  func otherKeyFilesAreRejected(text: String) {
    #expect(throws: PluginContentsError.self) { _ = try key(text) }
  }

  @Test func aSignatureForAnotherPurposeIsRejected() {
    #expect(throws: PluginContentsError("it is for another purpose: its namespace is not 'ifttt-plugin'")) {
      _ = try signature(Self.otherPurpose)
    }
  }

  @Test func damagedSignaturesAreRejected() {
    let lines = Self.signature.split(separator: "\n")
    #expect(throws: PluginContentsError.self) { _ = try signature("") }
    for index in lines.indices {
      var fewer = lines
      fewer.remove(at: index)
      // The last line of the data has only bytes of the signature itself, which ssh-keygen verifies.
      if index == lines.count - 2 { continue }
      #expect(throws: PluginContentsError.self) { _ = try signature(fewer.joined(separator: "\n")) }
    }
  }
}
