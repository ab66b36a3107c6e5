/// A stream of rows, each the bytes of one JSON object, in display order.
package struct Rows {
  /// Whether `forEach` may be called again and yields the same rows; a long table then needs little memory.
  package let isReiterable: Bool
  /// Whether each row already consists of the fields that were selected, in their order. The keys are their paths.
  package let isSelection: Bool
  /// Calls its body with each row in turn; the bytes are valid for that call only.
  package let forEach: (_ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Void

  package init(
    isReiterable: Bool, isSelection: Bool = false,
    forEach: @escaping (_ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) {
    (self.isReiterable, self.isSelection, self.forEach) = (isReiterable, isSelection, forEach)
  }

  /// Rows that are in memory.
  package init(_ rows: [[UInt8]]) {
    self.init(isReiterable: true) { body in
      for row in rows { try row.withUnsafeBytes(body) }
    }
  }
}
