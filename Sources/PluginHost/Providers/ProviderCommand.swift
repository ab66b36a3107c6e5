import CommandContext
import Display
import JSON
import PluginProtocol
import Plugins
import Store
import World

/// Runs a command of a provider plugin's own, that its manifest describes.
struct ProviderCommand {
  package let provider: InstalledProvider
  package let call: CommandCall
  /// How its rows are printed; nil for a command that gives text.
  package let shape: OutputSchema?
  /// The browser command that the user typed.
  package let browser: String?

  package func run(in session: Session) throws -> Output {
    guard let shape else {
      let text = try talk(in: session) { talk in try talk.ask(.runCommand, call.params)["text"]?.string ?? "" }
      return Self.output(text, in: session)
    }
    if case .one = shape.form { return try one(shape, in: session) }
    let rows = Rows(isReiterable: false) { body in
      try talk(in: session) { talk in
        _ = try talk.ask(.runCommand, call.params, holding: false) { item in try item.bytes.withUnsafeBytes(body) }
      }
    }
    return Output(body: .rows(rows, shape))
  }

  /// One row; or, from a command that was asked for something else, no row and a text.
  private func one(_ shape: OutputSchema, in session: Session) throws -> Output {
    var (row, count, text) = ([UInt8](), 0, String?.none)
    var failure: (any Error)?
    do {
      text = try talk(in: session) { talk in
        try talk.ask(.runCommand, call.params, holding: false) { item in
          count += 1
          if count == 1 { row = item.bytes }
        }["text"]?.string
      }
    } catch { failure = error }
    if count == 0 {
      if let failure { throw failure }
      if let text { return Self.output(text, in: session) }
      if session.options.isDryRun { return .nothing }
    }
    guard count == 1 else {
      throw Problem(
        .pluginFailed, "plugin '\(provider.name)' failed",
        reason: "the command gives one result, and \(count == 0 ? "none" : "\(count)") came")
    }
    let found = row
    let rows = Rows(isReiterable: false) { body in
      try found.withUnsafeBytes(body)
      // What was found stands before why it is not good.
      if let failure { throw failure }
    }
    return Output(body: .rows(rows, shape))
  }

  private static func output(_ text: String, in session: Session) -> Output {
    text.isEmpty ? .nothing : .text(session.world.terminal.outputIsTerminal ? escaped(text) : text)
  }

  private func talk<Result>(in session: Session, _ body: (ProviderSession) throws -> Result) throws -> Result {
    let talk = try ProviderSession(with: provider, browser: browser, in: session)
    defer {
      talk.close()
      // A command may have changed any of its connections.
      _ = try? talk.expireList()
    }
    return try body(talk)
  }

  /// Line by line: a text keeps its lines, and nothing in it is obeyed by the terminal.
  private static func escaped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { TerminalText.escaped(String($0)) }
      .joined(separator: "\n")
  }
}
