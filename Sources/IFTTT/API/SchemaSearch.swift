import JSON

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
