package import JSON

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

/// The dotted paths that `--fields` accepts for an output, from the output's JSON Schema.
///
/// Paths continue through arrays to their elements, and through `$ref` and `anyOf`. `*` stands for any key of a
/// free-form map: `services.name`, `cover_images.*`. The paths are in the schema's order, without duplicates. A parent
/// precedes its members.
package func fieldCatalog(of schema: JSONValue) -> [String] {
  var catalog = FieldCatalog(root: schema)
  catalog.visit(schema, at: "")
  return catalog.paths
}

private struct FieldCatalog {
  let root: JSONValue
  var paths: [String] = []
  private var seen: Set<String> = []
  /// The references currently being followed.
  private var following: Set<String> = []

  init(root: JSONValue) { self.root = root }

  mutating func visit(_ schema: JSONValue, at path: String) {
    // A schema may refer to itself. Following it a second time would only make the paths longer.
    if let reference = schema["$ref"]?.string, let target = resolve(reference), following.insert(reference).inserted {
      visit(target, at: path)
      following.remove(reference)
    }
    for alternative in schema["anyOf"]?.array ?? [] { visit(alternative, at: path) }
    if let items = schema["items"] { visit(items, at: path) }
    for (name, member) in schema["properties"]?.object?.members ?? [] { add(name, member, below: path) }
    if let values = schema["additionalProperties"], values.object != nil {
      add("*", values, below: path)
    }
  }

  private mutating func add(_ name: String, _ schema: JSONValue, below path: String) {
    let path = path.isEmpty ? name : "\(path).\(name)"
    if seen.insert(path).inserted { paths.append(path) }
    visit(schema, at: path)
  }

  /// Resolves a reference within the document, such as `#/$defs/service`.
  private func resolve(_ reference: String) -> JSONValue? {
    guard reference.hasPrefix("#/") else { return nil }
    return reference.dropFirst(2).split(separator: "/").reduce(root) { value, key in value?[String(key)] }
  }
}
