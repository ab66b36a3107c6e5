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

  // The compiler puts the length of this file's path into the program, which must not depend on the folder of the build.
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
    self.init(isReiterable: true) { body in
      for row in rows { try row.withUnsafeBytes(body) }
    }
  }
}
