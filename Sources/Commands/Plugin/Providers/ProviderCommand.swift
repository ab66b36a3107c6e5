import World
import Display
import JSON
import PluginProtocol
import Plugins

/// Runs a command of a provider plugin's own, that its manifest describes.
struct ProviderCommand {
  let provider: InstalledProvider
  let call: CommandCall
  /// How its rows are printed; nil for a command that gives text.
  let shape: Shape?

  func run(in session: Session) throws -> Output {
    guard let shape else {
      let text = try talk(in: session) { talk in try talk.ask(.runCommand, call.params)["text"]?.string ?? "" }
      let isSeen = session.world.terminal.outputIsTerminal
      return text.isEmpty ? .nothing : .text(isSeen ? Self.escaped(text) : text)
    }
    let rows = Rows(isReiterable: false) { body in
      var count = 0
      try talk(in: session) { talk in
        _ = try talk.ask(.runCommand, call.params, holding: false) { item in
          count += 1
          if case .one = shape.form, count > 1 { return }
          try item.bytes.withUnsafeBytes(body)
        }
      }
      if case .one = shape.form, count != 1 {
        throw Problem(
          .pluginFailed, "plugin '\(provider.name)' failed",
          reason: "the command gives one result, and \(count == 0 ? "none" : "\(count)") came")
      }
    }
    return Output(body: .rows(rows, shape))
  }

  private func talk<Result>(in session: Session, _ body: (ProviderTalk) throws -> Result) throws -> Result {
    let talk = try ProviderTalk(with: provider, in: session)
    defer { talk.close() }
    return try body(talk)
  }

  /// Line by line: a text keeps its lines, and nothing in it is obeyed by the terminal.
  private static func escaped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { TerminalText.escaped(String($0)) }
      .joined(separator: "\n")
  }
}
