/// Prints rows in one format as they come.
protocol RowPrinter {
  mutating func print(_ row: UnsafeRawBufferPointer, to output: inout BufferedOutput) throws
  /// Completes the output after the last row, also when an error has cut the rows short. `rows` are all of them again, where
  /// that can be had.
  mutating func finish(again rows: Rows?, to output: inout BufferedOutput) throws
}
