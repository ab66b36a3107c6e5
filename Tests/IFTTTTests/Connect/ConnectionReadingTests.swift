import IFTTT
import JSON
import Testing

struct ConnectionReadingTests {
  @Test func onlyIDIsRequired() throws {
    let connection = try connection(#"{"id":"x"}"#)
    #expect(connection.name == "x")
    #expect(connection.status == .unknown)
    #expect(connection.details == nil)
    #expect(connection.userConnection == nil)
    #expect(connection.skipped.isEmpty)
  }

  @Test(arguments: [
    "{}", #"{"id":null}"#, #"{"id":""}"#, #"{"id":"a/b"}"#, #"{"id":"a?b"}"#, #"{"id":".."}"#, #"{"id":["x"]}"#,
    #"{"id":true}"#, #"{"id":1.5}"#, #"{"id":"a\u001b[2J"}"#,
  ])
  func rejectsConnectionWithoutAUsableID(text: String) throws {
    let object = try #require(JSONValue(parsing: Array(text.utf8)).object)
    #expect(Connection(reading: object) == nil)
  }

  @Test(
    arguments: [
      (#""enabled""#, .enabled, "enabled"), (#""disabled""#, .disabled, "disabled"),
      (#""never_enabled""#, .neverEnabled, "never_enabled"), (#""paused""#, .unknown, "paused"),
      ("null", .unknown, nil),
      ("7", .unknown, nil),
    ] as [(String, Connection.Status, String?)])
  func unknownStatusIsKept(json: String, status: Connection.Status, wire: String?) throws {
    let connection = try connection(#"{"id":"x","user_status":\#(json)}"#)
    #expect(connection.status == status)
    #expect(connection.statusOnWire == wire)
  }

  @Test func numberIsAValidID() throws {
    #expect(try connection(#"{"id":12345678}"#).id.description == "12345678")
  }

  @Test func unusableElementsAreSkipped() throws {
    let connection = try connection(
      #"""
      {"id":"x","services":[{"service_id":"a"},{"service_name":"B"},3],
       "features":[{"id":"f","feature_triggers":[{"id":"t","fields":[{"label":"?"},{"id":"ok"}]},{"label":"?"}]},{}],
       "user_connection":{"user_features":[{"id":"u","user_fields":[{"value":1}]},{}]}}
      """#)
    #expect(connection.services.map(\.id) == ["a"])
    #expect(connection.features.map(\.id) == ["f"])
    #expect(connection.features.first?.triggers.first?.fields.map(\.id) == ["ok"])
    #expect(connection.skipped.count == 7)
    #expect(
      connection.skipped.paths == [
        "services[1]", "services[2]", "features[0].feature_triggers[0].fields[0]", "features[0].feature_triggers[1]",
        "features[1]", "user_connection.user_features[0].user_fields[0]", "user_connection.user_features[1]",
      ])
  }

  /// If in doubt, a feature is disabled. Otherwise locations could be reported after the user disabled that.
  @Test(
    arguments: [
      (nil, true), ("true", true), ("1", true), ("1.0", true), ("false", false), ("0", false), ("null", false),
      (#""true""#, false), (#""false""#, false), (#""yes""#, false), (#""""#, false), ("2", false), ("[true]", false),
      ("{}", false),
    ] as [(String?, Bool)])
  func userFeatureIsEnabledOnlyIfCertain(enabled: String?, expected: Bool) throws {
    let member = enabled.map { #","enabled":\#($0)"# } ?? ""
    let connection = try connection(#"{"id":"x","user_connection":{"user_features":[{"id":"1"\#(member)}]}}"#)
    #expect(connection.userConnection?.features.map(\.isEnabled) == [expected])
  }

  @Test(arguments: [("true", true), ("1", true), (#""true""#, true), ("0", false), ("null", false), ("2", false)])
  func primaryMarkMayBeANumber(mark: String, expected: Bool) throws {
    let service = #"{"service_id":"s","is_primary":\#(mark)}"#
    #expect(try connection(#"{"id":"x","services":[\#(service)]}"#).services.map(\.isPrimary) == [expected])
  }

  @Test func fieldFlagsMayBeNumbers() throws {
    let field = #"{"id":"a","required":1,"hidden":0}"#
    let step = #"{"id":"1","trigger_id":"t","fields":[\#(field)]}"#
    let connection = try connection(#"{"id":"x","features":[{"id":"f","feature_triggers":[\#(step)]}]}"#)
    let read = try #require(connection.features.first?.triggers.first?.fields.first)
    #expect(read.isRequired == true && read.isHidden == false)
  }

  @Test(
    arguments: [
      (#"{"id":"1","trigger_id":"enter","service_id":"location"}"#, "location.enter"),
      (#"{"id":"1","trigger_id":"location.enter","service_id":"location"}"#, "location.enter"),
      (#"{"id":"1","trigger_id":"enter"}"#, "enter"), (#"{"id":"1","service_id":"location"}"#, nil),
    ] as [(String, String?)])
  func stepIDIsPrefixedOnce(step: String, expected: String?) throws {
    let connection = try connection(#"{"id":"x","features":[{"id":"f","feature_triggers":[\#(step)]}]}"#)
    #expect(try #require(connection.features.first?.triggers.first).prefixedID == expected)
  }

  @Test func lastOfRepeatedFieldsCounts() throws {
    let connection = try connection(
      #"""
      {"id":"x","user_connection":{"user_features":[{"id":"1","user_fields":[{"field_id":"a","value":"1"},
       {"field_id":"b","value":"2"},{"field_id":"a","value":"3"},{"field_id":"a","value":"4"}]}]}}
      """#)
    let fields = try #require(connection.userConnection?.features.first?.fields)
    #expect(fields.map(\.id) == ["a", "b"])
    #expect(fields.map(\.value) == ["4", "2"])
  }

  @Test func coverImagesOfAnyWidthAreSorted() throws {
    let connection = try connection(
      #"""
      {"id":"x","cover_image":{"2160w_url":"c","480w_url":"a","9w_url":null,"xw_url":"?","-1w_url":"?","url":"?",
       "720w_url":"b","1w_url":5}}
      """#)
    #expect(
      connection.coverImages.map { "\($0.width) \($0.url)" } == ["480 a", "720 b", "2160 c"])
  }
}
