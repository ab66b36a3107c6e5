package import JSON

/// Regions as GeoJSON (RFC 7946), for geojson.io, QGIS and similar tools.
///
/// A region becomes two features: its circle as a polygon and its center as a point. A single geometry collection
/// would also be valid, but QGIS does not display them, whereas it creates separate layers for polygons and points.
package enum RegionGeoJSON {
  package static func collection(of regions: [Region]) -> JSONValue {
    ["type": "FeatureCollection", "features": .array(regions.flatMap { features(of: $0) })]
  }

  private static func features(of region: Region) -> [JSONValue] {
    let center: JSONValue = [
      "type": "Point", "coordinates": [.double(region.center.longitude), .double(region.center.latitude)],
    ]
    let polygons = CircleOutline(center: region.center, radius: region.radius).polygons.map { rings in
      JSONValue.array(
        rings.map { ring in .array(ring.map { .array([.double($0.longitude), .double($0.latitude)]) }) })
    }
    var circle: JSONValue?
    if polygons.count > 1 {
      circle = ["type": "MultiPolygon", "coordinates": .array(polygons)]
    } else if let polygon = polygons.first {
      circle = ["type": "Polygon", "coordinates": polygon]
    }
    return [
      circle.map { feature(region, id: "\(region.id)/circle", part: "circle", $0) },
      feature(region, id: region.id, part: "centre", center),
    ].compactMap { $0 }
  }

  private static func feature(_ region: Region, id: String, part: String, _ geometry: JSONValue) -> JSONValue {
    [
      "type": "Feature", "id": .string(id), "geometry": geometry,
      "properties": [
        "id": .string(region.id), "part": .string(part), "direction": .string(region.direction.rawValue),
        "radius": .double(region.radius), "label": JSONValue(region.label),
        "connection": .string(region.connection), "feature": .string(region.feature),
      ],
    ]
  }
}

extension JSONValue {
  fileprivate static func double(_ value: Double) -> JSONValue { .number(JSONNumber(value)) }
}
