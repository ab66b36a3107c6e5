import CommandLine
import JSON
import Session
import Text

enum SchemaCommand: Command {
  struct Options: Sendable {
    var words: [String] = []
  }

  static let name = "schema"
  static let summary = "Print the JSON Schema of a command's JSON output"
  static let group: String? = "Help"
  static var discussion: [String] {
    [
      """
      Without a name, lists the schemas, including those of plugins whose manifests declare the output of their commands. \
      In the name of a subcommand, a hyphen is equivalent to a space.
      """
    ]
  }
  static var positionals: [Positional<Options>] {
    [.many(.nonEmpty("NAME", completion: .dynamic("schema")), into: \.words, help: "Name of the schema")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("schema connections list", "print the JSON Schema (2020-12) of a command"),
      ExampleSchema("schema error", "print the schema of errors on stderr"),
    ]
  }
  static var shape: OutputSchema? { .many(SchemaDocument.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let own = SchemaDocument.all
    let name = options.words.joined(separator: "-")
    if let document = own.first(where: { $0.name == name }) {
      return Output(body: .document(document.schema().bytes))
    }
    let documents = own + SchemaDocument.all(ofPluginsIn: session.tree.root)
    guard !options.words.isEmpty else {
      return .rows(documents)
    }
    guard let document = documents.first(where: { $0.name == name }) else {
      let near = NearestNames.of(name, among: documents.map(\.name)).map { "'\($0)'" }
      throw Problem(
        .notFound, "no schema '\(name)'",
        hint: (near.isEmpty ? Hint("") : "Did you mean \(Problem.list(near))? ") + "List them with \(ifttt: "schema").")
    }
    return Output(body: .document(document.schema().bytes))
  }
}
