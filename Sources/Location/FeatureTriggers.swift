import JSON

/// The trigger details of a connection's features, for user fields that lack them.
struct FeatureTriggers {
  /// Trigger slugs by feature trigger id.
  private var slugs: [String: String] = [:]
  /// Field types by feature trigger id and field id.
  private var types: [String: [String: String]] = [:]

  init(_ connection: JSONValue) {
    for feature in connection["features"]?.array ?? [] {
      for trigger in feature["feature_triggers"]?.array ?? [] {
        guard let id = trigger["id"]?.identifier else { continue }
        slugs[id] = trigger["trigger_id"]?.string
        for field in trigger["fields"]?.array ?? [] {
          guard let name = field["id"]?.string, let type = field["type"]?.string else { continue }
          types[id, default: [:]][name] = type
        }
      }
    }
  }

  /// The direction of a user field's geofence, or nil if the field is not a geofence.
  ///
  /// The field's own type decides, or the type from its feature. Without a type, the field must be named `location`,
  /// and the trigger's slug decides. If the slug is unknown too, the direction is both, which the iOS SDK always
  /// uses.
  func direction(of field: JSONValue, in trigger: JSONValue) -> Region.Direction? {
    let name = field["field_id"]?.string
    let feature = trigger["feature_trigger_id"]?.identifier ?? ""
    if let type = field["field_type"]?.string ?? name.flatMap({ types[feature]?[$0] }) {
      return Self.direction(ofType: type)
    }
    guard name == "location" else { return nil }
    return slugs[feature].flatMap(Self.direction(ofSlug:)) ?? .both
  }

  /// The direction of a field type, or nil for types that are not geofences, such as an area without an event.
  private static func direction(ofType type: String) -> Region.Direction? {
    switch type {
    case "LOCATION_ENTER": .entry
    case "LOCATION_EXIT": .exit
    // The two names are synonyms (C10).
    case "LOCATION_ENTER_OR_EXIT", "LOCATION_ENTER_AND_EXIT": .both
    default: nil
    }
  }

  private static func direction(ofSlug slug: String) -> Region.Direction? {
    switch slug {
    case "enter_region_location": .entry
    case "exit_region_location": .exit
    case "enter_or_exit_region_location": .both
    default: nil
    }
  }
}
