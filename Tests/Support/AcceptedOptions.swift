package import CommandLine

extension CommandPosition {
  /// The options that this command accepts: its own, then the global ones that it does not redefine.
  package var acceptedOptions: [OptionSchema] {
    guard !isRoot else { return command.options }
    let own = Set(command.options.map(\.name))
    return command.options + root.options.filter { !own.contains($0.name) }
  }
}
