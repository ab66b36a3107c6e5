import Text

/// An SSH public key that plugins are signed with.
package struct SigningKey: Sendable, Equatable {
  /// The types of keys that are accepted. Certificates are rejected, because their options are not checked here.
  private static let types = [
    "ssh-ed25519", "sk-ssh-ed25519@openssh.com", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521",
    "sk-ecdsa-sha2-nistp256@openssh.com", "ssh-rsa",
  ]
  package static let sizeLimit = 16 << 10

  package let type: String
  private let blob: [UInt8]

  /// Reads a public-key file: one line with the type, the key in Base64 and a comment.
  /// - Throws: ``PluginContentsError`` for anything else, such as several keys, options or a certificate.
  package init(publicKeyFile bytes: [UInt8]) throws(PluginContentsError) {
    let bytes = (try? TextStart.removed(from: bytes)) ?? bytes
    let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    guard lines.count == 1, let line = lines.first, bytes.count <= Self.sizeLimit else {
      throw PluginContentsError("it does not have exactly one line")
    }
    let fields = line.split(separator: UInt8(ascii: " "))
    guard fields.count >= 2, let blob = Base64.standard.decode(String(decoding: fields[1], as: UTF8.self)) else {
      throw PluginContentsError("it is not an SSH public key")
    }
    try self.init(blob: blob)
    guard type.utf8.elementsEqual(fields[0]) else { throw PluginContentsError("it is not an SSH public key") }
  }

  /// Reads a key in the form of the SSH protocol, which begins with its type.
  init(blob: [UInt8]) throws(PluginContentsError) {
    var reader = SSHReader(blob)
    guard let name = reader.string(), let type = Self.types.first(where: { $0.utf8.elementsEqual(name) }) else {
      throw PluginContentsError("its type is not one of \(Self.types.joined(separator: ", "))")
    }
    (self.type, self.blob) = (type, blob)
  }

  /// The fingerprint, as `ssh-keygen -l` shows it.
  package var fingerprint: String { "SHA256:" + Base64.standard.encode(SHA256.hash(blob)).prefix { $0 != "=" } }

  /// The type and the key in Base64.
  package var text: String { "\(type) \(Base64.standard.encode(blob))" }
}

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
      let blob = Base64.standard.decode(lines.dropFirst().dropLast().joined())
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

/// Reads the numbers and strings of the SSH protocol (RFC 4251 §5).
struct SSHReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func number() -> Int? {
    guard rest.count >= 4 else { return nil }
    defer { rest = rest.dropFirst(4) }
    return rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
  }

  mutating func string() -> ArraySlice<UInt8>? {
    guard let count = number(), count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func skip(_ bytes: some Collection<UInt8>) -> Bool {
    guard rest.starts(with: bytes) else { return false }
    rest = rest.dropFirst(bytes.count)
    return true
  }
}

/// `SHA256SUMS`: the checksums of the files beside it, as `sha256sum` writes them.
package struct ChecksumList: Sendable, Equatable {
  package static let fileName = "SHA256SUMS"
  package static let sizeLimit = 1 << 20

  /// The checksums by file name, in the order of the file.
  package private(set) var sums: [(name: String, sha256: String)] = []

  package init() {}

  /// - Throws: ``PluginContentsError`` for a line of another format, and for two checksums of one file.
  package init(parsing bytes: [UInt8]) throws(PluginContentsError) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard bytes.count <= Self.sizeLimit, text.utf8.elementsEqual(bytes) else {
      throw PluginContentsError("\(Self.fileName) is not text")
    }
    // Only these bytes end a line: a name may contain the other characters that Unicode calls line separators.
    for line in bytes.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
      let digits = String(decoding: line.prefix(64), as: UTF8.self).lowercased()
      // Two spaces, or a space and an asterisk for a file that was read as binary.
      let mark = line.dropFirst(64).prefix(2)
      var shortName = line.dropFirst(66)
      while shortName.starts(with: "./".utf8) { shortName = shortName.dropFirst(2) }
      guard !shortName.isEmpty, mark.elementsEqual("  ".utf8) || mark.elementsEqual(" *".utf8),
        ContentHash.isOne(digits)
      else { throw PluginContentsError("\(Self.fileName) has a line that is not a checksum and a file name") }
      try add(String(decoding: shortName, as: UTF8.self), digits)
    }
  }

  /// The checksum of a file; nil if the list does not contain it.
  package subscript(name: String) -> String? { sums.first { $0.name == name }?.sha256 }

  private mutating func add(_ name: String, _ sha256: String) throws(PluginContentsError) {
    guard let other = self[name] else { return sums.append((name, sha256)) }
    guard other == sha256 else { throw PluginContentsError("\(Self.fileName) has two checksums for '\(name)'") }
  }

  /// Sets the checksum of a file.
  package mutating func set(_ name: String, _ sha256: String) {
    sums.removeAll { $0.name == name }
    sums.append((name, sha256))
  }

  /// The file's content, sorted by name.
  package var bytes: [UInt8] {
    let lines = sums.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.map {
      "\($0.sha256)  \($0.name)\n"
    }
    return Array(lines.joined().utf8)
  }

  package static func == (left: ChecksumList, right: ChecksumList) -> Bool {
    left.sums.elementsEqual(right.sums) { $0 == $1 }
  }
}
