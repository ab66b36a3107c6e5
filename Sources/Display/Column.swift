/// One column of a table: what it is called, where its values stand and how they look.
package struct Column: Sendable {
  package enum Style: Sendable {
    case plain, dim
    /// Coloured by its value.
    case status
    /// Right-aligned.
    case number
    /// A number that was measured: right-aligned, with one decimal at most.
    case measure
    /// Text of a stranger: letters that could pass for others are shown by their numbers.
    case foreign

    var isNumber: Bool { self == .number || self == .measure }
  }
  package enum Overflow: Sendable, Equatable {
    /// May be shortened with an ellipsis to fit the terminal.
    case truncate
    /// May be shortened in its middle, to no less than this: of a path both ends tell which it is.
    case elide(least: Int)
    /// Always whole, as an id must be to be copied.
    case keep
  }
  /// Words put in brackets behind a table's value when the field at `path` is true: `enabled (pending)`.
  package struct Note: Sendable {
    package var path: FieldPath
    package var text: String
    package init(_ path: FieldPath, _ text: String) { (self.path, self.text) = (path, text) }
  }

  package var title: String
  package var path: FieldPath
  package var style: Style
  package var overflow: Overflow
  package var notes: [Note]
  /// Whether tables omit it, since stderr shows the same in full.
  package var isInDataOnly = false

  /// The title is shown in capitals.
  package init(
    _ title: String, _ path: FieldPath, style: Style = .plain, overflow: Overflow = .truncate, notes: [Note] = []
  ) {
    (self.title, self.path, self.style, self.overflow, self.notes) = (title.uppercased(), path, style, overflow, notes)
  }

  /// The same column, left out of tables unless `--fields` names it.
  package var inDataOnly: Column {
    var column = self
    column.isInDataOnly = true
    return column
  }

  /// The columns that `fields` ask for: those of `columns` with the same path look as they do there, and ids stay whole.
  static func columns(for fields: [FieldPath], among columns: [Column]) -> [Column] {
    fields.map { field in
      var column = Column(field.text, field)
      if let known = columns.first(where: { $0.path == field }) {
        (column.style, column.overflow) = (known.style, known.overflow)
      } else if let last = field.names.last, last == "id" || last.hasSuffix("_id") {
        column.overflow = .keep
      }
      return column
    }
  }
}
