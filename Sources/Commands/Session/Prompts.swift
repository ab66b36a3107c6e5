import Display
import Phrases
import Secrets
import World

extension Session {
  /// Whether a CI service runs this: nobody looks on.
  var isCI: Bool { !(world.environment["CI"] ?? "").isEmpty }

  /// Prompts need someone to see them and someone to answer; CI has neither.
  var mayPrompt: Bool {
    world.terminal.inputIsTerminal && world.terminal.errorIsTerminal && !options.refusesInput && !isCI
      && replay == nil
  }

  /// Asks without echo.
  func askSecret(_ what: String) throws -> Secret {
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
  func say(_ text: String) { world.writeWords(TerminalText.escaped(text) + "\n") }

  /// Asks for a line.
  /// - Throws: `refused` at the end of input: nobody answers any more.
  func ask(_ question: String) throws -> String {
    try prompt(TerminalText.escaped(question))
    guard let line = try world.input.readLine() else {
      writeError("\n")
      throw Problem(.refused, "the questions were not answered to the end, nothing was changed")
    }
    return line
  }

  /// Asks before something that cannot be taken back.
  /// - Throws: `refused` where nobody can be asked, or the answer is not yes.
  func confirm(_ question: String) throws {
    try confirm(question, reason: question, in: .americanEnglish)
  }

  /// The same in the person's own language; the error is in English.
  func confirm(_ question: Phrase) throws {
    try confirm(language.text(question), reason: Language.americanEnglish.text(question), in: language)
  }

  private func confirm(_ question: String, reason: String, in language: Language) throws {
    if options.saysYes { return }
    guard mayPrompt else {
      throw Problem(.refused, "not done without confirmation", reason: reason, hint: "Say --yes.")
    }
    try prompt("\(question) [\(language.text(.yesOrNo))] ")
    guard let answer = try world.input.readLine(), language.agrees(answer) else {
      throw Problem(.refused, "not confirmed, nothing was changed")
    }
  }
}
