import Arguments
import Display
import HTTP
import JSON
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The reader of standard output has closed it: nothing more is wanted, and that is no failure.
struct ReaderGone: Error {}

/// Puts results on standard output and problems on standard error, in the form that was asked for.
struct Printer {
  let world: World
  let options: GlobalOptions

  func print(_ text: String) throws {
    var text = text
    try text.withUTF8 { try write(UnsafeRawBufferPointer($0)) }
  }

  func print(_ output: Output) throws {
    switch output.body {
    case .nothing: break
    case .text(let text): try print(text)
    case .bytes(let bytes): try bytes.withUnsafeBytes(write)
    case .rows(let rows, let shape):
      try check(options.fields, against: shape)
      var renderer = Renderer(presentation, write: write)
      try renderer.render(rows, columns: shape.columns, shape: shape.isSingle ? .single : .array)
    }
  }

  private func write(_ bytes: UnsafeRawBufferPointer) throws {
    do throws(SystemError) {
      try world.output.write(bytes)
    } catch {
      if error.number == EPIPE { throw ReaderGone() }
      throw Problem(
        .outputFailed, "the output could not be written", reason: error.description,
        hint: "Look at where standard output goes; the result is incomplete.")
    }
  }

  private var presentation: Presentation {
    let isTerminal = world.terminal.outputIsTerminal
    return Presentation(
      format: options.format, fields: options.fields, header: !options.hidesHeader,
      color: useColor(options.color, environment: world.environment, isTerminal: isTerminal),
      width: isTerminal ? world.terminal.columns : nil, isTerminal: isTerminal)
  }

  private func check(_ fields: [FieldPath]?, against shape: Shape) throws {
    guard let fields else { return }
    let known = shape.record.fields
    for field in fields where !field.isAmong(known) {
      throw Problem(
        .usage, "no field '\(field)' in this output",
        hint: "Fields: \(known.joined(separator: ", "))")
    }
  }

  /// Says what went wrong; the exit code never depends on the form.
  func report(_ problem: Problem) -> ExitCode {
    if isForScripts {
      world.writeError(problem.json.text + "\n")
    } else {
      let color = useColor(options.color, environment: world.environment, isTerminal: world.terminal.errorIsTerminal)
      world.writeError(problem.lines(color: color))
    }
    return problem.code.exit
  }

  func report(_ error: UsageError) -> ExitCode {
    if isForScripts {
      let problem = Problem(.usage, error.message, hint: error.hint)
      world.writeError(problem.json.text + "\n")
    } else {
      world.writeError(error.rendered)
    }
    return .usage
  }

  private var isForScripts: Bool { options.format == .json || options.format == .jsonl }
}
