import JSON
import Location
import Testing

struct RegionReadingTests {
  static let location = #"{"lat":38.7369,"lng":-9.1427,"radius":220.5,"description":"Home","address":"Rua A"}"#

  /// A connection with one user feature.
  static func connection(
    field: String = #"{"field_id":"location","field_type":"LOCATION_EXIT","value":\#(location)}"#,
    trigger: String = #""id":"t1""#, feature: String = #""id":"f1","enabled":true"#, status: String = #""enabled""#,
    features: String = "[]"
  ) throws -> JSONValue {
    try JSONValue(
      """
      {"type":"connection","id":"c1","user_status":\(status),"features":\(features),"user_connection":{"user_features":[
      {\(feature),"user_feature_triggers":[{\(trigger),"feature_trigger_id":"ft","user_fields":[\(field)]}]}]}}
      """)
  }

  static func field(_ value: String, type: String? = "LOCATION_EXIT", id: String = "location") -> String {
    #"{"field_id":"\#(id)",\#(type.map { #""field_type":"\#($0)","# } ?? "")"value":\#(value)}"#
  }

  private static func regions(_ json: JSONValue) -> [Region] { RegionReading.regions(of: json, id: "c1").regions }
  private static func problems(_ json: JSONValue) -> [String] {
    RegionReading.regions(of: json, id: "c1").problems.map(\.reason)
  }

  static let whole = Region(
    id: "t1", direction: .exit, center: .home, radius: 220.5, label: "Home", connection: "c1", feature: "f1")

  @Test(arguments: [
    #"{"lat":38.7369,"lng":-9.1427,"radius":220.5,"description":"Home"}"#,
    #"{"latitude":38.7369,"longitude":-9.1427,"radius":220.5,"description":"Home"}"#,
    #"{"latitude":"38.7369","longitude":"-9.1427","radius":"220.5","zoom":"15","address":"Home"}"#,
    #"{"lat":null,"latitude":"38.7369","lng":"-91427e-4","radius":"2.205e2","description":"","address":"Home"}"#,
    #"{"lat":"+38.7369","lng":" -09.1427","radius":"220.50 ","description":"Home"}"#,
    #"{"radius":220.5,"zoom":null,"new":{"key":[]},"description":" \n","lng":-9.1427,"address":"Home","lat":38.7369}"#,
  ])
  func readsEverySpellingOfALocation(value: String) throws {
    let json = try Self.connection(field: Self.field(value))
    #expect(Self.regions(json) == [Self.whole] && Self.problems(json).isEmpty)
  }

  @Test func readsLabels() throws {
    let bare = #"{"lat":38.7369,"lng":-9.1427,"radius":220.5,"description":null,"address":""}"#
    #expect(Self.regions(try Self.connection(field: Self.field(bare))).first?.label == nil)
    #expect(Self.regions(try Self.connection()).first?.label == "Home")
  }

  @Test(arguments: [
    ("LOCATION_ENTER", Region.Direction.entry), ("LOCATION_EXIT", .exit), ("LOCATION_ENTER_OR_EXIT", .both),
    ("LOCATION_ENTER_AND_EXIT", .both),
  ])
  func readsDirectionsFromTypes(type: String, direction: Region.Direction) throws {
    // If there is a type, the field's id does not matter.
    let json = try Self.connection(field: Self.field(Self.location, type: type, id: "where"))
    #expect(Self.regions(json).map(\.direction) == [direction])
  }

  @Test(arguments: ["LOCATION_RADIUS", "LOCATION_POINT", "TEXT_FIELD", "location_enter", "LOCATION_DWELL"])
  func ignoresOtherTypes(type: String) throws {
    let json = try Self.connection(field: Self.field(Self.location, type: type))
    #expect(Self.regions(json).isEmpty && Self.problems(json).isEmpty)
  }

  private static func declared(slug: String, type: String? = nil) -> String {
    let field = #"{"id":"location"\#(type.map { #","type":"\#($0)""# } ?? "")}"#
    return #"[{"id":"f","feature_triggers":[{"id":"ft","trigger_id":"\#(slug)","fields":[\#(field)]}]}]"#
  }

  @Test(arguments: [
    (declared(slug: "enter_region_location"), Region.Direction.entry),
    (declared(slug: "exit_region_location"), .exit), (declared(slug: "enter_or_exit_region_location"), .both),
    (declared(slug: "any_member_enters_an_area"), .both), ("[]", .both), ("null", .both),
    (declared(slug: "any_member_enters_an_area", type: "LOCATION_ENTER"), .entry),
    (declared(slug: "enter_region_location", type: "LOCATION_EXIT"), .exit),
  ])
  func usesTheTriggerIfTheFieldHasNoType(features: String, direction: Region.Direction) throws {
    let json = try Self.connection(field: Self.field(Self.location, type: nil), features: features)
    #expect(Self.regions(json).map(\.direction) == [direction])
  }

  @Test func ignoresUntypedFieldsThatAreNotGeofences() throws {
    let other = try Self.connection(field: Self.field(Self.location, type: nil, id: "place"))
    #expect(Self.regions(other).isEmpty && Self.problems(other).isEmpty)
    let area = try Self.connection(
      field: Self.field(Self.location, type: nil), features: Self.declared(slug: "rain", type: "LOCATION_RADIUS"))
    #expect(Self.regions(area).isEmpty && Self.problems(area).isEmpty)
  }

  @Test(arguments: [#""disabled""#, #""never_enabled""#, "null", #""Enabled""#, "true"])
  func disabledConnectionsHaveNoRegions(status: String) throws {
    let json = try Self.connection(field: #"{"field_id":"location","value":7}"#, status: status)
    #expect(Self.regions(json).isEmpty && Self.problems(json).isEmpty)
  }

  @Test(arguments: ["false", "0", "null", #""false""#, #""true""#, #""yes""#, #""""#, "2", "[true]", "{}"])
  func disabledFeaturesHaveNoRegions(enabled: String) throws {
    #expect(Self.regions(try Self.connection(feature: #""id":"f1","enabled":\#(enabled)"#)).isEmpty)
  }

  @Test(arguments: ["", #","enabled":true"#, #","enabled":1"#])
  func enabledFeaturesHaveRegions(member: String) throws {
    #expect(Self.regions(try Self.connection(feature: #""id":"f1"\#(member)"#)) == [Self.whole])
  }

  @Test(arguments: [
    #""id":"t1""#, #""id":"","user_trigger_id":"t1""#, #""id":"t1","user_trigger_id":"other""#,
  ])
  func readsTriggerIDs(trigger: String) throws {
    #expect(Self.regions(try Self.connection(trigger: trigger)) == [Self.whole])
  }

  @Test(arguments: ["707", "123456789012345678901234567890"])
  func readsNumericIDs(id: String) throws {
    #expect(Self.regions(try Self.connection(trigger: #""id":\#(id)"#)).map(\.id) == [id])
  }

  @Test func readsListsAndEmptyValues() throws {
    let list = JSONValue.object(["type": "list", "data": [try Self.connection()]])
    #expect(Self.regions(list) == [Self.whole])
    for text in ["{}", "[]", "null", #"{"type":"list"}"#, #"{"user_status":"enabled","user_connection":null}"#] {
      let json = try JSONValue(text)
      #expect(Self.regions(json).isEmpty && Self.problems(json).isEmpty)
    }
  }
}
