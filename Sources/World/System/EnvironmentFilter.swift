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
