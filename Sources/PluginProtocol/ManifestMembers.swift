import JSON

/// The members of one JSON object of a manifest, each read with its expected type.
struct Members {
  private let object: JSONObject
  /// The owner of the members, for errors: "option '--scope' of 'grab login'".
  let owner: String

  init(_ value: JSONValue, of owner: String) throws(ManifestError) {
    guard let object = value.object else { throw ManifestError("\(owner) is not a JSON object") }
    (self.object, self.owner) = (object, owner)
  }

  subscript(name: String) -> JSONValue? { object[name] }

  func lacking(_ name: String, _ what: String) -> ManifestError {
    ManifestError(object[name] == nil ? "\(owner) has no '\(name)'" : "'\(name)' of \(owner) is not \(what)")
  }

  func text(_ name: String) throws(ManifestError) -> String {
    guard let text = object[name]?.string, !text.isEmpty else { throw lacking(name, "a non-empty string") }
    return try harmless(text, name)
  }

  /// The text; nil if it is missing or null.
  func optionalText(_ name: String) throws(ManifestError) -> String? {
    guard let value = object[name], !value.isNull else { return nil }
    guard let text = value.string else { throw lacking(name, "a string") }
    return try harmless(text, name)
  }

  func flag(_ name: String) throws(ManifestError) -> Bool {
    guard let value = object[name], !value.isNull else { return false }
    guard let flag = value.bool else { throw lacking(name, "true or false") }
    return flag
  }

  func list(_ name: String) throws(ManifestError) -> [JSONValue] {
    guard let value = object[name], !value.isNull else { return [] }
    guard let list = value.array else { throw lacking(name, "a list") }
    return list
  }

  func texts(_ name: String) throws(ManifestError) -> [String] {
    var texts: [String] = []
    for value in try list(name) {
      guard let text = value.string else { throw lacking(name, "a list of strings") }
      texts.append(try harmless(text, name))
    }
    return texts
  }

  /// The hosts in ASCII.
  func hosts(_ name: String) throws(ManifestError) -> [String] {
    var hosts: [String] = []
    for text in try texts(name) {
      do throws(ManifestError) { hosts.append(try HostText.ascii(text)) } catch {
        throw ManifestError("'\(name)' of \(owner) has \(error)")
      }
    }
    return hosts
  }

  /// The declared paths, each once.
  func fileAccess(_ name: String) throws(ManifestError) -> [FileAccess] {
    var accesses: [FileAccess] = []
    for value in try list(name) {
      let members = try Members(value, of: "an entry of '\(name)'")
      let path = try members.text("path")
      if let problem = FileAccess.problem(ofPath: path) { throw ManifestError("'\(path)' in '\(name)' \(problem)") }
      guard let mode = FileAccess.Mode(rawValue: try members.text("access")) else {
        throw ManifestError("'access' of '\(path)' is neither 'read' nor 'write'")
      }
      guard !accesses.contains(where: { $0.path == path }) else {
        throw ManifestError("'\(name)' has '\(path)' twice")
      }
      accesses.append(FileAccess(mode, path))
    }
    return accesses
  }

  private func harmless(_ text: String, _ name: String) throws(ManifestError) -> String {
    if let problem = ManifestText.problem(in: text) { throw ManifestError("'\(name)' of \(owner) has \(problem)") }
    return text
  }
}
