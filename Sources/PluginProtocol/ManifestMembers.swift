import JSON

/// The members of one JSON object of a manifest, each read with its expected type. A member that is missing or invalid is
/// a problem, and is read as an empty value.
struct Members {
  private let object: JSONObject
  private let problems: ManifestProblems
  /// The owner of the members, for errors: "option '--scope' of 'grab login'".
  private(set) var owner: String

  /// Nil if the value is not an object, which is a problem.
  init?(_ value: JSONValue, of owner: String, _ problems: ManifestProblems) {
    guard let object = value.object else {
      problems.add("\(owner) is not a JSON object")
      return nil
    }
    (self.object, self.owner, self.problems) = (object, owner, problems)
  }

  /// The same members with a more specific owner.
  func named(_ owner: String) -> Members {
    var members = self
    members.owner = owner
    return members
  }

  /// The value of a member; nil if it is missing or null.
  subscript(name: String) -> JSONValue? {
    // A bare nil would be the JSON value null.
    guard let value = object[name], !value.isNull else { return Optional<JSONValue>.none }
    return value
  }

  func addProblem(_ problem: String) { problems.add(problem) }

  /// Adds the problem of a member that is missing or has another type.
  func addLack(of name: String, _ expected: String) {
    problems.add(object[name] == nil ? "\(owner) has no '\(name)'" : "'\(name)' of \(owner) is not \(expected)")
  }

  /// A nested object; nil if it is missing or not an object.
  func members(_ name: String, of owner: String) -> Members? {
    self[name].flatMap { Members($0, of: owner, problems) }
  }

  /// The elements of a list, each read by `read`, which returns nil for an element with a problem.
  func list<Element>(_ name: String, _ read: (JSONValue, ManifestProblems) -> Element?) -> [Element] {
    list(name).compactMap { read($0, problems) }
  }

  func text(_ name: String) -> String {
    guard let text = object[name]?.string, !text.isEmpty else {
      addLack(of: name, "a non-empty string")
      return ""
    }
    return checked(text, name)
  }

  /// The text; nil if it is missing or null.
  func optionalText(_ name: String) -> String? {
    guard let value = self[name] else { return nil }
    guard let text = value.string else {
      addLack(of: name, "a string")
      return nil
    }
    return checked(text, name)
  }

  func number(_ name: String) -> Int? {
    guard let number = object[name]?.int else {
      addLack(of: name, "a number")
      return nil
    }
    return number
  }

  func flag(_ name: String) -> Bool {
    guard let value = self[name] else { return false }
    guard let flag = value.bool else {
      addLack(of: name, "true or false")
      return false
    }
    return flag
  }

  func list(_ name: String) -> [JSONValue] {
    guard let value = self[name] else { return [] }
    guard let list = value.array else {
      addLack(of: name, "a list")
      return []
    }
    return list
  }

  func texts(_ name: String) -> [String] {
    list(name).compactMap { value in
      guard let text = value.string else {
        addLack(of: name, "a list of strings")
        return nil
      }
      return checked(text, name)
    }
  }

  /// The hosts in ASCII.
  func hosts(_ name: String) -> [String] {
    texts(name).map { text in
      do throws(ManifestError) { return try HostText.ascii(text) } catch {
        addProblem("'\(name)' of \(owner) has \(error)")
        return text
      }
    }
  }

  /// The declared paths. A path that is declared twice is a problem.
  func fileAccess(_ name: String) -> [FileAccess] {
    var accesses: [FileAccess] = []
    for value in list(name) {
      guard let members = Members(value, of: "an entry of '\(name)'", problems) else { continue }
      let (path, word) = (members.text("path"), members.text("access"))
      guard !path.isEmpty else { continue }
      if let problem = FileAccess.problem(ofPath: path) { addProblem("'\(path)' in '\(name)' \(problem)") }
      if accesses.contains(where: { $0.path == path }) { addProblem("'\(name)' has '\(path)' twice") }
      if let mode = FileAccess.Mode(rawValue: word) {
        accesses.append(FileAccess(mode, path))
      } else if !word.isEmpty {
        addProblem("'access' of '\(path)' is neither 'read' nor 'write'")
      }
    }
    return accesses
  }

  /// Adds a problem if the text is unsafe to display. Returns the text.
  private func checked(_ text: String, _ name: String) -> String {
    if let problem = ManifestText.problem(in: text) { addProblem("'\(name)' of \(owner) has \(problem)") }
    return text
  }
}

/// The problems of a manifest. Reading continues after each of them, so that its author sees all of them.
final class ManifestProblems {
  /// The maximum number of problems to report. More would not help the author.
  private static let limit = 100
  private var list: [String] = []

  func add(_ problem: String) {
    if list.count < Self.limit, !list.contains(problem) { list.append(problem) }
  }

  /// - Throws: ``ManifestError`` with all problems, if there are any.
  func check() throws(ManifestError) { if !list.isEmpty { throw ManifestError(problems: list) } }
}
