import Arguments
import Pages
import Store
import World

/// Answers the completion scripts. It reads what is kept, never the network, and has no way to complain.
enum CompleteCommand: Command {
  struct Options: Sendable {
    var kind = Required<String>()
    var command = ""
    var prefix = Required<String>()
  }

  static let name = "__complete"
  static let summary = "Answer a completion script"
  static var flags: [Flag<Options>] { [.value("command", .text("PATH"), into: \.command, help: "The command being typed")] }
  static var positionals: [Positional<Options>] {
    [
      .required(.text("KIND"), into: \.kind, help: "What is wanted"),
      .required(.text("PREFIX"), into: \.prefix, help: "What stands at the cursor"),
    ]
  }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let candidates = (try? candidates(options, session)) ?? []
    return .text(candidates.map { $0.line + "\n" }.joined())
  }

  private static func candidates(_ options: Options, _ session: Session) throws -> [CompletionCandidate] {
    switch options.kind.value {
    case "connection-id":
      return try session.store.connectionNames(profile: session.profileName.description).compactMap {
        CompletionCandidate($0.id, $0.name)
      }
    case "profile":
      let kept = try session.store.profileNames()
      return Set(kept + ["default", "sandbox"]).sorted().compactMap { CompletionCandidate($0) }
    case "token-user":
      return try session.store.credentials(profile: session.profileName.description)
        .filter { $0.kind == .userToken && !$0.userID.isEmpty }.compactMap { CompletionCandidate($0.userID) }
    case "applet-id": return []
    case "field":
      let shape = Shapes.of(command: options.command.split(separator: " ").map(String.init))
      return (shape?.record.fields ?? []).compactMap { CompletionCandidate($0) }
    case "schema": return Shapes.documents.compactMap { CompletionCandidate($0.name) }
    case "command": return Root.schema.subcommands.map(\.name).filter { !$0.hasPrefix("_") }.compactMap { CompletionCandidate($0) }
    default: return []
    }
  }
}
