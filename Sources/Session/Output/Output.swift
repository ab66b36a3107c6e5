package import Output

/// The result of a command, for the one renderer.
package struct Output {
  package enum Body {
    case nothing
    /// Text that is printed as is in every format: a page, a completion script, a single token.
    case text(String)
    /// One JSON value in every format.
    case document([UInt8])
    /// Bytes that are printed as is, in parts: a response from IFTTT, or a file.
    case bytes((_ part: ([UInt8]) throws -> Void) throws -> Void)
    case rows(Rows, OutputSchema)
    /// Rows that arrive over a long time. Each is written immediately: in JSON as an element of one array, in CSV and
    /// TSV as a row, and otherwise as a line of JSON Lines.
    case events(Rows, OutputSchema)
    /// Output that is written over a long time in its own form, such as a table that is redrawn repeatedly.
    case live((_ write: @escaping ([UInt8]) throws -> Void) throws -> Void)
  }

  package var body: Body
  /// Whether rows arrive over a long time and each is written immediately, as far as the format allows.
  package var isFollowed = false
  /// Whether producing the rows changes something, so that the run continues after the output pipe closes.
  package var isChange = false
  /// Whether the rows are the requests of a dry run, not those of the command.
  var isPlan = false
  /// Called after everything is printed. Throws the problem of a run that printed its result but failed.
  package var verdict: () throws -> Void = {}
  /// Cleans up after the command, even if printing or the verdict fails.
  package var closing: () -> Void = {}

  package init(
    body: Body, isFollowed: Bool = false, isChange: Bool = false, verdict: @escaping () throws -> Void = {},
    closing: @escaping () -> Void = {}
  ) {
    self.body = body
    self.isFollowed = isFollowed
    self.isChange = isChange
    self.verdict = verdict
    self.closing = closing
  }

  /// Whether the output is redrawn in place.
  package var isLive: Bool { if case .live = body { true } else { false } }

  package static var nothing: Output { Output(body: .nothing) }
  package static func text(_ text: String) -> Output { Output(body: .text(text)) }
  package static func bytes(_ bytes: [UInt8]) -> Output { Output(body: .bytes { part in try part(bytes) }) }

  /// Rows that are available now.
  package static func rows<Record: OutputRecord>(_ rows: [Record]) -> Output {
    .rows(rows.map(\.bytes), as: .many(Record.self))
  }

  /// Rows that are available now, as JSON.
  package static func rows(_ rows: [[UInt8]], as shape: OutputSchema) -> Output {
    Output(body: .rows(Rows(rows), shape))
  }

  /// One object, shown as a card on a terminal.
  package static func one<Record: OutputRecord>(_ row: Record) -> Output { .one(row, as: .one(Record.self)) }

  /// One object with a schema that differs from its record's in the columns.
  package static func one(_ row: some OutputRecord, as shape: OutputSchema) -> Output {
    var shape = shape
    if let card = row.card { shape.card = { _ in card } }
    return .rows([row.bytes], as: shape)
  }
}

/// Thrown if the reader of stdout has closed the pipe. It ends the output but is not a failure.
package struct BrokenPipe: Error {
  package init() {}
}
