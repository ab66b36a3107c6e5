import CommandLine
import Session

enum CompletionCommand: Command {
  struct Options: Sendable {
    var shell = Required<CompletionShell>()
  }

  static let name = "completion"
  static let summary = "Print a shell completion script"
  static let group: String? = "Help"
  static var discussion: [String] {
    [
      """
      For bash, source the script from ~/.bashrc: source <(ifttt completion bash). For zsh, save it as _ifttt in a \
      folder of $fpath. For fish, save it as ~/.config/fish/completions/ifttt.fish.
      """,
      "The script includes the commands of installed plugins. Print it again after you install a plugin.",
    ]
  }
  static var positionals: [Positional<Options>] {
    [.required(.oneOf(CompletionShell.self, placeholder: "SHELL"), into: \.shell, help: "Shell that loads the script")]
  }
  static var examples: [ExampleSchema] { [ExampleSchema("completion bash", "print the script for bash")] }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    .text(Completion.script(for: options.shell.value, root: session.tree.schema))
  }
}
