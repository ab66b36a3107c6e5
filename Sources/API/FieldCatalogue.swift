package import JSON

/// The dotted paths that `--fields` accepts for an output, from the output's JSON Schema.
///
/// Paths go through arrays to their elements and through `$ref` and `anyOf`; `*` stands for any key of a free map:
/// `services.name`, `cover_images.*`. In the schema's order, each once, a parent before its members.
package func fieldCatalogue(of schema: JSONValue) -> [String] {
  var catalogue = FieldCatalogue(root: schema)
  catalogue.visit(schema, at: "", depth: 0)
  return catalogue.paths
}

private struct FieldCatalogue {
  let root: JSONValue
  var paths: [String] = []
  private var seen: Set<String> = []

  init(root: JSONValue) { self.root = root }

  mutating func visit(_ schema: JSONValue, at path: String, depth: Int) {
    // No output nests this deeply; a schema that refers to itself would never end.
    guard depth < 32 else { return }
    if let reference = schema["$ref"]?.string, let target = resolve(reference) {
      visit(target, at: path, depth: depth + 1)
    }
    for alternative in schema["anyOf"]?.array ?? [] { visit(alternative, at: path, depth: depth + 1) }
    if let items = schema["items"] { visit(items, at: path, depth: depth + 1) }
    for (name, member) in schema["properties"]?.object?.members ?? [] { add(name, member, below: path, depth: depth) }
    if let values = schema["additionalProperties"], values.object != nil {
      add("*", values, below: path, depth: depth)
    }
  }

  private mutating func add(_ name: String, _ schema: JSONValue, below path: String, depth: Int) {
    let path = path.isEmpty ? name : "\(path).\(name)"
    if seen.insert(path).inserted { paths.append(path) }
    visit(schema, at: path, depth: depth + 1)
  }

  /// Within the document: `#/$defs/service`.
  private func resolve(_ reference: String) -> JSONValue? {
    guard reference.hasPrefix("#/") else { return nil }
    return reference.dropFirst(2).split(separator: "/").reduce(root) { value, key in value?[String(key)] }
  }
}
