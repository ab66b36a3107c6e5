/// A stream of rows, each the bytes of one JSON object, in display order.
package struct Rows {
  /// Whether `forEach` may be called again and yields the same rows; a long table then needs little memory.
  package let isReiterable: Bool
  /// Whether each row already consists of the fields that were selected, in their order. The keys are their paths.
  package let isSelection: Bool
  /// The number of rows if they are in memory; otherwise nil.
  let count: Int?
  /// Calls its body with each row in order. The bytes are valid only during that call.
  package let forEach: (_ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Void

  package init(
    isReiterable: Bool, isSelection: Bool = false,
    forEach: @escaping (_ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) {
    self.init(isReiterable: isReiterable, isSelection: isSelection, count: nil, forEach: forEach)
  }

  private init(
    isReiterable: Bool, isSelection: Bool, count: Int?,
    forEach: @escaping (_ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) {
    (self.isReiterable, self.isSelection, self.count, self.forEach) = (isReiterable, isSelection, count, forEach)
  }

  // For this function, the compiler embeds the length of the file's path, but the program must not depend on the folder
  // of the build.
  #sourceLocation(file:"Rows",line:1)
  /// Calls `action` with the body of `forEach` in a form that can be stored until `action` returns.
  package static func storing(
    _ body: (UnsafeRawBufferPointer) throws -> Void,
    _ action: (_ body: @escaping (UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws {
    try withoutActuallyEscaping(body, do: action)
  }
  #sourceLocation()

  /// Rows that are in memory.
  package init(_ rows: [[UInt8]]) {
    self.init(isReiterable: true, isSelection: false, count: rows.count) { body in
      for row in rows { try row.withUnsafeBytes(body) }
    }
  }
}

/// Prints rows one by one, as a command receives them.
struct RowStream {
  private var printer: any RowPrinter
  private var output: BufferedOutput
  /// The number of printed rows.
  private(set) var count = 0

  init(_ printer: any RowPrinter, _ output: BufferedOutput) { (self.printer, self.output) = (printer, output) }

  /// Prints one row, the bytes of a compact JSON object.
  /// - Throws: any error of the output, and `JSONError` for bytes that are not an object.
  mutating func send(_ row: UnsafeRawBufferPointer) throws {
    try printer.print(row, to: &output)
    count += 1
  }

  /// Completes and flushes the output. Call it after an error too, so that the output is a complete document.
  mutating func finish(again rows: Rows) throws {
    // After a failed write, nothing can be completed.
    guard !output.isBroken else { return }
    try printer.finish(again: rows, to: &output)
    try output.flush()
  }
}

/// Prints rows in one format as they arrive.
protocol RowPrinter {
  mutating func print(_ row: UnsafeRawBufferPointer, to output: inout BufferedOutput) throws
  /// Completes the output after the last row, even if an error ended the rows early. `rows` has all of them again
  /// if they are reiterable.
  mutating func finish(again rows: Rows, to output: inout BufferedOutput) throws
}

extension RowPrinter {
  /// Most printers have nothing left to print.
  mutating func finish(again rows: Rows, to output: inout BufferedOutput) throws {}
}

/// Writes all of the bytes or throws.
package typealias ByteWriter = (UnsafeRawBufferPointer) throws -> Void

/// A buffer that collects output, so that there are few writes.
struct BufferedOutput {
  /// The bytes that are not written yet, to which the printers append.
  var bytes: [UInt8] = []
  /// Whether a write has failed; nothing more is written then.
  private(set) var isBroken = false
  private let write: ByteWriter
  private var limit = 32 * 1024
  private var sizeOfLongWrites: (() -> Int)?
  private let writesWholeLines: Bool

  /// - Parameter sizeOfLongWrites: Returns the size of each write of a long output, in bytes. It is called at most
  ///   once. Nil to write whole lines only.
  init(sizeOfLongWrites: (() -> Int)?, write: @escaping ByteWriter) {
    (self.sizeOfLongWrites, self.write) = (sizeOfLongWrites, write)
    writesWholeLines = sizeOfLongWrites == nil
    bytes.reserveCapacity(limit + 4096)
  }

  /// Writes the bytes if there are enough. Call it after each whole line.
  @inline(__always)
  mutating func endLine() throws {
    if bytes.count >= limit { try writePart() }
  }

  private mutating func writePart() throws {
    if writesWholeLines { return try flush() }
    if let sizeOfLongWrites {
      limit = sizeOfLongWrites()
      self.sizeOfLongWrites = nil
    }
    try write(first: bytes.count / limit * limit)
  }

  mutating func flush() throws { try write(first: bytes.count) }

  private mutating func write(first count: Int) throws {
    guard count > 0, !isBroken else { return }
    do { try bytes.withUnsafeBytes { try write(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) } } catch {
      isBroken = true
      throw error
    }
    bytes.removeSubrange(..<count)
  }
}

extension [UInt8] {
  @inline(__always)
  mutating func append(_ text: String) { append(contentsOf: text.utf8) }

  @inline(__always)
  mutating func append(_ scalar: Unicode.Scalar) { append(UInt8(ascii: scalar)) }

  mutating func appendSpaces(_ count: Int) {
    if count > 0 { append(contentsOf: repeatElement(0x20, count: count)) }
  }
}
