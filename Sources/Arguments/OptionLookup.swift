/// Finds the option that a word names: the command's own, a global one, or help and version.
struct OptionLookup {
  /// Whose option it is.
  enum Scope: Equatable {
    case command, global, help, version
  }

  struct Match {
    let scope: Scope
    /// Its place among the options of its scope.
    let index: Int
    let schema: OptionSchema
    /// False for the `--no-` form.
    let isOn: Bool
  }

  let globals: [OptionSchema]
  var command: [OptionSchema] = []

  var all: [OptionSchema] { command + globals + [.help, .version] }

  /// The option with a long name, without the dashes. Never by a prefix of it: a new option must not change what an
  /// old script means.
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

  private var scopes: [(Scope, [OptionSchema])] {
    [(.command, command), (.global, globals), (.help, [.help]), (.version, [.version])]
  }
}

extension OptionSchema {
  /// `-h` and `--help`, which every command has.
  package static let help = OptionSchema(
    name: "help", short: "h", help: "Show help: -h on one screen, --help in full")

  /// `-V` and `--version`, which every command has.
  package static let version = OptionSchema(name: "version", short: "V", help: "Show the version")
}
