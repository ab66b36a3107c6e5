package enum Format: String, CaseIterable, Sendable {
  case table, json, jsonl, csv, tsv
}

/// How output is to look, as the options and the terminal have it.
package struct Presentation: Sendable {
  package var format: Format
  /// Only these, in this order; nil for the whole object, or a table's own columns.
  package var fields: [FieldPath]?
  /// Whether tables, CSV and TSV begin with a line of titles.
  package var header: Bool
  package var color: Bool
  /// Columns to fit tables into; nil for full width, as in a pipe.
  package var width: Int?
  /// Whether a terminal looks on: JSON is indented then, and nothing that a terminal would obey is sent to it.
  package var isTerminal: Bool
  /// Whether each row of JSON Lines goes out at once.
  package var flushEachRow: Bool
  /// Whether rows come over a long time, so that each goes out at once in any format but a table.
  package var isFollowed = false

  package init(
    format: Format = .table, fields: [FieldPath]? = nil, header: Bool = true, color: Bool = false, width: Int? = nil,
    isTerminal: Bool = false, flushEachRow: Bool = false
  ) {
    (self.format, self.fields, self.header, self.color) = (format, fields, header, color)
    (self.width, self.isTerminal, self.flushEachRow) = (width, isTerminal, flushEachRow)
  }
}
