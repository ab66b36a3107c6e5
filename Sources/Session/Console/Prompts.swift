package import CommandLine
package import IFTTT
import Output
import Store
package import Text
import World

extension Console {
  /// Whether a CI service runs the program, without a person at the terminal.
  package var isCI: Bool { !(world.environment[.continuousIntegration] ?? "").isEmpty }

  /// Prompts for a secret without echo; nil for an empty line and at the end of input.
  package func promptForOptionalSecret(_ noun: String) throws -> Secret? {
    try world.checkInterruption()
    // Echo is off, so the typed line break does not end the line on the terminal.
    defer { writeError("\n") }
    return try world.input.readSecret(prompt: { writeError("\(noun): ") }).flatMap(Secret.init(parsing:))
  }

  /// Prompts for a secret without echo.
  package func promptForSecret(_ noun: String) throws -> Secret {
    guard let secret = try promptForOptionalSecret(noun) else {
      throw Problem(
        .credentialsMissing, "no \(noun) was entered", hint: "Type or paste it at the prompt; it is not shown.")
    }
    return secret
  }

  /// Writes a line that belongs to a prompt.
  package func say(_ hint: Hint) {
    let lines = hint.mapped(world.redacted).lines(width: world.messageWidth)
    world.writeMessage(lines.map { $0 + "\n" }.joined())
  }

  /// Writes a URL for a person to open, without masking the credentials in it.
  package func writeURL(_ url: String) { world.reveal(TerminalText.escaped(url) + "\n") }

  /// Prompts for a line; nil at the end of input.
  package func ask(_ question: String) throws -> String? {
    // The input starts after the final space of the prompt.
    let end = question.hasSuffix(" ") ? " " : ""
    let shown = TerminalText.escaped(world.redacted(String(end.isEmpty ? question[...] : question.dropLast())))
    try world.checkInterruption()
    writeError(CommandWrap.lines(of: shown, width: world.messageWidth).joined(separator: "\n") + end)
    if let line = try world.input.readLine() { return line }
    writeError("\n")
    return nil
  }

  /// Prompts for yes or no in the user's language. The end of input counts as no.
  package func agrees(_ question: Phrase) throws -> Bool { try agrees(language.asking(question), in: language) }

  /// Prompts for yes or no in English, for what is not part of the connect flow.
  /// - Parameter isYesByDefault: the meaning of an empty line.
  package func agrees(inEnglish question: String, isYesByDefault: Bool = false) throws -> Bool {
    let language = Language.americanEnglish
    guard isYesByDefault else { return try agrees("\(question) [\(language.text(.yesOrNo))] ", in: language) }
    while let answer = try ask("\(question) [Y/n] ")?[...].trimmed {
      if answer.isEmpty || language.agrees(answer) { return true }
      // Anything else may be meant for the next prompt.
      if ["n", "no"].contains(answer.lowercased()) { return false }
    }
    return false
  }

  private func agrees(_ question: String, in language: Language) throws -> Bool {
    try ask(question).map(language.agrees) ?? false
  }

  /// Confirms an action that cannot be undone.
  /// - Parameters:
  ///   - details: the affected items, for the error if prompts are unavailable.
  ///   - hint: the command that needs no confirmation.
  /// - Throws: `confirmation_required` if prompts are unavailable, or `refused` if the response is not yes.
  package func confirm(_ question: String, details: [String] = [], hint: Hint = "Pass --yes.") throws {
    try confirm(reason: question, details, hint) { try agrees(inEnglish: question) }
  }

  /// Confirms in the user's language; the error is in English.
  /// - Parameter details: the affected items, for the error if prompts are unavailable.
  package func confirm(_ question: Phrase, details: [String] = []) throws {
    try confirm(reason: Language.americanEnglish.text(question), details) { try agrees(question) }
  }

  private func confirm(
    reason: String, _ details: [String] = [], _ hint: Hint = "Pass --yes.", _ isAgreed: () throws -> Bool
  ) throws {
    if options.assumesYes { return }
    guard mayPrompt else {
      throw Problem(
        .confirmationRequired, "confirmation required", reason: reason, hint: hint,
        details: details.map { Problem.Detail(parameter: nil, message: $0) })
    }
    guard try isAgreed() else { throw Problem(.refused, "not confirmed, nothing was changed") }
  }

  /// The store's passphrase prompt; nil if prompts are unavailable.
  var passphraseQuestion: PassphraseQuestion? {
    guard mayPrompt else { return nil }
    return { [unowned self] purpose throws(StoreError) in
      do {
        guard case .new = purpose else { return Array(try promptForSecret("store passphrase").revealed.utf8) }
        let first = try promptForSecret("new store passphrase")
        guard try promptForSecret("new store passphrase (again)") == first else {
          throw StoreError(
            code: .keyMissing, message: "the two passphrases differ",
            hint: "Run the command again. Nothing was changed."
          )
        }
        return Array(first.revealed.utf8)
      } catch {
        throw StoreError(of: error)
      }
    }
  }
}

extension StoreError {
  /// The store error for a failed prompt.
  fileprivate init(of error: any Error) {
    switch Problem.from(error) {
    case let problem where problem.code == .interrupted: self = .interrupted
    case let problem: self.init(code: .keyMissing, message: problem.message, hint: problem.hint ?? "")
    }
  }
}

extension Console {
  /// The language of the connect flow: `--locale`, or else the locale of the environment. Errors and results are in
  /// English.
  package var language: Language {
    Language(preferring: options.locale.map { [$0] } ?? environmentLocales)
  }

  /// The locales in POSIX order (XBD 8.2). `C` and `POSIX` name no language and end the list, because setting one of
  /// them means no translation.
  private var environmentLocales: [LocaleTag] {
    let variables: [EnvironmentVariable] = [.localeAll, .localeMessages, .locale]
    let tags = variables.compactMap { world.environment[$0].flatMap(LocaleTag.init(parsing:)) }
    return Array(tags.prefix { !$0.isPOSIX })
  }
}

extension ValueKind<LocaleTag> {
  static var localeTag: ValueKind {
    .parsed("TAG", completion: .dynamic("language"), expected: "a language tag such as 'fr-CA' or 'de_AT.UTF-8'") {
      LocaleTag(parsing: $0)
    }
  }
}

extension Language {
  package static var candidates: [CompletionCandidate] { allCases.compactMap { CompletionCandidate($0.tag) } }
}
