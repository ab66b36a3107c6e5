import JSON

/// What a connection's features say about their triggers, for user fields that do not say it themselves.
struct FeatureTriggers {
  /// By feature trigger's id.
  private var slugs: [String: String] = [:]
  /// By feature trigger's id and field's.
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

  /// Which events a user field's trigger wants, nil where the field is no geofence.
  ///
  /// Its type decides, its own or else its feature's. Without any the field must be called `location`, and the trigger's
  /// slug tells; where that is unknown too, both events are wanted, as the iOS SDK has it for all.
  func direction(of field: JSONValue, in trigger: JSONValue) -> Region.Direction? {
    let name = field["field_id"]?.string
    let feature = trigger["feature_trigger_id"]?.identifier ?? ""
    if let type = field["field_type"]?.string ?? name.flatMap({ types[feature]?[$0] }) {
      return Self.direction(ofType: type)
    }
    guard name == "location" else { return nil }
    return slugs[feature].flatMap(Self.direction(ofSlug:)) ?? .both
  }

  /// Nil for the types that are no geofences, an area without an event among them.
  private static func direction(ofType type: String) -> Region.Direction? {
    switch type {
    case "LOCATION_ENTER": .entry
    case "LOCATION_EXIT": .exit
    // One and the same (C10).
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
