import JSON

extension Manifest {
  /// Reads a `plugin.json`. Members that are not known are ignored; what is known has to be right.
  ///
  /// - Throws: ``ManifestError`` for what is no JSON object of this form, of another `schema_version`, longer than
  ///   ``sizeLimit``, or has a text that would disturb whoever reads it.
  public init(parsing bytes: [UInt8]) throws(ManifestError) {
    guard bytes.count <= Manifest.sizeLimit else {
      throw ManifestError("it is longer than \(Manifest.sizeLimit >> 20) MiB")
    }
    let value: JSONValue
    do { value = try JSONValue(parsing: bytes) } catch { throw ManifestError("it is not JSON: \(error)") }
    let members = try Members(value, of: "the manifest")
    let (name, kind) = try members.identity()
    let release = try members.text("version")
    guard release.isPlain(besides: ".+-_"), release.utf8.count <= 64 else {
      throw ManifestError("'version' may have letters, digits, '.', '+', '-' and '_', at most 64")
    }
    self.init(
      name: name, version: release, summary: try members.text("summary"), vendor: try members.optionalText("vendor"),
      kind: kind, executable: try members.optionalText("executable"), protocols: try members.texts("protocol"),
      capabilities: try members.texts("capabilities"), credentials: try members.texts("credentials"),
      hosts: try members.hosts("hosts"), environment: try members.texts("environment"))
    try check()
    if let commands = members["commands"], !commands.isNull {
      self.commands = try ManifestCommand(commands, path: [])
      guard self.commands?.name == name.description else {
        throw ManifestError("'commands' has another name than the plugin")
      }
    }
  }

  private func check() throws(ManifestError) {
    guard executable.isPlain(besides: "._+-"), executable.first != ".", executable != Manifest.fileName else {
      throw ManifestError("'executable' must be the name of a file in the same folder")
    }
    if kind == .provider, protocols.isEmpty { throw ManifestError("'protocol' is missing, which a provider needs") }
    for name in credentials {
      let stem = name.hasSuffix("*") ? String(name.dropLast()) : name
      guard stem.isEmpty ? name == "*" : stem.isPlain(besides: "._/-") else {
        throw ManifestError("'credentials' has a name that is none: '\(name)'")
      }
    }
    for name in environment where !name.isVariableName {
      throw ManifestError("'environment' has a name that is none: '\(name)'")
    }
    // Not every host is known beforehand, so a sentence may stand in its place.
    if hosts.contains("") { throw ManifestError("'hosts' has an empty entry") }
  }
}

extension Members {
  /// What of a manifest has to be known before anything else of it means something.
  func identity() throws(ManifestError) -> (name: PluginName, kind: Manifest.Kind) {
    guard let version = self["schema_version"]?.int else { throw lacking("schema_version", "a number") }
    guard version == Manifest.schemaVersion else {
      throw ManifestError("it has schema_version \(version), and only \(Manifest.schemaVersion) is known")
    }
    guard let name = PluginName(parsing: try text("name")) else {
      throw ManifestError("'name' must be a lower-case letter, then at most 31 lower-case letters, digits and hyphens")
    }
    guard let kind = Manifest.Kind(rawValue: try text("kind")) else {
      throw ManifestError("'kind' is neither 'provider' nor 'command'")
    }
    return (name, kind)
  }
}

extension String {
  /// Letters, digits and the characters given, at least one, no dash first.
  func isPlain(besides others: String) -> Bool {
    guard let first = utf8.first, first != UInt8(ascii: "-") else { return false }
    let others = Array(others.utf8)
    return utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: others.contains(byte)
      }
    }
  }

  /// As POSIX has it: letters, digits and underscores, no digit first.
  var isVariableName: Bool {
    guard let first = utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
    return isPlain(besides: "_")
  }
}
