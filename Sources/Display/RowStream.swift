/// Prints rows that are handed in one by one, as a command gets to know them.
package struct RowStream {
  private var printer: any RowPrinter
  private var output: BufferedOutput
  /// How many rows were printed.
  package private(set) var count = 0

  init(_ printer: any RowPrinter, _ output: BufferedOutput) { (self.printer, self.output) = (printer, output) }

  /// Prints one row, the bytes of a compact JSON object.
  /// - Throws: what the output throws, and `JSONError` for bytes that are no object.
  package mutating func send(_ row: UnsafeRawBufferPointer) throws {
    try printer.print(row, to: &output)
    count += 1
  }

  package mutating func send(_ row: [UInt8]) throws {
    try row.withUnsafeBytes { try send($0) }
  }

  /// Completes the output and hands on what is left of it; due after an error in getting the rows too, so that what is
  /// written is a whole document.
  package mutating func finish() throws { try finish(again: nil) }

  mutating func finish(again rows: Rows?) throws {
    // After a failed write nothing can be completed.
    guard !output.isBroken else { return }
    try printer.finish(again: rows, to: &output)
    try output.flush()
  }
}
