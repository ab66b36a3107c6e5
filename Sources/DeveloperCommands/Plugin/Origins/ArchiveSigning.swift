import Plugins
import Session
import Text
import World

/// Signs archives with ssh-keygen, which also reads the private key and prompts for its passphrase.
struct ArchiveSigning {
  /// The path of a private key, or of a public key whose private key an agent holds.
  let key: String
  let session: Session

  /// - Throws: `refused` if ssh-keygen fails.
  func signature(of archive: [UInt8]) throws -> [UInt8] {
    let world = session.world
    var tool = try ExternalTool("ssh-keygen", for: "signing", in: session)
    let agent = world.environment[.sshAgent].map { [(name: EnvironmentVariable.sshAgent.name, value: $0)] } ?? []
    return try PrivateFolder.with(in: session) { folder in
      let file = "\(folder)/archive"
      try world.files.replace(file, with: archive, mode: 0o600)
      let arguments = ["-Y", "sign", "-f", world.path(key), "-n", SignatureFile.namespace, file]
      // A key without a passphrase, or in an agent, needs no terminal. Its prompt would be read in the background,
      // where reading from a terminal stops a program, so it gets a program that knows no passphrase.
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
