package import CommandLine
package import Output
import Text

/// A command: its definition and its implementation.
///
/// `run` returns the result and writes nothing itself: one renderer prints the result, and one place converts a
/// thrown error to a message and an exit code.
package protocol Command: CommandDefinition {
  /// The schema of the JSON output; nil for a command that prints text or nothing.
  static var shape: OutputSchema? { get }
  /// The formats of `--report`; empty for a command without results of single items.
  static var reportFormats: [ReportFile.Format] { get }
  /// Rejects reports that these options do not have.
  static func check(_ reports: [ReportFile], with options: Options) throws(Conflict)
  /// Whether these options produce rows until Ctrl-C, as `--follow` does.
  static func isEndless(_ options: Options) -> Bool
  /// Replaces id prefixes and names in the options with the ids that they stand for.
  static func resolve(_ options: inout Options, in session: Session) throws
  static func run(_ options: Options, in session: Session) throws -> Output
}

extension Command {
  package static var shape: OutputSchema? { nil }
  package static var reportFormats: [ReportFile.Format] { [] }
  package static func check(_ reports: [ReportFile], with options: Options) throws(Conflict) {}
  package static func isEndless(_ options: Options) -> Bool { false }
  package static func resolve(_ options: inout Options, in session: Session) throws {}
}

/// A parsed command line, ready to run.
package typealias Action = @Sendable (Session) throws -> Output

/// The program's commands, each with its output schema.
package typealias Node = CommandNode<Action, OutputSchema?>

extension Node {
  package static func verb<C: Command>(_ command: C.Type) -> Node {
    .command(Verb<C>.self, facts: C.shape) { options in { session in try Verb<C>.run(options, in: session) } }
  }
}

/// The commands as a tree, for parsing, pages, completion and suggestions.
///
/// The program passes it to the session, because the commands are defined in higher modules.
package struct CommandTree {
  /// The program's own commands and those of plugins.
  package let root: CommandGroup<Action, OutputSchema?>
  /// The program's own commands only.
  package let own: CommandGroup<Action, OutputSchema?>

  package init(root: CommandGroup<Action, OutputSchema?>, own: CommandGroup<Action, OutputSchema?>) {
    (self.root, self.own) = (root, own)
  }

  package var parser: TreeParser { Self.parser(of: root) }
  package var ownParser: TreeParser { Self.parser(of: own) }

  /// The whole tree as data.
  package var schema: CommandSchema { parser.schema() }
  /// The program's own commands as data, global options included.
  package var ownSchema: CommandSchema { ownParser.schema() }

  package static func parser(of group: CommandGroup<Action, OutputSchema?>) -> TreeParser {
    Parser(
      root: group, globals: GlobalOptions.flags, defaults: GlobalOptions()
    ) { (options: GlobalOptions, path: [String]) throws(GlobalOptionError) in
      try options.checkFields(of: path, in: group)
      try options.checkRecording()
      try options.checkJQ()
    }
  }
}

package typealias TreeParser = Parser<GlobalOptions, Action, OutputSchema?>

extension CommandGroup<Action, OutputSchema?> {
  /// The schema of the JSON output of the command at a path; nil if it has no JSON output.
  package func outputSchema(of path: [String]) -> OutputSchema? {
    guard case .command(let command) = node(at: path) else { return nil }
    return command.facts()
  }
}

extension GlobalOptions {
  /// Rejects fields that are not in the command's output before the command has any effect. With `--dry-run`, most
  /// commands print requests and some print their usual output; fields of either are accepted here, and the output is
  /// checked when it is printed.
  package func checkFields(
    of command: [String], in group: CommandGroup<Action, OutputSchema?>
  ) throws(GlobalOptionError) {
    guard let fields, let shape = group.outputSchema(of: command) else { return }
    do throws(FieldsError) { try FieldCatalog(shape.possibleFields(isDryRun: isDryRun)).check(fields) } catch {
      guard case .unknown(let path, let valid) = error else { return }
      throw GlobalOptionError(
        "fields",
        ValueError(
          "no such field", accepted: FieldNeighbors.likely(insteadOf: path, in: valid),
          bytes: Self.byteRange(of: path, in: fields)))
    }
  }

  /// Rejects the recording of a replay, because the result would be the same recording.
  func checkRecording() throws(GlobalOptionError) {
    guard recordFolder != nil, replayFolder != nil else { return }
    throw GlobalOptionError("replay", ValueError("it cannot be combined with --record"))
  }

  /// The UTF-8 byte range of one field in the list as typed, with a comma between fields.
  private static func byteRange(of path: String, in fields: [FieldPath]) -> Range<Int>? {
    guard let index = fields.firstIndex(where: { $0.text == path }) else { return nil }
    let start = fields[..<index].reduce(0) { $0 + $1.text.utf8.count + 1 }
    return start..<start + path.utf8.count
  }
}

/// The likely alternatives to an unknown field: its siblings only, because the complete list fills a screen.
package struct FieldNeighbors {
  package let paths: [String]

  package init(of path: String, in valid: [String]) {
    var parent = path.split(separator: ".").dropLast().map(String.init)
    var found: [String] = []
    while true {
      found = FieldNeighbors.children(of: parent, in: valid)
      if !found.isEmpty || parent.isEmpty { break }
      parent.removeLast()
    }
    paths = found
  }

  /// The fields to suggest instead of an unknown one: its siblings and, if none of them is similar, similar fields
  /// elsewhere.
  package static func likely(insteadOf path: String, in valid: [String]) -> [String] {
    let siblings = FieldNeighbors(of: path, in: valid).paths
    return NearestNames.of(path, among: siblings).isEmpty
      ? siblings + NearestNames.of(path, amongPaths: valid) : siblings
  }

  private static func children(of parent: [String], in valid: [String]) -> [String] {
    valid.filter { path in
      let names = path.split(separator: ".")
      return names.count == parent.count + 1 && names.dropLast().elementsEqual(parent) { $0 == $1 }
    }
  }
}

extension OutputSchema {
  /// - Throws: a usage error for the first path that no row of this output has.
  package func require(_ paths: [FieldPath]) throws(Problem) {
    do throws(FieldsError) { try check(paths) } catch {
      guard case .unknown(let field, let valid) = error else { throw Problem(.usage, error.description) }
      let listed = FieldNeighbors(of: field, in: valid).paths.joined(separator: ", ")
      throw Problem(.usage, "unknown field '\(field)'", hint: "Accepted values: \(listed).")
    }
  }

  /// The dotted paths of all outputs that the command prints, depending on its options. With `--dry-run`, most commands
  /// print requests and some print their usual output.
  func possibleFields(isDryRun: Bool) -> [String] {
    let others = [alternative?(), isDryRun ? dryRun?() : nil, isDryRun ? .many(PlannedRequest.self) : nil]
    return others.compactMap(\.self).reduce(into: fields) { fields, other in
      let known = Set(fields)
      fields += other.fields.filter { !known.contains($0) }
    }
  }
}
