/// Why a text is not JSON, and where (RFC 8259).
package struct JSONError: Error, Equatable, CustomStringConvertible {
  package let problem: String
  /// Bytes from the start of the text.
  package let offset: Int
  package init(problem: String, offset: Int) { (self.problem, self.offset) = (problem, offset) }
  package var description: String { "\(problem) at byte \(offset)" }
}

extension JSONValue {
  /// The one value that `bytes` holds, white space around it allowed.
  ///
  /// Strict RFC 8259 and UTF-8, at most 512 levels deep.
  /// - Throws: ``JSONError``.
  package init(parsing bytes: some Sequence<UInt8>) throws(JSONError) {
    throw JSONError(problem: "not built", offset: 0)
  }
}
