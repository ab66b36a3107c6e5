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
  /// Whether each row of JSON Lines is written at once.
  package var flushEachRow: Bool
  /// Whether rows arrive over a long time. If so, each row is written at once, in any format except a table.
  package var isFollowed = false

  package init(
    format: Format = .table, fields: [FieldPath]? = nil, header: Bool = true, color: Bool = false, width: Int? = nil,
    isTerminal: Bool = false, flushEachRow: Bool = false
  ) {
    (self.format, self.fields, self.header, self.color) = (format, fields, header, color)
    (self.width, self.isTerminal, self.flushEachRow) = (width, isTerminal, flushEachRow)
  }
}
