import HTTP
package import JSON
import Support
import Testing
package import World

/// A connection to configure, with a known service key and user.
package enum Lamps {
  /// The home of its user.
  package static func home(terminal: Terminal = .none) -> Home {
    let home = Home()
    home.environment = ["IFTTT_SERVICE_KEY": "a-key-of-the-tests-0123456789", "IFTTT_USER_ID": "u-1"]
    home.secrets = ["a-key-of-the-tests-0123456789"]
    home.terminal = terminal
    return home
  }

  package static let features = #"""
    [ { "id": "ft", "title": "Come home", "fields": [
          { "id": "name", "label": "Name", "type": "TEXT_FIELD", "required": true, "hidden": false, "default_value": "Room" },
          { "id": "scene", "label": "Scene", "type": "COLLECTION_SELECT", "required": true, "hidden": false, "default_value": null } ],
        "feature_triggers": [ { "id": "t1", "trigger_id": "enter", "service_id": "location", "label": "You enter", "fields": [
          { "id": "area", "label": "Area", "type": "LOCATION_ENTER", "required": true, "hidden": false, "default_value": null } ] } ],
        "feature_queries": [ { "id": "q1", "query_id": "list", "service_id": "tides", "label": "List", "fields": [] } ],
        "feature_actions": [ { "id": "a1", "action_id": "add", "service_id": "tides", "label": "Add", "fields": [
          { "id": "calendar", "label": "Calendar", "type": "DOUBLE_COLLECTION_SELECT", "required": false, "hidden": false, "default_value": null },
          { "id": "lamps", "label": "Lamps", "type": "CHECKBOX_MULTI", "required": false, "hidden": false, "default_value": null },
          { "id": "note", "label": "Note", "type": "TEXT_AREA", "required": false, "hidden": true, "default_value": "" } ] } ] },
      { "id": "gx", "title": "Wind", "fields": [], "feature_triggers": [
          { "id": "t2", "trigger_id": "wind", "service_id": "sky", "label": "Wind", "fields": [
            { "id": "place", "label": "Place", "type": "LOCATION_POINT", "required": true, "hidden": false, "default_value": null } ] } ] } ]
    """#

  /// The user's configuration, as IFTTT sends it.
  package static func configuration(
    name: String = "Hall", scene: String = "sc_4", note: String? = "a\\nb", more: String = "", enabled: Bool = true
  ) -> String {
    let note = note.map { #", { "field_id": "note", "field_type": "TEXT_AREA", "value": "\#($0)" }"# } ?? ""
    return #"""
      { "user_features": [
        { "id": "u1", "feature_id": "ft", "enabled": \#(enabled),
          "user_fields": [
            { "field_id": "name", "field_type": "TEXT_FIELD", "value": "\#(name)" },
            { "field_id": "scene", "field_type": "COLLECTION_SELECT", "value": { "group": null, "label": "\#(scene)", "value": "\#(scene)" } } ],
          "user_feature_triggers": [ { "id": "ut1", "feature_trigger_id": "t1", "user_fields": [
            { "field_id": "area", "field_type": "LOCATION_ENTER",
              "value": { "lat": 38.736900, "lng": -9.1427, "radius": 220.5, "address": "Rua 9", "description": "Home", "zoom": 15 } } ] } ],
          "user_feature_queries": [ { "id": "uq1", "feature_query_id": "q1", "user_fields": [] } ],
          "user_feature_actions": [ { "id": "ua1", "feature_action_id": "a1", "user_fields": [
            { "field_id": "calendar", "field_type": "DOUBLE_COLLECTION_SELECT", "value": { "group": "Shared", "label": "Boat", "value": "cal_b" } }\#(note) ] } ]
        }\#(more) ] }
      """#
  }

  package static func connection(_ configuration: String? = configuration(), status: String = "enabled") -> String {
    let configuration = configuration.map { #","user_connection":\#($0)"# } ?? ""
    return
      #"{"type":"connection","id":"cc","name":"Lamps","user_status":"\#(status)","services":[],"features":\#(features)\#(configuration)}"#
  }

  /// The options of the feature's own fields, and of its action's fields.
  package static let sceneOptions = options(#""scene":[\#(option("sc_1", "Evening")),\#(option("sc_4", "Night"))]"#)
  package static let actionOptions = options(
    #""calendar":[\#(option("cal_a", "Garden")),\#(option("cal_b", "Boat", "Shared"))],"#
      + #""lamps":[\#(option("l_1", "Ceiling")),\#(option("l_2", "Floor"))]"#)

  private static func options(_ members: String) -> String { #"{"type":"field_options","options":{\#(members)}}"# }

  private static func option(_ value: String, _ label: String, _ group: String? = nil) -> String {
    #"{"label":"\#(label)","value":"\#(value)","group":\#(group.map { "\"\($0)\"" } ?? "null")}"#
  }
}

extension Server {
  /// The responses that every change starts with: the connection and its field options.
  package static func reading(_ connection: String = Lamps.connection()) -> Server {
    Server().answering(200, connection).answering(200, Lamps.sceneOptions).answering(200, Lamps.actionOptions)
  }

  /// The body of a request.
  package func body(_ index: Int) -> String {
    guard requests.indices.contains(index) else { return "no request \(index)" }
    return String(decoding: requests[index].body ?? [], as: UTF8.self)
  }

  /// One user feature in a request that replaces the configuration.
  package func sent(_ index: Int, feature: Int = 0) throws -> JSONValue {
    let json = try JSONValue(parsing: Array(body(index).utf8))
    return try #require(json["user_features"]?.array?.dropFirst(feature).first)
  }
}
