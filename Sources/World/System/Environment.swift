#if canImport(Glibc)
  @preconcurrency import Glibc
#else
  import Darwin
#endif

/// Environment variables, looked up one at a time on demand.
///
/// For performance, this is not a dictionary: creating the first dictionary with string keys makes the Swift runtime
/// scan every protocol conformance in the program. That costs more than everything else `--version` does.
package struct Environment: Sendable, ExpressibleByDictionaryLiteral {
  private var given: [(name: String, value: String?)]
  private let includesProcess: Bool

  /// The variables of this process.
  package static let live = Environment(given: [], includesProcess: true)

  package init(dictionaryLiteral elements: (String, String)...) {
    self.init(given: elements.map { ($0, $1) }, includesProcess: false)
  }

  package init(_ dictionary: [String: String]) {
    self.init(given: dictionary.map { ($0, $1) }, includesProcess: false)
  }

  private init(given: [(name: String, value: String?)], includesProcess: Bool) {
    (self.given, self.includesProcess) = (given, includesProcess)
  }

  package subscript(variable: EnvironmentVariable) -> String? {
    get { self[named: variable.name] }
    set { self[named: variable.name] = newValue }
  }

  /// A variable whose name is data, such as one that a plugin's manifest names. Invalid UTF-8 is repaired rather than
  /// dropped, so that a set variable never appears unset.
  package subscript(named name: String) -> String? {
    get {
      if let own = given.first(where: { $0.name == name }) { return own.value }
      return includesProcess ? getenv(name).map { String(cString: $0) } : nil
    }
    set {
      given.removeAll { $0.name == name }
      given.append((name, newValue))
    }
  }

  /// The names of all variables that are set, without duplicates.
  package var names: [String] {
    var names: [String] = given.filter { $0.value != nil }.map(\.name)
    guard includesProcess else { return names }
    var place = Self.block
    while let variable = place.pointee {
      let name = String(String(cString: variable).prefix { $0 != "=" })
      if !given.contains(where: { $0.name == name }), !names.contains(name) { names.append(name) }
      place += 1
    }
    return names
  }

  /// The system's own array of this process's variables, terminated by a null pointer. It is passed to child
  /// processes.
  static var block: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
    #if canImport(Glibc)
      environ
    #else
      // Written with its type, since it depends on the SDK whether the pointer is optional.
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
  /// Also the variables of password managers and their agents, for the command that prints the store's key.
  case keys
  /// All variables, for the user's own command.
  case all

  fileprivate var recipients: [VariableRecipients] {
    switch self {
    case .basic, .all: [.programs]
    case .desktop: [.programs, .desktop]
    case .keys: [.programs, .desktop, .keyCommand]
    }
  }
}

extension Environment {
  /// Returns the visible variables as `NAME=value`; nil to inherit this process's environment unchanged.
  package func visible(_ variables: EnvironmentFilter) -> [String]? {
    if variables == .all { return nil }
    return self.names.filter(EnvironmentVariable.isInherited(by: variables.recipients))
      .compactMap { name in self[named: name].map { "\(name)=\($0)" } }
  }
}

/// The programs and files that receive variables of this program's environment.
package struct VariableRecipients: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Every plugin.
  package static let plugins = VariableRecipients(rawValue: 1)
  /// Every program that this one runs for its own purposes, such as a man page formatter.
  package static let programs = VariableRecipients(rawValue: 1 << 1)
  /// Also those with a window, such as a browser, and those that use the session bus.
  package static let desktop = VariableRecipients(rawValue: 1 << 2)
  /// Also the command that prints the store's key: password managers and their agents.
  package static let keyCommand = VariableRecipients(rawValue: 1 << 3)
  /// The pager of `ifttt man`.
  package static let pager = VariableRecipients(rawValue: 1 << 4)
  /// A run with `--replay`, which takes only variables of the display from its own environment.
  package static let replay = VariableRecipients(rawValue: 1 << 5)
  /// A recording, which stores the value with credentials replaced. A replay accepts no other variable from it.
  package static let recording = VariableRecipients(rawValue: 1 << 6)
}

/// The plugins that see a variable if their manifest names it and the user agreed.
package enum PluginAccess: Sendable {
  case any
  /// Only the plugin whose name the variable's name begins with, after `IFTTT_`.
  case namesake
  case none
}

extension EnvironmentVariable {
  /// The beginning of the names of this program's own variables.
  package static let ownPrefix = "IFTTT_"
  private static let storePrefix = "IFTTT_STORE_"

  /// Variables that are inherited by the beginning of their names. Their full names are not known.
  private static let families: [(prefix: String, recipients: VariableRecipients)] = [
    ("LC_", .programs), ("XDG_", .desktop), ("PASSWORD_STORE_", .keyCommand),
  ]

  package static func inherited(by recipient: VariableRecipients) -> [EnvironmentVariable] {
    allCases.filter { $0.isInherited(by: recipient) }
  }

  /// Returns a test for names: whether one of the recipients inherits a variable of this name.
  package static func isInherited(by recipients: [VariableRecipients]) -> (String) -> Bool {
    let names = allCases.filter { variable in recipients.contains { variable.isInherited(by: $0) } }.map(\.name)
    let prefixes = families.filter { recipients.contains($0.recipients) }.map(\.prefix)
    return { name in names.contains(name) || prefixes.contains { name.hasPrefix($0) } }
  }

  /// Whether a variable of this name holds a credential. An unknown variable of this program may be one of a later
  /// version, and is treated as a credential.
  package static func isSecret(named name: String) -> Bool {
    EnvironmentVariable(named: name)?.isSecret ?? name.hasPrefix(ownPrefix)
  }

  /// The plugins that may see a variable of this name. An unknown variable of this program is visible only to the
  /// plugin that it is named after.
  package static func pluginAccess(named name: String) -> PluginAccess {
    if let variable = EnvironmentVariable(named: name) { return variable.facts.plugins }
    return name.hasPrefix(storePrefix) ? .none : name.hasPrefix(ownPrefix) ? .namesake : .any
  }
}
