import Arguments
import CommandContext
import Pages

enum CompletionCommand: Command {
  struct Options: Sendable {
    var shell = Required<CompletionShell>()
  }

  static let name = "completion"
  static let summary = "Print the completion script of a shell"
  static let group: String? = "Help"
  static var discussion: [String] {
    [
      """
      For bash, source it from ~/.bashrc: source <(ifttt completion bash). For zsh, save it as _ifttt in a folder of $fpath. For \
      fish, save it as ~/.config/fish/completions/ifttt.fish.
      """,
      "The commands of installed plugins are part of it, so make it again after installing one.",
    ]
  }
  static var positionals: [Positional<Options>] {
    [.required(.oneOf(CompletionShell.self, placeholder: "SHELL"), into: \.shell, help: "The shell")]
  }
  static var examples: [ExampleSchema] { [ExampleSchema("completion bash", "for source <(…)")] }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    .text(Completion.script(for: options.shell.value, root: session.tree.schema))
  }
}
