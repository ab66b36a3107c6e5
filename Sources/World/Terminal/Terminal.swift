/// The terminal state of the standard streams.
package struct Terminal: Sendable, Equatable {
  package var inputIsTerminal: Bool
  package var outputIsTerminal: Bool
  package var errorIsTerminal: Bool
  /// The width of the output terminal in columns; nil if stdout is not a terminal.
  package var columns: Int?
  package init(inputIsTerminal: Bool, outputIsTerminal: Bool, errorIsTerminal: Bool, columns: Int?) {
    self.inputIsTerminal = inputIsTerminal
    self.outputIsTerminal = outputIsTerminal
    self.errorIsTerminal = errorIsTerminal
    self.columns = columns
  }
}

/// The size of a terminal in characters. Each dimension is at least 1.
package struct ScreenSize: Sendable, Equatable {
  package var columns: Int
  package var rows: Int
  package init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }
}

/// A stream that the program writes to.
package enum StandardStream: Sendable { case output, errors }
