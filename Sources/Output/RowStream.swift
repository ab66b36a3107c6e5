/// Prints rows one by one, as a command receives them.
package struct RowStream {
  private var printer: any RowPrinter
  private var output: BufferedOutput
  /// The number of printed rows.
  package private(set) var count = 0

  init(_ printer: any RowPrinter, _ output: BufferedOutput) { (self.printer, self.output) = (printer, output) }

  /// Prints one row, the bytes of a compact JSON object.
  /// - Throws: any error of the output, and `JSONError` for bytes that are not an object.
  package mutating func send(_ row: UnsafeRawBufferPointer) throws {
    try printer.print(row, to: &output)
    count += 1
  }

  package mutating func send(_ row: [UInt8]) throws {
    try row.withUnsafeBytes { try send($0) }
  }

  /// Completes and flushes the output. Call it after an error too, so that the output is a complete document.
  package mutating func finish() throws { try finish(again: nil) }

  mutating func finish(again rows: Rows?) throws {
    // After a failed write, nothing can be completed.
    guard !output.isBroken else { return }
    try printer.finish(again: rows, to: &output)
    try output.flush()
  }
}
