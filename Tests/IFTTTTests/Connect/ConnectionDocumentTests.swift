import IFTTT
import JSON
import Testing

struct ConnectionDocumentTests {
  @Test func documentIsExactByteForByte() throws {
    let connection = try connection(
      #"""
      {"user_connection":{"user_features":[{"id":"8f0b","feature_id":"mw4t","user_fields":[{"field_id":"day",
       "value":"Monday"},{"field_id":"scene","value":{"value":"sc_04","label":"Night"}}],"user_feature_triggers":[
       {"feature_trigger_id":"t8kd","id":"d27e","user_fields":[{"field_id":"location","field_type":"LOCATION_EXIT",
       "value":{"lat":"38.7369","lng":-9.1427,"radius":"220.50"}}]}],"user_feature_actions":[{"feature_action_id":"a3ch",
       "user_fields":[{"field_id":"boxes","value":[{"label":"A","value":"a"}]},{"field_id":"none","value":null},
       {"field_id":"odd","value":{"x":[1.50,true]}}]}]}]},
       "features":[{"id":"mw4t","title":"Leave","icon_url":"i","fields":[{"id":"day","label":"Day","type":"TEXT_FIELD",
       "required":true,"hidden":false}],"feature_triggers":[{"id":"t8kd","trigger_id":"exit","service_id":"location",
       "label":"You exit"}]}],
       "cover_image":{"720w_url":"w","480w_url":"n"},"services":[{"service_id":"weather","service_name":"Weather",
       "is_primary":"true","brand_color":"#0099ff","monochrome_icon_url":"m","url":"s"}],"enabled_count":"12",
       "user_status":"enabled","url":"u","description":"Rain\u0007","name":"Log rain","id":"a1B2c3D4"}
      """#)
    let expected = [
      #"{"id":"a1B2c3D4","name":"Log rain","description":"Rain\u0007","status":"enabled","pending":true,"#,
      #""provider":"connect","url":"u","enabled_count":12,"primary_service":"weather","services":[{"id":"weather","#,
      ##""name":"Weather","short_name":"Weather","is_primary":true,"brand_color":"#0099ff","icon_url":"m","url":"s"}],"##,
      #""features":[{"id":"mw4t","title":"Leave","description":null,"icon_url":"i","fields":[{"id":"day","#,
      #""label":"Day","type":"TEXT_FIELD","required":true,"hidden":false,"default_value":null}],"#,
      #""triggers":[{"id":"t8kd","step":"location.exit","label":"You exit","fields":[]}],"queries":[],"actions":[]}],"#,
      #""configuration":{"features":[{"id":"8f0b","feature_id":"mw4t","enabled":true,"fields":{"day":"Monday","#,
      #""scene":{"group":null,"label":"Night","value":"sc_04"}},"triggers":[{"id":"d27e","step_id":"t8kd","#,
      #""fields":{"location":{"lat":38.7369,"lng":-9.1427,"radius":220.50,"address":null,"description":null,"#,
      #""zoom":null}}}],"queries":[],"actions":[{"id":null,"step_id":"a3ch","fields":{"boxes":[{"group":null,"#,
      #""label":"A","value":"a"}],"none":null,"odd":{"x":[1.50,true]}}}]}]},"cover_images":{"480":"n","720":"w"}"#,
    ].joined()
    #expect(String(decoding: connection.document(pending: true), as: UTF8.self) == expected)
  }

  @Test func everyKeyIsAlwaysPresent() throws {
    let expected = [
      #"{"id":"x","name":"x","description":null,"status":"unknown","pending":false,"provider":"connect","url":null,"#,
      #""enabled_count":null,"primary_service":null,"services":[],"features":[],"configuration":null,"#,
      #""cover_images":null"#,
    ].joined()
    #expect(String(decoding: try connection(#"{"id":"x"}"#).document(pending: false), as: UTF8.self) == expected)
  }

  @Test func userConnectionWithoutFeaturesIsNotNull() throws {
    #expect(try keys("configuration", of: #"{"id":"x","user_connection":{}}"#) == ["features": []])
    #expect(try keys("configuration", of: #"{"id":"x","user_connection":null}"#) == nil)
  }

  @Test func prefersColorIcon() throws {
    let services = try keys(
      "services",
      of:
        #"{"id":"x","services":[{"service_id":"a","monochrome_icon_url":"m","color_icon_url":"c"},{"service_id":"b"}]}"#
    )
    #expect(services?.array?.map { $0["icon_url"] } == ["c", .null])
  }

  /// Neither the order of keys nor unknown keys change anything.
  @Test(arguments: Fixture.allCases)
  func keyOrderAndUnknownKeysDoNotMatter(fixture: Fixture) throws {
    let json = try fixture.json()
    let expected = document(try fixture.connection())
    #expect(document(try read(disturbed(json))) == expected)
    #expect(throws: Never.self) { try JSONValue(parsing: Array(expected.utf8)) }
  }

  private func disturbed(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let object):
      let members = object.members.reversed().map { (key: $0.key, value: disturbed($0.value)) }
      return .object(JSONObject(members: [(key: "not_yet_known", value: ["a": [1, nil]])] + members))
    case .array(let elements): return .array(elements.map(disturbed))
    default: return value
    }
  }

  private func keys(_ key: String, of text: String) throws -> JSONValue? {
    let value = try JSONValue(parsing: Array(document(connection(text)).utf8))[key]
    return value?.isNull == true ? nil : value
  }
}
