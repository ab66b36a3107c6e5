import IFTTT
import JSON
import Testing

struct FieldCatalogueTests {
  @Test func pathsFollowArraysReferencesAlternativesAndMaps() throws {
    let schema = #"""
      {"type":"array","items":{"$ref":"#/$defs/row"},"$defs":{
        "row":{"properties":{"id":{"type":"string"},"items":{"properties":{"items":{}}},
          "parts":{"type":"array","items":{"properties":{"name":{},"size":{}},"additionalProperties":false}},
          "sizes":{"anyOf":[{"type":"null"},{"additionalProperties":{"$ref":"#/$defs/size"}}]},
          "either":{"anyOf":[{"properties":{"a":{},"b":{}}},{"properties":{"b":{},"c":{}}}]}}},
        "size":{"properties":{"w":{},"h":{}}}}}
      """#
    #expect(
      fieldCatalog(of: try JSONValue(parsing: Array(schema.utf8))) == [
        "id", "items", "items.items", "parts", "parts.name", "parts.size", "sizes", "sizes.*", "sizes.*.w", "sizes.*.h",
        "either", "either.a",
        "either.b", "either.c",
      ])
  }

  @Test(arguments: [
    "true", "{}", "7", ##"{"$ref":"#/$defs/nowhere"}"##, ##"{"$ref":"https://example.com/x"}"##, ##"{"$ref":"#/"}"##,
    ##"{"anyOf":[{"$ref":"#"}]}"##, ##"{"$ref":7}"##,
  ])
  func schemaWithoutPropertiesHasNoPaths(schema: String) throws {
    #expect(fieldCatalog(of: try JSONValue(parsing: Array(schema.utf8))).isEmpty)
  }

  @Test func selfReferencingSchemaEnds() throws {
    let schema = ##"{"properties":{"next":{"$ref":"#/"}},"$ref":"#/properties/next"}"##
    #expect(fieldCatalog(of: try JSONValue(parsing: Array(schema.utf8))).first == "next")
  }
}
