/// The definition of a command in its file: everything except its action, which belongs to the modules that can
/// perform it.
///
/// Everything but the name is evaluated only when needed. Declare the members as computed `static var`: parsing one
/// command line then creates the flags of only one command.
package protocol CommandDefinition: SendableMetatype {
  associatedtype Options: Sendable

  static var name: String { get }
  /// One line without a full stop.
  static var summary: String { get }
  /// Paragraphs of plain text for `--help` and the man page.
  static var discussion: [String] { get }
  /// The heading under which the parent lists it.
  static var group: String? { get }
  static var flags: [Flag<Options>] { get }
  /// The positional arguments in order. At most one of them is repeatable.
  static var positionals: [Positional<Options>] { get }
  static var examples: [ExampleSchema] { get }

  /// The values of options that were not given.
  static func defaults() -> Options

  /// Checks the combination of options, after each is valid on its own and all required arguments are present.
  ///
  /// - Throws: ``Conflict`` for a combination that is a usage error, such as ids together with `--all`.
  static func check(_ options: Options) throws(Conflict)
}

extension CommandDefinition {
  package static var discussion: [String] { [] }
  package static var group: String? { nil }
  package static var flags: [Flag<Options>] { [] }
  package static var positionals: [Positional<Options>] { [] }
  package static var examples: [ExampleSchema] { [] }
  package static func check(_ options: Options) throws(Conflict) {}
}

/// Options and arguments that are valid on their own but cannot be combined.
package struct Conflict: Error, Equatable {
  /// A lowercase sentence without a full stop: "give ids or --all, not both".
  package var message: String
  /// The long names of the options in conflict, without dashes. The caret marks the first of them that was typed.
  package var options: [String]
  /// Whether the error is a missing argument that several options could have provided. The caret is then placed after
  /// the last argument.
  package var isLack: Bool

  package init(_ message: String, options: [String] = [], isLack: Bool = false) {
    (self.message, self.options, self.isLack) = (message, options, isLack)
  }
}
