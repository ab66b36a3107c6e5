import JSON
import Location
import Testing

struct RegionErrorTests {
  private static func reading(_ json: JSONValue) -> (regions: [Region], problems: [RegionError]) {
    RegionReading.regions(of: json, id: "c1")
  }

  @Test(arguments: [
    (#"{"lng":1,"radius":5}"#, "it has no latitude"), (#"{"lat":1,"radius":5}"#, "it has no longitude"),
    (#"{"lat":1,"lng":1}"#, "it has no radius"), (#"{"lat":1,"lng":1,"radius":null}"#, "it has no radius"),
    (#"{"lat":1,"lng":1,"radius":0}"#, "its radius is 0.0 meters"),
    (#"{"lat":1,"lng":1,"radius":"-5"}"#, "its radius is -5.0 meters"),
    (#"{"lat":1,"lng":1,"radius":1e999}"#, "its radius is not a number: 1e999"),
    (#"{"lat":1,"lng":1,"radius":"nan"}"#, #"its radius is not a number: "nan""#),
    (#"{"lat":1,"lng":1,"radius":"inf"}"#, #"its radius is not a number: "inf""#),
    (#"{"lat":1,"lng":1,"radius":true}"#, "its radius is not a number: true"),
    (#"{"lat":"0x10","lng":1,"radius":1}"#, #"its latitude is not a number: "0x10""#),
    (#"{"lat":90.5,"lng":1,"radius":1}"#, "latitude 90.5, longitude 1.0 is not on the earth"),
    (#"{"lat":1,"lng":"-181","radius":1}"#, "latitude 1.0, longitude -181.0 is not on the earth"),
    ("null", "no location has been chosen"), ("7", "its value is not a location: 7"),
    (#"[{"lat":1,"lng":1,"radius":1}]"#, #"its value is not a location: [{"lat":1,"lng":1,"radius":1}]"#),
    (
      #""aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa""#,
      #"its value is not a location: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…"#
    ),
  ])
  func reportsInvalidLocations(value: String, reason: String) throws {
    let json = try RegionReadingTests.connection(field: RegionReadingTests.field(value))
    let expected = RegionError(connection: "c1", feature: "f1", trigger: "t1", reason: reason)
    #expect(Self.reading(json).regions.isEmpty && Self.reading(json).problems == [expected])
  }

  @Test func anInvalidRegionDoesNotAffectOthers() throws {
    let fields = [
      RegionReadingTests.field(#"{"lat":1,"lng":1}"#), RegionReadingTests.field(RegionReadingTests.location),
    ].joined(separator: ",")
    let (regions, problems) = Self.reading(try RegionReadingTests.connection(field: fields))
    #expect(regions == [RegionReadingTests.whole] && problems.map(\.reason) == ["it has no radius"])
  }

  @Test func aDuplicateIDIsReported() throws {
    let fields = [
      RegionReadingTests.field(RegionReadingTests.location), RegionReadingTests.field(#"{"lat":1,"lng":1,"radius":7}"#),
    ].joined(separator: ",")
    let (regions, problems) = Self.reading(try RegionReadingTests.connection(field: fields))
    #expect(regions == [RegionReadingTests.whole])
    #expect(problems.map(\.reason) == ["another region already has its id"])
    #expect(problems.map(\.trigger) == ["t1"])
  }

  @Test func anIDOfAnotherConnectionIsReported() throws {
    let reading = RegionReading.regions(of: try RegionReadingTests.connection(), id: "c2", besides: ["t1"])
    #expect(reading.regions.isEmpty)
    #expect(reading.problems.map(\.reason) == ["another region already has its id"])
  }

  @Test(arguments: [
    ("7", ["its user_connection is not an object"]), (#"{"user_features":7}"#, ["its user_features is not an array"]),
    (#"{"user_features":[7,null]}"#, ["user_features[0] is not an object", "user_features[1] is not an object"]),
    (#"{"user_features":[{"user_feature_triggers":"x"}]}"#, ["its user_feature_triggers is not an array"]),
    (#"{"user_features":[{"user_feature_triggers":[{"user_fields":{}}]}]}"#, ["its user_fields is not an array"]),
    (#"{"user_features":null}"#, []), ("{}", []), (#"{"user_features":[{}]}"#, []),
  ])
  func reportsInvalidContainers(userConnection: String, reasons: [String]) throws {
    let json = try JSONValue(#"{"user_status":"enabled","user_connection":\#(userConnection)}"#)
    let (regions, problems) = Self.reading(json)
    #expect(regions.isEmpty && problems.map(\.reason) == reasons)
  }
}
