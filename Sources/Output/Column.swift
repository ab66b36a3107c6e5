/// One column of a table: its title, the path of its values, and their style.
package struct Column: Sendable {
  package enum Style: Sendable {
    case plain, dim
    /// Colored by its value.
    case status
    /// Right-aligned.
    case number
    /// A measured number: right-aligned, with at most one decimal.
    case measure
    /// A timestamp, of which tables show only the time of day.
    case timeOfDay
    /// A timestamp of the past, for which tables may show how long ago it was.
    case past
    /// Text from an untrusted source: letters that can be confused with others are shown as their code points.
    case foreign

    var isNumber: Bool { self == .number || self == .measure }
  }
  package enum Overflow: Sendable, Equatable {
    /// May be shortened with an ellipsis to fit the terminal.
    case truncate
    /// May be shortened in the middle, but not below this width, because both ends identify a path.
    case elide(least: Int)
    /// Complete, so that an id can be copied, unless the terminal is too narrow for all columns.
    case keep
  }
  /// Text in parentheses after a table's value if the field at `path` is true: `enabled (pending)`.
  package struct Note: Sendable {
    package var path: FieldPath
    package var text: String
    package init(_ path: FieldPath, _ text: String) { (self.path, self.text) = (path, text) }
  }

  /// Text before a table's value, followed by a colon: `shelf:2`.
  package struct Qualifier: Sendable {
    package var path: FieldPath
    /// The text that is omitted.
    package var usual: String
    package init(_ path: FieldPath, unless usual: String) { (self.path, self.usual) = (path, usual) }
  }

  package var title: String
  package var path: FieldPath
  package var style: Style
  package var overflow: Overflow
  package var notes: [Note]
  package var qualifier: Qualifier?
  /// Whether tables omit the column unless `--fields` names it, because stderr or another column shows the same value.
  package var isInDataOnly = false
  /// The text on a card in place of an empty value, if its absence matters; otherwise the card omits the line.
  package var absence: String?
  /// The width of the widest value; nil if it is not known before the rows.
  package var width: Int?

  /// Creates a column. Its title is shown in upper case.
  package init(
    _ title: String, _ path: FieldPath, style: Style = .plain, overflow: Overflow = .truncate, notes: [Note] = [],
    isInDataOnly: Bool = false
  ) {
    self.isInDataOnly = isInDataOnly
    (self.title, self.path, self.style, self.overflow, self.notes) = (title.uppercased(), path, style, overflow, notes)
  }

  /// The columns for `fields`. A field with the same path as one of `columns` has its style; ids are never shortened.
  static func columns(for fields: [FieldPath], among columns: [Column]) -> [Column] {
    fields.map { field in
      var column = Column(field.text, field)
      if let known = columns.first(where: { $0.path == field }) {
        (column.style, column.overflow, column.width) = (known.style, known.overflow, known.width)
      } else if let last = field.names.last, last == "id" || last.hasSuffix("_id") {
        column.overflow = .keep
      }
      return column
    }
  }
}
