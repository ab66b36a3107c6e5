import CommandLine
import HTTP
import JSON
import Output
import Session
import Text
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Prints results to stdout and problems to stderr, in the requested format.
struct Printer {
  let world: World
  let options: GlobalOptions
  /// The commands that a hint may suggest.
  let root: CommandGroup<Action, OutputSchema?>
  /// The program that receives the output instead of stdout.
  private var filter: JQFilter?

  init(world: World, options: GlobalOptions, root: CommandGroup<Action, OutputSchema?>) {
    (self.world, self.options, self.root) = (world, options, root)
  }

  func print(_ text: String) throws {
    var text = text
    try text.withUTF8 { try write(UnsafeRawBufferPointer($0)) }
  }

  /// Prints the results of `--jq` for the output.
  func print(_ output: Output, through filter: JQFilter) throws {
    if case .text = output.body {
      throw Problem(.usage, "--jq needs JSON", reason: "this command prints text", hint: "Omit --jq.")
    }
    filter.print = printResult
    filter.isFollowed = isFollowed(output)
    defer { filter.end() }
    var printer = self
    printer.filter = filter
    do { try printer.print(output) } catch {
      // Print the results of the output before the error. Only the first error is reported.
      if !(error is BrokenPipe) { try? filter.finish() }
      // A program that has ended needs no more input.
      if !(error is BrokenPipe && filter.hasEnded) { throw error }
    }
    do { try filter.finish() } catch is BrokenPipe where output.isChange {}
  }

  private func isFollowed(_ output: Output) -> Bool {
    switch output.body {
    case .events, .live: true
    case .rows: output.isFollowed || options.format == .jsonl
    case .nothing, .text, .document, .bytes: false
    }
  }

  /// Prints one result of `--jq`. A string is printed as text, so a line in it could be a workflow command.
  private func printResult(_ json: UnsafeRawBufferPointer) throws {
    let isTerminal = world.terminal.outputIsTerminal
    let value = ValueText(
      isTerminal: isTerminal, isIndented: options.format != .jsonl,
      isColored: useColor(options.color, environment: world.environment, isTerminal: isTerminal))
    let text = value.text(of: json)
    if WorkflowCommands.areRead(in: world) {
      try print(WorkflowCommands.disarmed(String(decoding: text, as: UTF8.self)))
    } else {
      try text.withUnsafeBytes(write)
    }
  }

  func print(_ output: Output) throws {
    var writeRows = writeRows
    if output.isChange {
      var isReaderGone = false
      writeRows = { [write = self.writeRows] bytes in
        guard !isReaderGone else { return }
        do { try write(bytes) } catch is BrokenPipe { isReaderGone = true }
      }
    }
    switch output.body {
    case .nothing: break
    case .text(let text): try print(text)
    case .bytes(let body): try body { part in try part.withUnsafeBytes(writeBody) }
    case .document(let json):
      var presentation = presentation
      (presentation.format, presentation.fields) = (.json, nil)
      try Renderer(presentation, write: writeRows).render(Rows([json]), columns: [], shape: .single)
    case .rows(let rows, let shape):
      try shape.require(options.fields ?? [])
      var presentation = presentation
      presentation.isFollowed = output.isFollowed
      let renderer = Renderer(presentation, sizeOfLongWrites: sizeOfLongWrites, write: writeRows)
      try renderer.render(rows, columns: shape.columns, shape: shape.form == .one ? .single : .array, card: shape.card)
    case .events(let rows, let shape):
      try shape.require(options.fields ?? [])
      var presentation = presentation
      presentation.isFollowed = true
      if presentation.format == .table { presentation.format = .jsonl }
      // An interruption is the usual end of such a run, so the output is complete, even without rows.
      var interruption: Problem?
      let complete = Rows(isReiterable: false) { body in
        do { try rows.forEach(body) } catch {
          guard Problem.from(error).code == .interrupted else { throw error }
          interruption = Problem.from(error)
        }
      }
      try Renderer(presentation, write: writeRows).render(complete, columns: shape.columns)
      if let interruption { throw interruption }
    case .live(let body): try body { bytes in try bytes.withUnsafeBytes(writeRows) }
    }
  }

  /// Writes a response body. Control characters are escaped on a terminal, which would interpret them; any other
  /// output gets the bytes unchanged.
  private func writeBody(_ bytes: UnsafeRawBufferPointer) throws {
    guard presentation.isTerminal, let safe = TerminalText.document(bytes) else { return try write(bytes) }
    try safe.withUnsafeBytes(write)
  }

  /// Writes to stdout. A dry run shows requests, which may contain credentials anywhere.
  private func write(_ bytes: UnsafeRawBufferPointer) throws {
    guard options.isDryRun else { return try writeUnchanged(bytes) }
    try world.redacted(bytes).withUnsafeBytes(writeUnchanged)
  }

  private func writeUnchanged(_ bytes: UnsafeRawBufferPointer) throws {
    if let filter { return try filter.send(bytes) }
    do throws(SystemError) {
      try world.output.write(bytes)
    } catch {
      if error.number == EPIPE { throw BrokenPipe() }
      throw Problem(
        .outputFailed, "cannot write the output", reason: error.description,
        hint: "Check where stdout is redirected. The printed result is incomplete; changes that were made remain.")
    }
  }

  /// Nil if rows must be written in whole lines. A part of a line could hide a workflow command, or end within a
  /// character.
  private var sizeOfLongWrites: (() -> Int)? {
    WorkflowCommands.areRead(in: world) || world.terminal.outputIsTerminal || options.isDryRun || filter != nil
      ? nil : world.output.sizeOfLongWrites
  }

  /// Writes rows. If a CI log is scanned for workflow commands, data from a server must not become one. CSV and TSV
  /// are data in the requested format and stay unchanged.
  private func writeRows(_ bytes: UnsafeRawBufferPointer) throws {
    guard WorkflowCommands.areRead(in: world), filter == nil else { return try write(bytes) }
    switch options.format.content {
    case .text: try print(WorkflowCommands.disarmed(String(decoding: bytes, as: UTF8.self)))
    case .json: try WorkflowCommands.disarmed(json: bytes).withUnsafeBytes(write)
    case .data: try write(bytes)
    }
  }

  private var presentation: Presentation {
    let isTerminal = filter == nil && world.terminal.outputIsTerminal
    var presentation = Presentation(
      format: options.format, fields: options.fields, header: !options.hidesHeader,
      color: useColor(options.color, environment: world.environment, isTerminal: isTerminal),
      width: isTerminal ? world.terminal.columns : nil, isTerminal: isTerminal)
    presentation.age = options.age(at: world.clock.now(), isTerminal: isTerminal)
    return presentation
  }

  /// Reports a problem. The exit code never depends on the format.
  func report(_ problem: Problem) -> ExitCode {
    let problem = problem.completed(with: suggestions).redacted(in: world)
    let isWorkflow = WorkflowCommands.areRead(in: world)
    // The annotation precedes the message, because scripts read the last line. An interruption is not an error of the
    // workflow.
    if isWorkflow, problem.code != .interrupted { world.writeError(problem.annotation(in: world)) }
    if isForScripts {
      writeLine(problem)
    } else {
      let color = useColor(
        options.color, environment: world.environment, isTerminal: world.terminal.errorIsTerminal)
      world.writeMessage(problem.lines(color: color, width: world.messageWidth))
    }
    return problem.code.exit
  }

  func report(_ error: UsageError) -> ExitCode {
    var error = error
    error.hints = error.hints.map { suggestions.completed($0).mapped(world.redacted) }
    if WorkflowCommands.areRead(in: world) {
      world.writeError(Problem(.usage, error.message).annotation(in: world))
    }
    if isForScripts {
      let problem = Problem(.usage, error.message, hint: Hint.joined(error.advice) ?? "Run '\(error.helpCommand)'.")
      writeLine(problem)
    } else {
      let lines =
        error.head.flatMap { wrapped($0) } + error.advice.flatMap { $0.lines(width: world.messageWidth) }
        + wrapped(error.foot)
      world.writeMessage(lines.map { $0 + "\n" }.joined())
    }
    return .usage
  }

  /// Writes the line for scripts. On a terminal, control characters and bidirectional marks are written as JSON
  /// escapes.
  private func writeLine(_ problem: Problem) {
    var line = Array((ErrorLine(problem).json.text + "\n").utf8)
    if world.terminal.errorIsTerminal { line = line.withUnsafeBytes(TerminalText.document) ?? line }
    if WorkflowCommands.areRead(in: world) { line = line.withUnsafeBytes(WorkflowCommands.disarmed(json:)) }
    world.writeError(String(decoding: line, as: UTF8.self))
  }

  /// Wraps a line of a message. A command line with carets below the invalid argument must keep its alignment, so it
  /// is not wrapped.
  private func wrapped(_ line: String) -> [String] {
    line.hasPrefix("  ") ? [line] : CommandWrap.lines(of: line, width: world.messageWidth)
  }

  private var suggestions: SuggestedCommands { SuggestedCommands(options, in: world, root: root) }

  /// Whether errors are JSON. A person who types `--jq` without `--json` reads them as text.
  private var isForScripts: Bool {
    guard options.format == .json || options.format == .jsonl else { return false }
    return options.format == options.chosenFormat || !world.terminal.errorIsTerminal
  }
}
