/// The JSON Schemas (2020-12) of a command's rows: of one row, and of the array of all of them.
package struct RowSchema: Sendable {
  package let one: String
  package let list: String

  /// - Parameters:
  ///   - name: the definition of a row.
  ///   - definitions: a JSON object with that definition and those that it refers to.
  package init(_ name: String, one: String, list: String, definitions: String) {
    func document(_ title: String, _ row: String) -> String {
      """
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "\(title)",
      \(row),
        "$defs": \(definitions)
      }
      """
    }
    let reference = "\"$ref\": \"#/$defs/\(name)\""
    self.one = document(one, "  \(reference)")
    self.list = document(list, "  \"type\": \"array\",\n  \"items\": { \(reference) }")
  }
}
