import Arguments

/// `NAME=VALUE`; the value may be empty and may hold more equals signs.
struct FieldAssignment: Sendable {
  let name: String
  let value: String

  init?(parsing text: String) {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { return nil }
    name = String(text[..<equals])
    value = String(text[text.index(after: equals)...])
  }
}

extension ValueKind<FieldAssignment> {
  static var assignment: ValueKind {
    .parsed("NAME=VALUE", expected: "NAME=VALUE") { FieldAssignment(parsing: $0) }
  }
}
