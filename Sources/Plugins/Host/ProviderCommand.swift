import JSON
import Output
import PluginProtocol
import Session
import Store
import World

/// Runs a command that a provider plugin defines in its manifest.
struct ProviderCommand {
  package let provider: InstalledProvider
  package let call: CommandCall
  /// The output schema of its rows; nil for a command that returns text.
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

  /// The output of a command with a single row. Depending on its arguments, the command may return text and no row
  /// instead.
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
        reason: "the command returned \(count == 0 ? "no result" : "\(count) results") instead of one")
    }
    let found = row
    let rows = Rows(isReiterable: false) { body in
      try found.withUnsafeBytes(body)
      // The row is printed before the error.
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
      // A command may have changed any of the provider's connections.
      _ = try? talk.expireList()
    }
    return try body(talk)
  }

  /// Escapes the text line by line: line breaks are preserved, and control characters have no effect on the terminal.
  private static func escaped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { TerminalText.escaped(String($0)) }
      .joined(separator: "\n")
  }
}
