/// Finds the option that an argument names: one of the command, a global one, or help and version.
struct OptionLookup {
  /// The owner of an option.
  enum Scope: Equatable {
    case command, global, help, version
  }

  struct Match {
    let scope: Scope
    /// The index among the options of its scope.
    let index: Int
    let schema: OptionSchema
    /// False for the `--no-` form.
    let isOn: Bool
  }

  let globals: [OptionSchema]
  private(set) var command: [OptionSchema] = []
  /// The scopes in the order of lookup.
  private var scopes: [(Scope, [OptionSchema])]

  init(globals: [OptionSchema]) {
    self.globals = globals
    scopes = [(.global, globals), (.help, [.help]), (.version, [.version])]
  }

  /// Adds the options of the command that the command line names.
  mutating func add(_ command: [OptionSchema]) {
    self.command = command
    scopes.insert((.command, command), at: 0)
  }

  var all: [OptionSchema] { scopes.flatMap(\.1) }

  /// The option with a long name, given without dashes. Prefixes of a name are not accepted: a new option must not
  /// change the meaning of an old script.
  func long(_ name: ArraySlice<UInt8>) -> Match? {
    for (scope, options) in scopes {
      for (index, option) in options.enumerated() {
        if option.name.utf8.elementsEqual(name) {
          return Match(scope: scope, index: index, schema: option, isOn: true)
        }
        if option.isNegatable, name.starts(with: "no-".utf8), option.name.utf8.elementsEqual(name.dropFirst(3)) {
          return Match(scope: scope, index: index, schema: option, isOn: false)
        }
      }
    }
    return nil
  }

  func short(_ letter: UInt8) -> Match? {
    for (scope, options) in scopes {
      for (index, option) in options.enumerated() where option.short?.asciiValue == letter {
        return Match(scope: scope, index: index, schema: option, isOn: true)
      }
    }
    return nil
  }
}

extension OptionSchema {
  /// `-h` and `--help`, which every command has.
  package static let help = OptionSchema(
    name: "help", short: "h", help: "Show help: -h on one screen, --help in full")

  /// `-V` and `--version`, which every command has.
  package static let version = OptionSchema(name: "version", short: "V", help: "Show the version")
}
