package import Display
package import JSON

/// What a command found, for the one renderer.
package struct Output {
  package enum Body {
    case nothing
    /// Text that is printed as it is, whatever the format: a page, a completion script, a token alone.
    case text(String)
    /// One JSON value, whatever the format.
    case document([UInt8])
    /// Bytes that are printed as they are: an answer of IFTTT's.
    case bytes([UInt8])
    case rows(Rows, OutputSchema)
    /// Rows that come over a long time: each is one line at once, JSON unless CSV or TSV was asked for.
    case events(Rows, OutputSchema)
    /// What is written over a long time in a form of its own, such as a table that is drawn again and again.
    case live((_ write: ([UInt8]) throws -> Void) throws -> Void)
  }

  package var body: Body
  /// Whether rows come over a long time, and each is written at once as far as the format lets it.
  package var isFollowed = false
  /// Whether producing the rows changes something, so that the run continues after the output pipe closes.
  package var isChange = false
  /// Looked at once everything is printed: throws the problem of a run whose result is worth printing all the same.
  package var verdict: () throws -> Void = {}
  /// Undoes what the command set up, however printing and verdict end.
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

  /// Whether it is drawn again and again where it stands.
  package var isLive: Bool { if case .live = body { true } else { false } }

  package static var nothing: Output { Output(body: .nothing) }
  package static func text(_ text: String) -> Output { Output(body: .text(text)) }

  /// Rows that are at hand.
  package static func rows(_ rows: [[UInt8]], as shape: OutputSchema) -> Output {
    Output(body: .rows(Rows(rows), shape))
  }

  /// One object, shown as a card on a terminal.
  package static func one(_ row: [UInt8], as shape: OutputSchema) -> Output {
    Output(body: .rows(Rows([row]), shape.single))
  }
}

/// How a command's rows are described: their JSON Schema, the columns of their table, the card of a single one.
package struct OutputSchema {
  /// The name under which `ifttt schema` knows it.
  package var name: String
  private let makeRecord: () -> RecordSchema
  private var makeColumns: () -> [Column]
  /// How one object reads in the table format; nil for labels and values of the columns.
  package var card: ((JSONValue) -> Card)?
  /// Whether the result is one object, an array, or the one or the other as one thing or several were asked for.
  package var form: RecordSchema.Form
  /// What the command prints instead with some of its options; it then checks `--fields` itself.
  package var alternative: (@Sendable () -> OutputSchema)?

  /// Record and columns are made when something asks for them: most who look at a shape want its name alone.
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

  /// The same of one object.
  package var single: OutputSchema { with(.one) }
  /// The same of `connections show`, which prints one object for one id. No other command that takes several ids does.
  package var singleForOne: OutputSchema { with(.oneOrMany) }

  private func with(_ form: RecordSchema.Form) -> OutputSchema {
    var copy = self
    copy.form = form
    return copy
  }
}

/// The reader of standard output has closed it: nothing more is wanted, and that is no failure.
package struct BrokenPipe: Error {
  package init() {}
}
