package import JSON

/// A format of the output. Help and completion list them in this order.
package enum Format: String, CaseIterable, Sendable {
  case table, json, jsonl, csv, tsv, yaml, env

  /// The description that help and completion show beside the name.
  package var summary: String? {
    switch self {
    case .table: "for people"
    case .json: "one document"
    case .jsonl: "one object per line"
    case .csv: "RFC 4180"
    case .tsv: "separated by tabs; \\t and \\n are escaped"
    case .yaml: "YAML 1.2, one document"
    case .env: "NAME=VALUE, for eval in a shell"
    }
  }

  /// Whether whole objects are printed unless fields are selected, rather than the columns of a table.
  package var printsObjects: Bool {
    switch self {
    case .json, .jsonl, .yaml: true
    case .table, .csv, .tsv, .env: false
    }
  }

  /// The escaping of output for a log that is scanned for commands: as text for people, within JSON strings, or, for
  /// data, not at all.
  package enum Content { case text, json, data }

  package var content: Content {
    switch self {
    case .table: .text
    case .json, .jsonl: .json
    case .csv, .tsv, .yaml, .env: .data
    }
  }
}

/// Whether a result is a list of objects or one object.
package enum Cardinality: Sendable { case array, single }

/// Prints a command's rows according to the presentation.
///
/// JSON in a pipe is one object per line within brackets, with the bytes of the rows unchanged; on a terminal it is
/// indented. All output ends with a line feed, and an empty table prints nothing.
package struct Renderer {
  package private(set) var presentation: Presentation
  private let sizeOfLongWrites: (() -> Int)?
  private let write: ByteWriter

  /// - Parameter sizeOfLongWrites: See ``BufferedOutput``; nil if `write` must receive whole lines.
  package init(
    _ presentation: Presentation, sizeOfLongWrites: (() -> Int)? = nil, write: @escaping ByteWriter
  ) {
    (self.presentation, self.sizeOfLongWrites, self.write) = (presentation, sizeOfLongWrites, write)
  }

  /// Prints all rows. With `card`, the table format prints a card for each row. Without it, a single object is
  /// printed as a card of the columns.
  ///
  /// If the rows end with an error, the received rows are completed to a valid document before the error is rethrown.
  /// If none were received, nothing is printed.
  /// - Returns: the number of rows.
  /// - Throws: any error of `rows` or the output, and `JSONError` for a row that is not an object.
  @discardableResult
  package func render(
    _ rows: Rows, columns: [Column], shape: Cardinality = .array, card: ((JSONValue) -> Card)? = nil
  ) throws -> Int {
    var renderer = self
    if rows.isSelection, presentation.format.printsObjects { renderer.presentation.fields = nil }
    var stream = renderer.stream(columns: columns, shape: shape, card: card, isReiterable: rows.isReiterable)
    do { try rows.forEach { try stream.send($0) } } catch {
      // Only the first error is reported.
      if stream.count > 0 { try? stream.finish(again: rows) }
      throw error
    }
    try stream.finish(again: rows)
    return stream.count
  }

  /// Starts printing rows that arrive one by one. A table is buffered and printed at the end, unless the widths of its
  /// columns are known.
  private func stream(
    columns: [Column], shape: Cardinality, card: ((JSONValue) -> Card)?, isReiterable: Bool
  ) -> RowStream {
    let standard = presentation.format == .table ? columns.filter { !$0.isInDataOnly } : columns
    let shown = presentation.fields.map { Column.columns(for: $0, among: columns) } ?? standard
    let printer: any RowPrinter =
      switch presentation.format {
      case .json:
        JSONPrinter(shape == .array ? .array : .single, presentation, flushesEachRow: presentation.isFollowed)
      case .jsonl:
        // Rows that can be iterated again are all in memory, so no reader waits for the next one.
        JSONPrinter(.lines, presentation, flushesEachRow: !isReiterable)
      case .csv, .tsv: DelimitedPrinter(shown.map(\.path), presentation)
      case .yaml: YAMLPrinter(shape, presentation)
      case .env: EnvironmentPrinter(shown.map(\.path), shape)
      case .table:
        if let card, presentation.fields == nil {
          CardPrinter(presentation) { card(try JSONValue(parsing: Array($0))) }
        } else if shape == .single {
          CardPrinter(shown, presentation)
        } else if presentation.isFollowed, FollowedTablePrinter.canPrint(shown) {
          FollowedTablePrinter(shown, presentation)
        } else {
          TablePrinter(shown, presentation, isReiterable: isReiterable)
        }
      }
    return RowStream(printer, BufferedOutput(sizeOfLongWrites: sizeOfLongWrites, write: write))
  }
}

/// The appearance of output, as determined by the options and the terminal.
package struct Presentation: Sendable {
  package var format: Format
  /// Only these fields, in this order; nil for the whole object, or a table's default columns.
  package var fields: [FieldPath]?
  /// Whether tables, CSV and TSV begin with a line of titles.
  package var header: Bool
  package var color: Bool
  /// The width to fit tables into, in columns; nil for full width, as in a pipe.
  package var width: Int?
  /// Whether the output is a terminal. If so, JSON is indented, and everything that a terminal would interpret is
  /// escaped.
  package var isTerminal: Bool
  /// How long ago a timestamp was, in tables; nil for a timestamp that is shown as it is. Nil to show all as they are.
  package var age: (@Sendable (String) -> String?)?
  /// Whether rows arrive over a long time. If so, each row is written at once, except in a table whose column widths
  /// are not known.
  package var isFollowed = false

  package init(
    format: Format = .table, fields: [FieldPath]? = nil, header: Bool = true, color: Bool = false, width: Int? = nil,
    isTerminal: Bool = false
  ) {
    (self.format, self.fields, self.header, self.color) = (format, fields, header, color)
    (self.width, self.isTerminal) = (width, isTerminal)
  }
}
