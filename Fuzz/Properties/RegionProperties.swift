import JSON
import Location

/// The regions of a connection that IFTTT sends are circles on the earth with different ids, and neither the map nor
/// the GeoJSON of them contains anything that their names could add.
enum RegionProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    guard let value = try? JSONValue(parsing: bytes) else { return nil }
    let (regions, problems) = RegionReading.regions(of: value, id: "a", besides: ["taken"])
    guard Set(regions.map(\.id) + ["taken"]).count == regions.count + 1 else { return "a repeated id" }
    guard problems.allSatisfy({ !$0.reason.isEmpty && $0.reason.count < 300 }) else {
      return "a report that is long or empty"
    }
    for region in regions {
      let (center, radius) = (region.center, region.radius)
      guard (-90...90).contains(center.latitude), (-180...180).contains(center.longitude), radius > 0, radius.isFinite
      else { return "a region that is not on the earth" }
    }
    guard !regions.isEmpty else { return nil }
    let json = RegionGeoJSON.collection(of: regions)
    guard (try? JSONValue(parsing: json.bytes)) == json else { return "GeoJSON that is not JSON" }
    return mapProblem(of: regions)
  }

  /// The same map without names has the same tags.
  private static func mapProblem(of regions: [Region]) -> String? {
    let plain = regions.enumerated().map { index, region in
      var region = region
      (region.id, region.label, region.feature) = ("\(index)", region.label.map { _ in "x" }, "f")
      return region
    }
    let (map, other) = (RegionMap(regions).html(), RegionMap(plain).html())
    guard !map.hasControls(except: ["\n"]) else { return "a page with a control character" }
    return tags(in: map).subtracting(tags(in: other)).isEmpty ? nil : "a name that becomes markup"
  }

  /// The names of the tags, without their attributes.
  private static func tags(in page: [UInt8]) -> Set<String> {
    var tags: Set<String> = []
    for (index, byte) in page.enumerated() where byte == UInt8(ascii: "<") {
      tags.insert(String(decoding: page[index...].prefix { ![0x20, 0x3e, 0x0a].contains($0) }, as: UTF8.self))
    }
    return tags
  }
}
