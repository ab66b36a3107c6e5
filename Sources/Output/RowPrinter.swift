/// Prints rows in one format as they arrive.
protocol RowPrinter {
  mutating func print(_ row: UnsafeRawBufferPointer, to output: inout BufferedOutput) throws
  /// Completes the output after the last row, even if an error ended the rows early. `rows` contains all of them
  /// again, if possible.
  mutating func finish(again rows: Rows?, to output: inout BufferedOutput) throws
}
