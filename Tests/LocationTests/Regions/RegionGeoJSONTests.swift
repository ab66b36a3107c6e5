import JSON
import Location
import Support
import Testing

struct RegionGeoJSONTests {
  static let regions: [Region] = [
    .around(.home, radius: 220.5, .exit, id: "d27e", label: "Home \u{1b}[31m<b>"),
    .around(Coordinate(-17.1, 179.999), radius: 500, .both, id: "fiji"),
    .around(Coordinate(90, 0), radius: 5000, .entry, id: "pole"), .around(Coordinate(1, 1), radius: 1e-9, id: "tiny"),
    .around(Coordinate(1, 1), radius: 1e300, id: "all"),
  ]

  @Test func conformsToTheSchema() throws {
    let documents = [RegionGeoJSON.collection(of: Self.regions).text, RegionGeoJSON.collection(of: []).text]
    #expect(try JSONSchemaValidator.problems(of: documents, against: Self.schema) == [])
    // This ensures that the schema does not accept everything.
    let broken = documents[0].replacing("\"Point\"", with: "\"Pint\"")
    #expect(try !JSONSchemaValidator.problems(of: [broken], against: Self.schema).isEmpty)
  }

  @Test func aRegionBecomesTwoFeatures() throws {
    let collection = RegionGeoJSON.collection(of: [Self.regions[0]])
    let features = try #require(collection["features"]?.array)
    #expect(features.map { $0["geometry"]?["type"] } == ["Polygon", "Point"])
    #expect(features.map { $0["id"] } == ["d27e/circle", "d27e"])
    #expect(features[1]["geometry"]?["coordinates"] == [.number(JSONNumber(-9.1427)), .number(JSONNumber(38.7369))])
    for (feature, part) in zip(features, ["circle", "center"]) {
      #expect(
        feature["properties"] == [
          "id": "d27e", "part": .string(part), "direction": "exit", "radius": .number(JSONNumber(220.5)),
          "label": "Home \u{1b}[31m<b>", "connection": "c1", "feature": "f1",
        ])
    }
  }

  @Test func regionsAtPolesAndTheAntimeridianAreSplit() {
    let features = RegionGeoJSON.collection(of: Self.regions)["features"]?.array ?? []
    #expect(
      features.compactMap { $0["geometry"]?["type"]?.string } == [
        "Polygon", "Point", "MultiPolygon", "Point", "Polygon", "Point", "Point", "Polygon", "Point",
      ])
    #expect(features[0]["properties"]?["label"]?.string == "Home \u{1b}[31m<b>")
    #expect(features[2]["properties"]?["label"] == .some(.null))
  }

  /// The relevant parts of RFC 7946: sections 3.1.1, 3.1.2, 3.1.6, 3.1.7, 3.2, 3.3 and 7.1.
  private static let schema = """
    {"$schema":"https://json-schema.org/draft/2020-12/schema",
    "type":"object","required":["type","features"],
    "not":{"anyOf":[{"required":["coordinates"]},{"required":["geometry"]},{"required":["geometries"]},{"required":["properties"]}]},
    "properties":{"type":{"const":"FeatureCollection"},"features":{"type":"array","items":{"$ref":"#/$defs/feature"}}},
    "$defs":{
    "position":{"type":"array","prefixItems":[{"type":"number","minimum":-180,"maximum":180},
    {"type":"number","minimum":-90,"maximum":90}],"items":{"type":"number"},"minItems":2,"maxItems":3},
    "ring":{"type":"array","minItems":4,"items":{"$ref":"#/$defs/position"}},
    "polygon":{"type":"array","items":{"$ref":"#/$defs/ring"}},
    "feature":{"type":"object","required":["type","geometry","properties"],
    "not":{"anyOf":[{"required":["coordinates"]},{"required":["geometries"]},{"required":["features"]}]},
    "properties":{"type":{"const":"Feature"},"id":{"type":["string","number"]},"properties":{"type":["object","null"]},
    "geometry":{"oneOf":[
    {"type":"object","required":["type","coordinates"],"properties":{"type":{"const":"Point"},
    "coordinates":{"$ref":"#/$defs/position"}}},
    {"type":"object","required":["type","coordinates"],"properties":{"type":{"const":"Polygon"},
    "coordinates":{"$ref":"#/$defs/polygon"}}},
    {"type":"object","required":["type","coordinates"],"properties":{"type":{"const":"MultiPolygon"},
    "coordinates":{"type":"array","items":{"$ref":"#/$defs/polygon"}}}}]}}}}}
    """
}
