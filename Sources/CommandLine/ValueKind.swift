/// The parsing, placeholder and completion of one kind of value.
package struct ValueKind<Value>: Sendable {
  package let schema: ValueSchema
  package let parse: @Sendable (String) throws(ValueError) -> Value

  package init(_ schema: ValueSchema, parse: @escaping @Sendable (String) throws(ValueError) -> Value) {
    (self.schema, self.parse) = (schema, parse)
  }

  /// A kind for a type with a failable initializer. `expected` completes "expected …": "a BCP 47 language tag".
  package static func parsed(
    _ placeholder: String, completion: CompletionKind = .none, expected: String,
    _ make: @escaping @Sendable (String) -> Value?
  ) -> ValueKind {
    ValueKind(ValueSchema(placeholder: placeholder, completion: completion)) { (text: String) throws(ValueError) in
      guard let value = make(text) else { throw ValueError("expected \(expected)") }
      return value
    }
  }

  /// The same kind with another placeholder.
  package func named(_ placeholder: String) -> ValueKind {
    ValueKind(ValueSchema(placeholder: placeholder, completion: schema.completion), parse: parse)
  }

  /// The same kind with other completion candidates.
  package func completed(by completion: CompletionKind) -> ValueKind {
    ValueKind(ValueSchema(placeholder: schema.placeholder, completion: completion), parse: parse)
  }

  /// Parses a comma-separated list. The error of an element contains the range of the element in `text`.
  func parseList(_ text: String) throws(ValueError) -> [Value] {
    var values: [Value] = []
    var start = 0
    for part in text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      let bytes = start..<start + part.count
      start = bytes.upperBound + 1
      guard !part.isEmpty else { throw ValueError("an entry of the list is empty", bytes: bytes) }
      do throws(ValueError) {
        values.append(try parse(String(Substring(part))))
      } catch {
        throw ValueError(error.message, accepted: error.accepted, bytes: bytes)
      }
    }
    return values
  }
}

/// The reason why a value is invalid, and the values that are accepted.
package struct ValueError: Error, Equatable {
  /// The expectation or the problem, phrased to follow "invalid value 'x' for '--status': ". It never repeats the
  /// value, which may be long, hostile or secret. Empty if ``accepted`` is sufficient.
  package var message: String
  /// The accepted values, for the search for nearest names. Empty if there are too many to list.
  package var accepted: [String]
  /// The faulty UTF-8 bytes of the value; nil for all of it.
  package var bytes: Range<Int>?

  package init(_ message: String, accepted: [String] = [], bytes: Range<Int>? = nil) {
    (self.message, self.accepted, self.bytes) = (message, accepted, bytes)
  }
}
