import JSON
import PluginProtocol
import Session
import Text
package import World

/// `ifttt-plugins.lock`: the plugins that a project uses, each pinned to a version and a content hash. A machine with
/// different plugins does not run them.
package struct PluginsLock: Sendable, Equatable {
  package static let fileName = "ifttt-plugins.lock"
  /// The maximum size of the file, in bytes.
  package static let sizeLimit = 1 << 20

  package struct Pin: Sendable, Equatable {
    package let version: String
    package let sha256: String
    /// The URL that it was installed from; nil for a path, which is not valid on other machines.
    package let origin: String?
    /// The commit of a Git repository.
    package let commit: String?
    /// The SHA-256 of the archive that it was installed from.
    package let archiveSHA256: String?
    /// The label of the trusted key that signed the archive.
    package let signer: String?
    /// The fingerprint of the key that signed the archive; nil if it is not signed.
    package let signerKey: String?

    package init(
      version: String, sha256: String, origin: String? = nil, commit: String? = nil, archiveSHA256: String? = nil,
      signer: String? = nil, signerKey: String? = nil
    ) {
      (self.version, self.sha256, self.origin, self.commit) = (version, sha256, origin, commit)
      (self.archiveSHA256, self.signer, self.signerKey) = (archiveSHA256, signer, signerKey)
    }
  }

  /// The pins by plugin name.
  package private(set) var pins: [String: Pin]

  package init(pins: [String: Pin]) { self.pins = pins }

  /// Parses a lock file.
  /// - Throws: ``PluginContentsError`` if it is not a lock file of this version.
  package init(parsing bytes: [UInt8]) throws(PluginContentsError) {
    guard let value = try? JSONValue(document: bytes, values: JSONValue.maximumValues),
      let plugins = value["plugins"]?.object
    else {
      throw PluginContentsError("it is not the JSON that 'ifttt plugin verify --write-lock' writes")
    }
    guard value["version"]?.int == 1 else { throw PluginContentsError("its version is not 1") }
    pins = [:]
    for (name, pin) in plugins.members {
      // A plugin's name is ASCII, so the order of the names does not depend on their Unicode form.
      guard PluginName(parsing: name) != nil else { throw PluginContentsError("'\(name)' is not a plugin's name") }
      guard let version = pin["version"]?.string, let sha256 = pin["sha256"]?.string, ContentHash.isOne(sha256) else {
        throw PluginContentsError("it has no version and SHA-256 for '\(name)'")
      }
      pins[name] = Pin(
        version: version, sha256: sha256, origin: pin["origin"]?.string, commit: pin["commit"]?.string,
        archiveSHA256: pin["archive_sha256"]?.string, signer: pin["signer"]?.string,
        signerKey: pin["signer_key"]?.string)
    }
  }

  /// The reason why this lock file forbids the use of a plugin; nil if it does not.
  package func problem(of name: String, version: String, sha256: String) -> String? {
    guard let pin = pins[name] else { return "it does not contain '\(name)'" }
    guard pin.version == version else { return "it pins version \(pin.version) of '\(name)', not \(version)" }
    return pin.sha256 == sha256 ? nil : "it pins a different SHA-256 for '\(name)' \(version)"
  }

  /// The file's content: one plugin per line, sorted by name, so that a diff is easy to read.
  package var bytes: [UInt8] {
    let lines = pins.inOrder.map { name, pin in
      var members: JSONObject = ["version": .string(pin.version), "sha256": .string(pin.sha256)]
      let facts = [
        ("origin", pin.origin), ("commit", pin.commit), ("archive_sha256", pin.archiveSHA256), ("signer", pin.signer),
        ("signer_key", pin.signerKey),
      ]
      for (name, fact) in facts { members[name] = fact.map(JSONValue.string) }
      let value = JSONValue.object(members)
      return "    \(JSONValue.string(name).text): \(value.text)"
    }
    let body = lines.isEmpty ? "{}" : "{\n\(lines.joined(separator: ",\n"))\n  }"
    return Array("{\n  \"version\": 1,\n  \"plugins\": \(body)\n}\n".utf8)
  }
}

/// The path and the contents of `ifttt-plugins.lock`.
package struct PluginsLockFile {
  private let world: World
  package let path: String
  /// Whether the path was set explicitly; the file is then required.
  private let isNamed: Bool

  package init(_ world: World) {
    self.world = world
    let named = world.environment[.pluginsLock].flatMap { $0.isEmpty ? nil : $0 }
    isNamed = named != nil
    path = named ?? (world.workingFolder == "." ? "" : world.workingFolder + "/") + PluginsLock.fileName
  }

  /// The lock; nil if absent.
  /// - Throws: `refused` if the file is unreadable, because its restrictions are then unknown.
  package func lock() throws -> PluginsLock? {
    guard isNamed || world.files.exists(path) else { return nil }
    do {
      return try PluginsLock(parsing: world.files.readRegular(path, limit: PluginsLock.sizeLimit))
    } catch {
      throw Problem(
        .refused, "\(path) cannot be read", reason: String(describing: error),
        hint: isNamed
          ? "\(EnvironmentVariable.pluginsLock.name) names it." : "It lists the plugins that may be used here.")
    }
  }

  package func write(_ lock: PluginsLock) throws { try world.files.replace(path, with: lock.bytes, mode: 0o644) }
}
