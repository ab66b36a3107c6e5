import Display
package import Hints
package import Phrases
package import Secrets
import World

extension Session {
  /// Whether a CI service runs this: nobody looks on.
  package var isCI: Bool { !(world.environment["CI"] ?? "").isEmpty }

  /// Prompts need someone to see them and someone to answer; CI has neither.
  package var mayPrompt: Bool {
    world.terminal.inputIsTerminal && world.terminal.errorIsTerminal && !options.refusesInput && !isCI
      && replay == nil
  }

  /// Asks without echo.
  package func askSecret(_ what: String) throws -> Secret {
    try prompt("\(what): ")
    defer { writeError("\n") }
    guard let line = try world.input.readSecret(), let secret = Secret(parsing: line) else {
      throw Problem(.credentialsMissing, "no \(what) was given", hint: "Type or paste it when asked; it is not shown.")
    }
    return secret
  }

  /// Asked about Ctrl-C first: whoever sees the prompt can press it, and it ends the program in order.
  private func prompt(_ text: String) throws {
    guard !world.interruption.isInterrupted else { throw Problem.interrupted }
    writeError(text)
  }

  /// A line that belongs to a question.
  package func say(_ hint: Hint) {
    let lines = hint.lines(width: world.wordsWidth)
    world.writeWords(lines.map { $0 + "\n" }.joined())
  }

  /// Asks for a line; nil at the end of input, when nobody answers any more.
  package func ask(_ question: String) throws -> String? {
    // The answer begins behind the question's last blank.
    let end = question.hasSuffix(" ") ? " " : ""
    let words = TerminalText.escaped(end.isEmpty ? question[...] : question.dropLast())
    try prompt(CommandWrap.lines(of: words, width: world.wordsWidth).joined(separator: "\n") + end)
    if let line = try world.input.readLine() { return line }
    writeError("\n")
    return nil
  }

  /// Asks for yes or no, which is no failure either. Where nobody answers it is no.
  package func agrees(_ question: Phrase) throws -> Bool { try agrees(language.asking(question), in: language) }

  private func agrees(_ question: String, in language: Language) throws -> Bool {
    try ask(question).map(language.agrees) ?? false
  }

  /// Asks before something that cannot be taken back.
  /// - Throws: `refused` where nobody can be asked, or the answer is not yes.
  /// - Parameter details: what it is about, for the error where nobody can be asked.
  package func confirm(_ question: String, details: [String] = []) throws {
    let language = Language.americanEnglish
    try confirm(reason: question, details) { try agrees("\(question) [\(language.text(.yesOrNo))] ", in: language) }
  }

  /// The same in the person's own language; the error is in English.
  /// - Parameter details: what it is about, for the error where nobody can be asked.
  package func confirm(_ question: Phrase, details: [String] = []) throws {
    try confirm(reason: Language.americanEnglish.text(question), details) { try agrees(question) }
  }

  private func confirm(reason: String, _ details: [String] = [], _ isAgreed: () throws -> Bool) throws {
    if options.saysYes { return }
    guard mayPrompt else {
      throw Problem(
        .refused, "not done without confirmation", reason: reason, hint: "Pass --yes.",
        details: details.map { Problem.Detail(parameter: nil, message: $0) })
    }
    guard try isAgreed() else { throw Problem(.refused, "not confirmed, nothing was changed") }
  }
}
