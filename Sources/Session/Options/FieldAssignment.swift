package import CommandLine

/// `NAME=VALUE`; the value may be empty and may contain more equals signs.
package struct FieldAssignment: Sendable {
  package let name: String
  package let value: String

  package init?(parsing text: String) {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { return nil }
    name = String(text[..<equals])
    value = String(text[text.index(after: equals)...])
  }
}

extension ValueKind<FieldAssignment> {
  package static var assignment: ValueKind {
    .parsed("NAME=VALUE", expected: "NAME=VALUE") { FieldAssignment(parsing: $0) }
  }
}
