import IFTTT
import JSON
import Testing

/// A connection with a field of every kind. Feature `ft` is configured twice (`u1` enabled, `u2` disabled), `gx`
/// never.
enum Lamps {
  static let features = #"""
    [ { "id": "ft", "title": "Come home", "field_options_url": "https://connect.ifttt.com/v2/connections/cc/features/ft/field_options",
        "fields": [
          { "id": "name", "label": "Name", "type": "TEXT_FIELD", "required": true, "hidden": false, "default_value": "Room" },
          { "id": "scene", "label": "Scene", "type": "COLLECTION_SELECT", "required": true, "hidden": false,
            "default_value": { "group": null, "label": "Evening", "value": "sc_1" } } ],
        "feature_triggers": [
          { "id": "t1", "trigger_id": "enter", "service_id": "location", "label": "You enter", "fields": [
            { "id": "area", "label": "Area", "type": "LOCATION_ENTER", "required": true, "hidden": false, "default_value": null } ] } ],
        "feature_queries": [
          { "id": "q1", "query_id": "list", "service_id": "tides", "label": "List", "fields": [] } ],
        "feature_actions": [
          { "id": "a1", "action_id": "add", "service_id": "tides", "label": "Add", "fields": [
            { "id": "calendar", "label": "Calendar", "type": "DOUBLE_COLLECTION_SELECT", "required": false, "hidden": false, "default_value": null },
            { "id": "lamps", "label": "Lamps", "type": "CHECKBOX_MULTI", "required": false, "hidden": false, "default_value": [] },
            { "id": "note", "label": "Note", "type": "TEXT_AREA", "required": false, "hidden": true, "default_value": "" } ] } ] },
      { "id": "gx", "title": "Wind", "fields": [],
        "feature_triggers": [
          { "id": "t2", "trigger_id": "wind", "service_id": "sky", "label": "Wind", "fields": [
            { "id": "place", "label": "Place", "type": "LOCATION_POINT", "required": true, "hidden": false, "default_value": null },
            { "id": "odd", "label": "Odd", "type": "COLOR_WHEEL", "required": false, "hidden": false, "default_value": null } ] } ] } ]
    """#

  static let configuration = #"""
    { "user_features": [
      { "id": "u1", "feature_id": "ft", "enabled": true,
        "user_fields": [
          { "field_id": "name", "field_type": "TEXT_FIELD", "value": "Hall" },
          { "field_id": "scene", "field_type": "COLLECTION_SELECT", "value": { "group": null, "label": "Night", "value": "sc_4" } } ],
        "user_feature_triggers": [
          { "id": "ut1", "feature_trigger_id": "t1", "user_fields": [
            { "field_id": "area", "field_type": "LOCATION_ENTER",
              "value": { "lat": 38.736900, "lng": -9.1427, "radius": 220.5, "address": "Rua 9", "description": "Home", "zoom": 15, "place_id": "p-1" } } ] } ],
        "user_feature_queries": [ { "id": "uq1", "feature_query_id": "q1", "user_fields": [] } ],
        "user_feature_actions": [
          { "id": "ua1", "feature_action_id": "a1", "user_fields": [
            { "field_id": "calendar", "field_type": "DOUBLE_COLLECTION_SELECT", "value": { "group": "Shared", "label": "Boat", "value": "cal_b" } },
            { "field_id": "lamps", "field_type": "CHECKBOX_MULTI", "value": [ { "label": "Ceiling", "value": "l_1" } ] },
            { "field_id": "note", "field_type": "TEXT_AREA", "value": "a\nb" },
            { "field_id": "gone", "field_type": "HOLOGRAM", "value": { "value": { "deep": [1, 2.50] } } } ] } ] },
      { "id": "u2", "feature_id": "ft", "enabled": false,
        "user_fields": [ { "field_id": "name", "field_type": "TEXT_FIELD", "value": "Attic" } ],
        "user_feature_triggers": [], "user_feature_queries": [], "user_feature_actions": [] } ] }
    """#

  static func connection(_ configuration: String = configuration) throws -> Connection {
    try IFTTTTests.connection(
      #"{"id":"cc","name":"Lamps","user_status":"enabled","features":\#(features),"user_connection":\#(configuration)}"#
    )
  }

  /// The form of the stored configuration.
  static func form() throws -> ConfigurationForm {
    let connection = try connection()
    return ConfigurationForm(connection, try #require(connection.userConnection))
  }

  static let options = FieldOptions([
    "scene": [option("sc_1", "Evening"), option("sc_4", "Night")],
    "calendar": [option("cal_a", "Garden"), option("cal_b", "Boat", "Shared"), option("cal_c", "Boat", "Own")],
    "lamps": [option("l_1", "Ceiling"), option("l_2", "Desk, left"), option("l_3", "Floor")],
  ])

  static func option(_ value: String, _ label: String, _ group: String? = nil) -> FieldValue.Option {
    FieldValue.Option(group: group, label: label, value: value)
  }

  static func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }
}
