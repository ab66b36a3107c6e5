/// What a command's file says about it: all but what it does, which is for those who can do something.
///
/// Everything but the name is asked for only when needed, so write `static var`, computed: parsing one command line
/// then builds the flags of one command.
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
  /// In their order. At most one of them is repeatable.
  static var positionals: [Positional<Options>] { get }
  static var examples: [ExampleSchema] { get }

  /// What holds where nothing was given.
  static func defaults() -> Options

  /// Looks at the options together, once each has been found good alone and no required argument is missing.
  ///
  /// - Throws: ``Conflict`` for a combination that is a usage error, such as ids beside `--all`.
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

/// Options and arguments that are each good and do not go together.
package struct Conflict: Error, Equatable {
  /// A sentence without a full stop, in lower case: "give ids or --all, not both".
  package var message: String
  /// The long names of the options concerned, without dashes. The caret goes under the first of them that was typed.
  package var options: [String]
  /// Whether something is missing that several words could have given: the caret then goes behind the last word.
  package var isLack: Bool

  package init(_ message: String, options: [String] = [], isLack: Bool = false) {
    (self.message, self.options, self.isLack) = (message, options, isLack)
  }
}
