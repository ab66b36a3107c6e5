import JSON
import Text

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
    do { value = try JSONValue(document: bytes, values: JSONValue.maximumValues) } catch {
      throw ManifestError("it is not JSON: \(error)")
    }
    let problems = ManifestProblems()
    let members = Members(value, of: "the manifest", problems)
    let (name, kind) = try members?.identity() ?? (nil, nil)
    let read = members.map { members in
      let manifest = Manifest(
        name: name ?? .unknown, version: members.text("version"), summary: members.text("summary"),
        vendor: members.optionalText("vendor"), kind: kind ?? .command,
        executable: members.optionalText("executable"), protocols: members.texts("protocol"),
        capabilities: members.texts("capabilities"), credentials: members.texts("credentials"),
        hosts: members.hosts("hosts"), environment: members.texts("environment"),
        usesBrowser: members.flag("browser"), files: members.fileAccess("files"),
        commands: members["commands"].flatMap { ManifestCommand($0, path: [], problems) })
      manifest.check(problems, isProvider: kind == .provider)
      if let command = manifest.commands, let name, !command.name.isEmpty, command.name != name.description {
        problems.add("the name in 'commands' is not the plugin's name")
      }
      return manifest
    }
    try problems.check()
    guard let read else { throw ManifestError("the manifest is not a JSON object") }
    self = read
  }

  private func check(_ problems: ManifestProblems, isProvider: Bool) {
    if !version.isEmpty, !version.isPlain(allowing: ".+-_") || version.utf8.count > 64 {
      problems.add("'version' may have at most 64 letters, digits, '.', '+', '-' and '_'")
    }
    if !executable.isPlain(allowing: "._+-") || executable.first == "." || executable == Manifest.fileName {
      problems.add("'executable' must be the name of a file in the same folder")
    }
    if isProvider, protocols.isEmpty { problems.add("a provider needs 'protocol', which is missing") }
    for name in credentials {
      let stem = name.hasSuffix("*") ? String(name.dropLast()) : name
      if stem.isEmpty ? name != "*" : !stem.isPlain(allowing: "._/-") {
        problems.add("'credentials' has an invalid name: '\(name)'")
      }
    }
    for name in environment where !name.isVariableName {
      problems.add("'environment' has an invalid name: '\(name)'")
    }
    for case .variable(let name) in files.map(\.root) where !environment.contains(name) {
      problems.add("'files' names the variable \(name), which 'environment' does not")
    }
    // Not every host is known in advance, so an entry may be a sentence instead.
    if hosts.contains("") { problems.add("'hosts' has an empty entry") }
  }
}

extension PluginName {
  /// A stand-in while the rest of a manifest with an invalid name is read.
  fileprivate static let unknown: PluginName = {
    guard let name = PluginName(parsing: "unknown") else { preconditionFailure("a valid name is not accepted") }
    return name
  }()
}

extension Members {
  /// The members that determine how to read the rest of the manifest; nil if the member is missing or invalid.
  /// - Throws: ``ManifestError`` for another version of the format, in which other members may be valid.
  func identity() throws(ManifestError) -> (name: PluginName?, kind: Manifest.Kind?) {
    if let version = number("schema_version"), version != Manifest.schemaVersion {
      throw ManifestError("it has schema_version \(version), but only \(Manifest.schemaVersion) is supported")
    }
    let (nameText, kindText) = (text("name"), text("kind"))
    let (name, kind) = (PluginName(parsing: nameText), Manifest.Kind(rawValue: kindText))
    if name == nil, !nameText.isEmpty {
      addProblem("'name' must be a lowercase letter, then at most 31 lowercase letters, digits and hyphens")
    }
    if kind == nil, !kindText.isEmpty { addProblem("'kind' is neither 'provider' nor 'command'") }
    return (name, kind)
  }
}

extension String {
  /// Whether the text is not empty, consists of letters, digits and the given characters, and does not begin with a
  /// dash.
  func isPlain(allowing characters: String) -> Bool {
    guard let first = utf8.first, first != UInt8(ascii: "-") else { return false }
    let characters = Array(characters.utf8)
    return utf8.allSatisfy { byte in
      byte.isLetterOrDigit || characters.contains(byte)
    }
  }

  /// Whether the text is a variable name as POSIX defines it: letters, digits and underscores, not beginning with a
  /// digit.
  var isVariableName: Bool {
    guard let first = utf8.first, !first.isDigit else { return false }
    return isPlain(allowing: "_")
  }
}

/// The part of a manifest that a list of commands shows. Nothing else is read.
///
/// These members are checked as in a ``Manifest``; the rest of the file may still be invalid.
package struct ManifestOutline: Sendable, Equatable {
  package let name: PluginName
  /// A one-line description of the plugin's purpose.
  package let summary: String
  /// The summary of its command; nil for a provider without commands.
  package let command: String?

  /// Reads up to the last member that is needed. If a member is repeated, the first one counts here.
  ///
  /// - Throws: ``ManifestError``. Only ``Manifest/init(parsing:)`` finds all errors.
  package init(parsing bytes: [UInt8]) throws(ManifestError) {
    let picked: Result<JSONObject, JSONError> = bytes.withUnsafeBytes { bytes in
      var scanner = JSONScanner(bytes, at: (try? TextStart.markLength(of: bytes)) ?? 0)
      do throws(JSONError) { return .success(try scanner.pick(Self.selection)) } catch { return .failure(error) }
    }
    let object: JSONObject
    do { object = try picked.get() } catch { throw ManifestError("it is not JSON: \(error)") }
    let problems = ManifestProblems()
    let members = Members(.object(object), of: "the manifest", problems)
    let identity = try members?.identity()
    let summary = members?.text("summary")
    let commands = members?["commands"]
    let command = commands == nil ? nil : members?.members("commands", of: "'commands'")?.text("summary")
    try problems.check()
    guard let name = identity?.name, let summary else { throw ManifestError("the manifest is not a JSON object") }
    (self.name, self.summary) = (name, summary)
    self.command = command ?? (identity?.kind == .command ? summary : nil)
  }

  /// The members to read, and for a nested object the members to read from it.
  private static let selection: [(name: String, members: [String])] = [
    ("schema_version", []), ("name", []), ("kind", []), ("summary", []), ("commands", ["summary"]),
  ]
}

extension JSONScanner {
  /// The selected members of the object at the current position. Scanning stops at the last of them.
  fileprivate mutating func pick(_ selection: [(name: String, members: [String])]) throws(JSONError) -> JSONObject {
    var picked = JSONObject()
    guard next == UInt8(ascii: "{") else { throw JSONError(problem: "not an object", offset: position) }
    while picked.members.count < selection.count, let key = try nextKey() {
      let name = String(decoding: slice(key), as: UTF8.self)
      guard let selected = selection.first(where: { $0.name == name }), picked[name] == nil else {
        _ = try skipValue()
        continue
      }
      if !selected.members.isEmpty, next == UInt8(ascii: "{") {
        var inner = self
        picked[name] = .object(try inner.pick(selected.members.map { ($0, []) }))
        if picked.members.count < selection.count { _ = try skipValue() }
      } else {
        picked[name] = try JSONValue(parsing: Array(slice(try skipValue())))
      }
    }
    return picked
  }
}
