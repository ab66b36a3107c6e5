package import Display
package import JSON

/// The result of a command, for the one renderer.
package struct Output {
  package enum Body {
    case nothing
    /// Text that is printed as is in every format: a page, a completion script, a single token.
    case text(String)
    /// One JSON value in every format.
    case document([UInt8])
    /// Bytes that are printed as is: a response from IFTTT.
    case bytes([UInt8])
    case rows(Rows, OutputSchema)
    /// Rows that arrive over a long time. Each is written immediately as one line, in JSON unless CSV or TSV is
    /// selected.
    case events(Rows, OutputSchema)
    /// Output that is written over a long time in its own form, such as a table that is redrawn repeatedly.
    case live((_ write: ([UInt8]) throws -> Void) throws -> Void)
  }

  package var body: Body
  /// Whether rows arrive over a long time and each is written immediately, as far as the format allows.
  package var isFollowed = false
  /// Whether producing the rows changes something, so that the run continues after the output pipe closes.
  package var isChange = false
  /// Called after everything is printed. Throws the problem of a run whose result is printed despite the failure.
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

  /// Rows that are available now.
  package static func rows(_ rows: [[UInt8]], as shape: OutputSchema) -> Output {
    Output(body: .rows(Rows(rows), shape))
  }

  /// One object, shown as a card on a terminal.
  package static func one(_ row: [UInt8], as shape: OutputSchema) -> Output {
    Output(body: .rows(Rows([row]), shape.single))
  }

  /// One output with the rows of several outputs that have the same schema.
  package static func joined(_ outputs: [Output]) -> Output {
    guard outputs.count != 1, case .rows(_, let schema)? = outputs.first?.body else { return outputs.first ?? .nothing }
    let rows = Rows(isReiterable: false) { body in
      for case .rows(let rows, _) in outputs.lazy.map(\.body) { try rows.forEach(body) }
    }
    return Output(body: .rows(rows, schema), verdict: { for output in outputs { try output.verdict() } })
  }
}

/// The description of a command's rows: their JSON Schema, the columns of their table and the card of a single row.
package struct OutputSchema {
  /// The name of the schema in `ifttt schema`.
  package var name: String
  private let makeRecord: () -> RecordSchema
  private var makeColumns: () -> [Column]
  /// Formats one object as a card in the table format; nil to use the labels and values of the columns.
  package var card: ((JSONValue) -> Card)?
  /// Whether the result is one object, an array, or either one depending on the number of items requested.
  package var form: RecordSchema.Form
  /// The schema of the output that the command prints with some of its options; the command then checks `--fields`
  /// itself.
  package var alternative: (@Sendable () -> OutputSchema)?

  /// Record and columns are created lazily, because most callers need only the name of a schema.
  package init(
    name: String, record: @autoclosure @escaping () -> RecordSchema, columns: @autoclosure @escaping () -> [Column],
    card: ((JSONValue) -> Card)? = nil, form: RecordSchema.Form = .many
  ) {
    (self.name, makeRecord, makeColumns) = (name, record, columns)
    (self.card, self.form) = (card, form)
  }

  package var record: RecordSchema { makeRecord() }
  package var columns: [Column] {
    get { makeColumns() }
    set { makeColumns = { newValue } }
  }

  /// The same schema for one object.
  package var single: OutputSchema { with(.one) }
  /// The same schema for `connections show`, which prints one object for one id. All other commands that take several
  /// ids print an array.
  package var singleForOne: OutputSchema { with(.oneOrMany) }

  private func with(_ form: RecordSchema.Form) -> OutputSchema {
    var copy = self
    copy.form = form
    return copy
  }
}

/// The reader of stdout has closed the pipe: no more output is needed, and this is not a failure.
package struct BrokenPipe: Error {
  package init() {}
}
