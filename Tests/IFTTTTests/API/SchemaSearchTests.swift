import IFTTT
import JSON
import Testing

/// The search for one path agrees with the list of all paths.
struct SchemaSearchTests {
  private static let schema = #"""
    {"type":"array","items":{"$ref":"#/$defs/row"},"$defs":{
      "row":{"properties":{"id":{"type":"string"},"items":{"properties":{"items":{}}},
        "parts":{"type":"array","items":{"properties":{"name":{},"size":{}},"additionalProperties":false}},
        "sizes":{"anyOf":[{"type":"null"},{"additionalProperties":{"$ref":"#/$defs/size"}}]},
        "either":{"anyOf":[{"properties":{"a":{},"b":{}}},{"properties":{"b":{},"c":{}}}]}}},
      "size":{"properties":{"w":{},"h":{}}}}}
    """#

  private func has(_ path: String, in schema: String = Self.schema) -> Bool {
    Array(schema.utf8).withUnsafeBytes { SchemaSearch($0).has(path.split(separator: ".").map { Array($0.utf8) }) }
  }

  @Test func findsEveryPathOutsideMaps() throws {
    for path in fieldCatalog(of: try JSONValue(parsing: Array(Self.schema.utf8))) {
      #expect(has(path) == !path.contains("*"), "\(path)")
    }
  }

  @Test(arguments: ["nothing", "id.x", "parts.0", "parts.nothing", "either.d", "row", "items.items.items", "type"])
  func findsNoOtherPath(path: String) { #expect(!has(path)) }

  @Test(arguments: [
    "true", "{}", "7", "", "{", ##"{"$ref":"#/$defs/nowhere"}"##, ##"{"$ref":"https://example.com/x"}"##,
    ##"{"$ref":"#/"}"##, ##"{"anyOf":[{"$ref":"#"}]}"##, ##"{"$ref":7}"##,
  ])
  func aSchemaWithoutTheFieldHasNoPath(schema: String) { #expect(!has("id", in: schema)) }
}
