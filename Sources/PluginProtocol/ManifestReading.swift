import JSON

extension Manifest {
  /// Reads a `plugin.json`. Unknown members are ignored, because a later version may define them; known members must be
  /// valid.
  ///
  /// - Throws: ``ManifestError`` if the text is not a JSON object of this form, has another `schema_version`, is
  ///   longer than ``sizeLimit``, or contains text that is unsafe to display.
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
      throw ManifestError("'version' may have at most 64 letters, digits, '.', '+', '-' and '_'")
    }
    self.init(
      name: name, version: release, summary: try members.text("summary"), vendor: try members.optionalText("vendor"),
      kind: kind, executable: try members.optionalText("executable"), protocols: try members.texts("protocol"),
      capabilities: try members.texts("capabilities"), credentials: try members.texts("credentials"),
      hosts: try members.hosts("hosts"), environment: try members.texts("environment"),
      usesBrowser: try members.flag("browser"), files: try members.fileAccess("files"))
    try check()
    if let commands = members["commands"], !commands.isNull {
      self.commands = try ManifestCommand(commands, path: [])
      guard self.commands?.name == name.description else {
        throw ManifestError("the name in 'commands' is not the plugin's name")
      }
    }
  }

  private func check() throws(ManifestError) {
    guard executable.isPlain(besides: "._+-"), executable.first != ".", executable != Manifest.fileName else {
      throw ManifestError("'executable' must be the name of a file in the same folder")
    }
    if kind == .provider, protocols.isEmpty { throw ManifestError("a provider needs 'protocol', which is missing") }
    for name in credentials {
      let stem = name.hasSuffix("*") ? String(name.dropLast()) : name
      guard stem.isEmpty ? name == "*" : stem.isPlain(besides: "._/-") else {
        throw ManifestError("'credentials' has an invalid name: '\(name)'")
      }
    }
    for name in environment where !name.isVariableName {
      throw ManifestError("'environment' has an invalid name: '\(name)'")
    }
    for case .variable(let name) in files.map(\.root) where !environment.contains(name) {
      throw ManifestError("'files' names the variable \(name), which 'environment' does not")
    }
    // Not every host is known in advance, so an entry may be a sentence instead.
    if hosts.contains("") { throw ManifestError("'hosts' has an empty entry") }
  }
}

extension Members {
  /// The members that determine how to read the rest of the manifest.
  func identity() throws(ManifestError) -> (name: PluginName, kind: Manifest.Kind) {
    guard let version = self["schema_version"]?.int else { throw lacking("schema_version", "a number") }
    guard version == Manifest.schemaVersion else {
      throw ManifestError("it has schema_version \(version), but only \(Manifest.schemaVersion) is supported")
    }
    guard let name = PluginName(parsing: try text("name")) else {
      throw ManifestError("'name' must be a lowercase letter, then at most 31 lowercase letters, digits and hyphens")
    }
    guard let kind = Manifest.Kind(rawValue: try text("kind")) else {
      throw ManifestError("'kind' is neither 'provider' nor 'command'")
    }
    return (name, kind)
  }
}

extension String {
  /// Whether the text is not empty, consists of letters, digits and the given characters, and does not begin with a
  /// dash.
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

  /// Whether the text is a variable name as POSIX defines it: letters, digits and underscores, not beginning with a
  /// digit.
  var isVariableName: Bool {
    guard let first = utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
    return isPlain(besides: "_")
  }
}
