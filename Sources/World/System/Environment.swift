#if canImport(Glibc)
  @preconcurrency import Glibc
#else
  import Darwin
#endif

/// Environment variables, looked up one at a time on demand.
///
/// For performance, this is not a dictionary: creating the first dictionary with string keys makes the Swift runtime
/// scan every protocol conformance in the program.
package struct Environment: Sendable, ExpressibleByDictionaryLiteral {
  /// The variables of this value, which take precedence over the variables of the process. Nil for a variable that is
  /// not set.
  private var overrides: [(name: String, value: String?)]
  private let includesProcess: Bool

  /// The variables of this process.
  package static let live = Environment(overrides: [], includesProcess: true)

  package init(dictionaryLiteral elements: (String, String)...) {
    self.init(overrides: elements.map { ($0, $1) }, includesProcess: false)
  }

  package init(_ dictionary: [String: String]) {
    self.init(overrides: dictionary.map { ($0, $1) }, includesProcess: false)
  }

  private init(overrides: [(name: String, value: String?)], includesProcess: Bool) {
    (self.overrides, self.includesProcess) = (overrides, includesProcess)
  }

  package subscript(variable: EnvironmentVariable) -> String? {
    get { self[named: variable.name] }
    set { self[named: variable.name] = newValue }
  }

  /// A variable whose name is data, such as a name in a plugin's manifest. Invalid UTF-8 is repaired rather than
  /// dropped, so that a set variable never appears unset.
  package subscript(named name: String) -> String? {
    get {
      if let entry = overrides.first(where: { $0.name == name }) { return entry.value }
      return includesProcess ? getenv(name).map { String(cString: $0) } : nil
    }
    set {
      overrides.removeAll { $0.name == name }
      overrides.append((name, newValue))
    }
  }

  /// The names of all variables that are set, without duplicates.
  package var names: [String] {
    var names: [String] = overrides.filter { $0.value != nil }.map(\.name)
    guard includesProcess else { return names }
    var entry = Self.block
    while let variable = entry.pointee {
      let name = String(String(cString: variable).prefix { $0 != "=" })
      if !overrides.contains(where: { $0.name == name }), !names.contains(name) { names.append(name) }
      entry += 1
    }
    return names
  }

  /// The system's own array of this process's variables, terminated by a null pointer. It is passed to child
  /// processes.
  static var block: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
    #if canImport(Glibc)
      environ
    #else
      // The explicit type is valid for every SDK: the pointer is optional in some, but not in others.
      let block: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = _NSGetEnviron().pointee
      guard let block else { preconditionFailure("the process has no environment") }
      return block
    #endif
  }
}

/// The environment variables of this program that are visible to another program. Only ``all`` includes the program's
/// own variables, which hold credentials.
package enum EnvironmentFilter: Sendable, Equatable {
  /// The variables that any program needs, such as a pager.
  case basic
  /// Also the variables that graphical programs need, such as a browser or a keyring.
  case desktop
  /// Also the variables of keyrings and agents that hold keys, for git and ssh.
  case keys
  /// All variables but the program's own, for a program that prints a secret, such as a password manager.
  case others
  /// All variables, for the user's own command.
  case all

  fileprivate var recipients: [VariableRecipients] {
    switch self {
    case .basic, .all: [.programs]
    case .desktop: [.programs, .desktop]
    case .keys: [.programs, .desktop, .keyCommand]
    case .others: []
    }
  }
}

extension Environment {
  /// Returns the visible variables as `NAME=value`; nil to inherit this process's environment unchanged.
  package func visible(_ variables: EnvironmentFilter) -> [String]? {
    if variables == .all { return nil }
    let isVisible =
      variables == .others
      ? { !$0.hasPrefix(EnvironmentVariable.ownPrefix) } : EnvironmentVariable.isInherited(by: variables.recipients)
    return self.names.filter(isVisible)
      .compactMap { name in self[named: name].map { "\(name)=\($0)" } }
  }
}

/// The folders for the program's files: `IFTTT_HOME` for all of them if it is set, otherwise the XDG folders.
package struct AppDirectories: Sendable, Equatable {
  package let config: String
  package let data: String
  package let state: String
  package let cache: String

  /// Returns nil if none of `IFTTT_HOME`, the XDG variables and `HOME` determines the folders. A relative XDG path is
  /// ignored, as the XDG Base Directory specification requires.
  package init?(environment: Environment) {
    if let home = environment[.directory], !home.isEmpty {
      (config, data, state, cache) = (home, home, home, home)
      return
    }
    func folder(_ variable: EnvironmentVariable, _ fallback: String) -> String? {
      if let path = environment[variable], path.hasPrefix("/") { return "\(path)/ifttt" }
      guard let home = environment[.home], !home.isEmpty else { return nil }
      return "\(home)/\(fallback)/ifttt"
    }
    guard let config = folder(.configFolder, ".config"), let data = folder(.dataFolder, ".local/share"),
      let state = folder(.stateFolder, ".local/state"), let cache = folder(.cacheFolder, ".cache")
    else { return nil }
    (self.config, self.data, self.state, self.cache) = (config, data, state, cache)
  }

  package init(all folder: String) { (config, data, state, cache) = (folder, folder, folder, folder) }
}
