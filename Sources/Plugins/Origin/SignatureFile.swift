import Text

/// A signature that `ssh-keygen -Y sign` has written. Only the key is read here; ssh-keygen verifies the rest.
package struct SignatureFile: Sendable, Equatable {
  /// The namespace of the signatures of plugins. It prevents the use of signatures that were made for other purposes.
  package static let namespace = "ifttt-plugin"
  package static let suffix = ".sig"
  package static let sizeLimit = 64 << 10

  package let key: SigningKey

  /// - Throws: ``PluginContentsError`` if it is not a signature in this namespace.
  package init(parsing bytes: [UInt8]) throws(PluginContentsError) {
    let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map {
      String(decoding: $0, as: UTF8.self)
    }
    guard bytes.count <= Self.sizeLimit, lines.first == "-----BEGIN SSH SIGNATURE-----",
      lines.last == "-----END SSH SIGNATURE-----",
      let blob = Base64.decode(lines.dropFirst().dropLast().joined())
    else { throw PluginContentsError("it is not a signature that ssh-keygen has written") }
    var reader = SSHReader(blob)
    guard reader.skip("SSHSIG".utf8), reader.number() == 1, let key = reader.string(), let namespace = reader.string()
    else { throw PluginContentsError("it is not a signature of a supported version") }
    guard namespace.elementsEqual(Self.namespace.utf8) else {
      throw PluginContentsError("it is for another purpose: its namespace is not '\(Self.namespace)'")
    }
    self.key = try SigningKey(blob: Array(key))
  }
}
