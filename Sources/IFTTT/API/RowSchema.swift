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
/// free-form map: `services.name`, `cover_images.*`. In the schema's order, without duplicates, a parent before its
/// members.
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

/// Searches the bytes of a JSON Schema for single paths. ``fieldCatalog(of:)`` lists all of them, which takes a
/// hundred times as long.
package struct SchemaSearch {
  private let schema: UnsafeRawBufferPointer
  /// More references than a path can follow, unless the schema refers to itself.
  private static let deepest = 64

  package init(_ schema: UnsafeRawBufferPointer) { self.schema = schema }

  /// Whether the schema has properties with these names, each within the one before. Array indices and the keys of
  /// free-form maps are not found.
  package func has(_ names: [[UInt8]]) -> Bool {
    (try? has(names[...], in: 0..<schema.count, depth: 0)) ?? false
  }

  private func has(_ names: ArraySlice<[UInt8]>, in part: Range<Int>, depth: Int) throws(JSONError) -> Bool {
    guard let name = names.first else { return true }
    guard depth < Self.deepest else { return false }
    var members = JSONScanner(schema, at: part.lowerBound)
    guard members.next == UInt8(ascii: "{") else { return false }
    while let key = try members.nextKey() {
      let value = try members.skipValue()
      switch String(decoding: members.slice(key), as: UTF8.self) {
      case "properties":
        if let member = try find(name, in: value), try has(names.dropFirst(), in: member, depth: depth + 1) {
          return true
        }
      case "items": if try has(names, in: value, depth: depth + 1) { return true }
      case "anyOf":
        var alternatives = JSONScanner(schema, at: value.lowerBound)
        while try alternatives.nextElement() {
          if try has(names, in: alternatives.skipValue(), depth: depth + 1) { return true }
        }
      case "$ref":
        if let target = try resolve(value), try has(names, in: target, depth: depth + 1) { return true }
      default: break
      }
    }
    return false
  }

  /// The target of a reference within the document, such as `"#/$defs/service"`.
  private func resolve(_ reference: Range<Int>) throws(JSONError) -> Range<Int>? {
    var target = 0..<schema.count
    for step in schema[reference].dropFirst().dropLast().split(separator: UInt8(ascii: "/")).dropFirst() {
      guard let found = try find(Array(step), in: target) else { return nil }
      target = found
    }
    return target
  }

  private func find(_ name: [UInt8], in object: Range<Int>) throws(JSONError) -> Range<Int>? {
    var members = JSONScanner(schema, at: object.lowerBound)
    return members.next == UInt8(ascii: "{") ? try members.value(of: name) : nil
  }
}
