import JSON
import Output
package import Text
package import World

/// The terminal of one run: notes and prompts on stderr, and input from stdin.
package final class Console {
  package let world: World
  let options: GlobalOptions
  private let isReplay: Bool
  /// Adds the options in effect to the commands that a hint suggests.
  var complete: (Hint) -> Hint = { $0 }
  private var isInputReserved = false
  package private(set) lazy var slowRequestNotice = SlowRequestNotice(self)
  /// The progress bar of the running batch.
  package weak var progress: BatchProgressBar?

  /// - Parameter isReplay: whether the run is a replay, which never prompts.
  init(_ world: World, _ options: GlobalOptions, isReplay: Bool) {
    (self.world, self.options, self.isReplay) = (world, options, isReplay)
  }

  /// Whether prompts are available. They need a visible terminal and a source of input; CI has neither.
  package var mayPrompt: Bool {
    world.terminal.inputIsTerminal && world.terminal.errorIsTerminal && !options.disablesPrompts && !isCI && !isReplay
  }

  /// Writes one line for people, unless `--quiet` is passed.
  package func note(_ hint: Hint) {
    guard !options.isQuiet else { return }
    say(complete(hint))
  }

  /// Writes one line that explains what is happening to a person at the terminal; in a log only with `--verbose`.
  package func noteToPerson(_ hint: Hint) {
    if world.terminal.errorIsTerminal { note(hint) } else { diagnose(complete(hint).text) }
  }

  /// Describes a change before it is made: in a dry run as its result, with `--yes` only at a terminal, and otherwise
  /// above the confirmation prompt.
  package func present(_ lines: [String]) {
    for line in lines.map({ Hint($0) }) {
      if options.isDryRun {
        note(line)
      } else if options.assumesYes {
        noteToPerson(line)
      } else if mayPrompt {
        say(line)
      }
    }
  }

  /// Reserves stdin for one option. A second reservation is an error, because stdin can be read only once.
  package func reserveInput(for option: String) throws {
    guard !isInputReserved else {
      throw Problem(
        .usage, "\(option): stdin is already read by another option",
        hint: "Pass a file to one of them.")
    }
    isInputReserved = true
  }
}

extension Console {
  /// Writes one line if `--verbose` is passed.
  package func diagnose(_ text: String) {
    guard options.isVerbose else { return }
    world.writeMessage(TerminalText.escaped(text) + "\n")
  }

  /// Writes to stderr and ignores errors: they could be reported only on stderr.
  package func writeError(_ text: String) {
    world.writeError(text)
  }

  /// Whether to explain an empty list. An empty table prints nothing, which looks like a failure, also in a pipe. Empty
  /// data is self-explanatory: `[]`.
  package var explainsEmptiness: Bool { options.format == .table || world.terminal.outputIsTerminal }

  /// Writes a note about an empty list.
  package func noteEmpty(_ hint: Hint) {
    if explainsEmptiness { note(hint) }
  }
}

extension Hint {
  /// The first steps for a profile that tracks no connections.
  package static var nothingTracked: Hint {
    "No connections are tracked yet. Add one with \(ifttt: "connections add ID"), or set up your service with "
      + "\(ifttt: "init"). To try it without an account: "
      + "\(ifttt: "--profile sandbox connections list")"
  }
}

extension World {
  package func writeError(_ text: String) {
    var text = text
    text.withUTF8 { try? errors.write(UnsafeRawBufferPointer($0)) }
  }
}

extension Console {
  /// The contents of a file that an option names; `-` is stdin.
  /// - Parameter limit: in bytes.
  /// - Throws: `refused` if the file cannot be read.
  package func contents(of file: String, for option: String, limit: Int) throws -> [UInt8] {
    guard file != "-" else {
      try reserveInput(for: option)
      return try world.input.readAll(limit: limit)
    }
    do throws(SystemError) { return try world.files.read(file, limit: limit) } catch {
      throw Problem.unreadable(file, error)
    }
  }

  /// The contents of a text file that an option names, without a byte order mark; `-` is stdin.
  /// - Throws: `refused` if the file cannot be read or is not in UTF-8.
  package func text(of file: String, for option: String, limit: Int) throws -> [UInt8] {
    let bytes = try contents(of: file, for: option, limit: limit)
    do throws(ForeignEncoding) { return try TextStart.removed(from: bytes) } catch {
      throw Problem(
        .refused, "cannot read \(file == "-" ? "stdin" : "'\(file)'")", reason: error.description,
        hint: "Save it as UTF-8.")
    }
  }

  /// Reads stdin to its end.
  /// - Parameters:
  ///   - option: the option that reads it, for an error if another one has read it.
  ///   - hint: the advice if the text is not in UTF-8.
  ///   - receive: called with each part.
  ///   - end: called at the end.
  package func readInput(
    for option: String, hint: Hint, _ receive: ([UInt8]) throws -> Void, atEnd end: () throws -> Void
  ) throws {
    try reserveInput(for: option)
    do {
      while true {
        let bytes = try world.input.readSome()
        if bytes.isEmpty { break }
        try receive(bytes)
      }
      try end()
    } catch let encoding as ForeignEncoding {
      throw Problem(.usage, "stdin \(encoding.predicate)", hint: hint)
    }
  }

  /// Makes GitHub Actions mask a secret in its log before the secret is printed.
  package func announce(_ secret: Secret) {
    if WorkflowCommands.areRead(in: world) { world.reveal(WorkflowCommands.mask(secret)) }
  }

  /// Makes GitHub Actions mask the tokens in a response that is printed as received. It may contain a new token.
  package func announceTokens(in body: [UInt8]) {
    guard WorkflowCommands.areRead(in: world) else { return }
    for name in ["user_token", "access_token", "token"] {
      let value = body.withUnsafeBytes { bytes -> [UInt8]? in
        var scanner = JSONScanner(bytes)
        guard scanner.next == UInt8(ascii: "{"), let range = try? scanner.value(of: Array(name.utf8)) else {
          return nil
        }
        return Array(scanner.slice(range))
      }
      let text = value.flatMap { try? JSONValue(parsing: $0) }?.string
      if let secret = text.flatMap(Secret.init(parsing:)) { announce(secret) }
    }
  }
}

extension Problem {
  /// The problem of a file argument that cannot be read.
  package static func unreadable(_ file: String, _ error: SystemError) -> Problem {
    Problem(
      .refused, "cannot read '\(file)'", reason: error.description, hint: "Pass a readable file, or '-' for stdin.")
  }
}
