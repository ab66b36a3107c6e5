package import JSON

/// A circular region that a connection's trigger monitors.
package struct Region: Sendable, Equatable {
  /// The transitions that trigger an event.
  package enum Direction: String, Sendable, CaseIterable {
    case entry, exit, both
  }

  /// The id of the user feature's trigger, which events refer to.
  package var id: String
  package var direction: Direction
  package var center: Coordinate
  /// The radius in meters, greater than zero.
  package var radius: Double
  /// The user's name for the place, or its address.
  package var label: String?
  package var connection: String
  /// The id of the user feature it belongs to.
  package var feature: String

  package init(
    id: String, direction: Direction, center: Coordinate, radius: Double, label: String? = nil, connection: String,
    feature: String
  ) {
    (self.id, self.direction, self.center, self.radius) = (id, direction, center, radius)
    (self.label, self.connection, self.feature) = (label, connection, feature)
  }
}

/// A part of a connection that should be a region but is unusable.
package struct RegionError: Sendable, Equatable {
  package var connection: String
  /// The id of the user feature; nil if it has none, or if the problem is outside of any feature.
  package var feature: String?
  /// The id of the trigger, or nil if it has none.
  package var trigger: String?
  /// The problem, phrased to follow "Cannot monitor a region of …:". It may quote text from the server.
  package var reason: String

  package init(connection: String, feature: String? = nil, trigger: String? = nil, reason: String) {
    (self.connection, self.feature, self.trigger, self.reason) = (connection, feature, trigger, reason)
  }
}

/// A parser for the regions in IFTTT's JSON of a connection (docs/api/location.md §2; docs/api/connect.md §8.4).
///
/// A connection that is not enabled has no regions, and neither does a disabled user feature. A feature without the
/// `enabled` key counts as enabled (docs/api/connect.md C13). An unusable region is reported and does not affect the
/// others.
package struct RegionReading {
  private let connection: String
  private let triggers: FeatureTriggers
  private var taken: Set<String>
  private var regions: [Region] = []
  private var problems: [RegionError] = []

  /// - Parameters:
  ///   - json: An object of type `connection`, or a `list` that contains it.
  ///   - id: The connection's id.
  ///   - taken: Ids of regions of other connections. Events could not distinguish two regions with the same id.
  package static func regions(
    of json: JSONValue, id: String, besides taken: Set<String> = []
  ) -> (regions: [Region], problems: [RegionError]) {
    let json = json["type"] == "list" ? json["data"]?.array?.first ?? .null : json
    var reading = RegionReading(connection: id, triggers: FeatureTriggers(json), taken: taken)
    if json["user_status"] == "enabled" { reading.read(json["user_connection"] ?? .null) }
    return (reading.regions, reading.problems)
  }

  private init(connection: String, triggers: FeatureTriggers, taken: Set<String>) {
    (self.connection, self.triggers, self.taken) = (connection, triggers, taken)
  }

  private mutating func read(_ userConnection: JSONValue) {
    guard !userConnection.isNull else { return }
    guard userConnection.object != nil else { return report("its user_connection is not an object") }
    for feature in elements(of: userConnection, "user_features") where feature["enabled"]?.isSwitchedOn ?? true {
      let id = feature["id"]?.identifier
      for trigger in elements(of: feature, "user_feature_triggers", feature: id) {
        for field in elements(of: trigger, "user_fields", feature: id) {
          read(field, of: trigger, feature: id)
        }
      }
    }
  }

  /// The elements of an array that are objects.
  private mutating func elements(of parent: JSONValue, _ key: String, feature: String? = nil) -> [JSONValue] {
    guard let value = parent[key], !value.isNull else { return [] }
    guard let array = value.array else {
      report("its \(key) is not an array", feature: feature)
      return []
    }
    for (index, element) in array.enumerated() where element.object == nil {
      report("\(key)[\(index)] is not an object", feature: feature)
    }
    return array.filter { $0.object != nil }
  }

  private mutating func read(_ field: JSONValue, of trigger: JSONValue, feature: String?) {
    guard let direction = triggers.direction(of: field, in: trigger) else { return }
    let value = field["value"] ?? .null
    // The second and third spelling were in use for five days in March 2020.
    let id =
      trigger["id"]?.identifier ?? trigger["user_trigger_id"]?.identifier ?? value["user_trigger_id"]?.identifier
    do throws(LocationValue.Fault) {
      let circle = try LocationValue(value)
      guard let id else {
        let center = "\(circle.center.latitude), \(circle.center.longitude)"
        throw LocationValue.Fault(reason: "the region around \(center) has no id, so events cannot refer to it")
      }
      guard taken.insert(id).inserted else {
        throw LocationValue.Fault(reason: "another region already has its id")
      }
      regions.append(
        Region(
          id: id, direction: direction, center: circle.center, radius: circle.radius, label: circle.label,
          connection: connection, feature: feature ?? ""))
    } catch {
      report(error.reason, feature: feature, trigger: id)
    }
  }

  private mutating func report(_ reason: String, feature: String? = nil, trigger: String? = nil) {
    problems.append(RegionError(connection: connection, feature: feature, trigger: trigger, reason: reason))
  }
}

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
  /// It follows from the field's own type, or the type in its feature. Without a type, the field must be named
  /// `location`, and the direction follows from the trigger's slug. If the slug is also unknown, it is `both`, as
  /// always in the iOS SDK.
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
    // The two names are synonyms (docs/api/connect.md C10).
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

/// The circle in a location field's value, in any of the spellings that IFTTT has used (docs/api/connect.md §9).
struct LocationValue {
  var center: Coordinate
  var radius: Double
  var label: String?

  struct Fault: Error { var reason: String }

  init(_ value: JSONValue) throws(Fault) {
    guard !value.isNull else { throw Fault(reason: "no location has been chosen") }
    guard let object = value.object else { throw Fault(reason: "its value is not a location: \(Self.excerpt(value))") }
    let latitude = try Self.number(object, ["lat", "latitude"], "latitude")
    let longitude = try Self.number(object, ["lng", "longitude"], "longitude")
    guard let center = Coordinate(latitude: latitude, longitude: longitude) else {
      throw Fault(reason: "latitude \(latitude), longitude \(longitude) is not on the earth")
    }
    radius = try Self.number(object, ["radius"], "radius")
    guard radius > 0 else { throw Fault(reason: "its radius is \(radius) meters") }
    self.center = center
    label = Self.text(object["description"]) ?? Self.text(object["address"])
  }

  private static func number(_ object: JSONObject, _ keys: [String], _ name: String) throws(Fault) -> Double {
    guard let value = keys.lazy.compactMap({ object[$0] }).first(where: { !$0.isNull }) else {
      throw Fault(reason: "it has no \(name)")
    }
    guard let number = value.numberOrNumeral else {
      throw Fault(reason: "its \(name) is not a number: \(excerpt(value))")
    }
    return number
  }

  /// The text, or nil if it is missing or blank.
  private static func text(_ value: JSONValue?) -> String? {
    guard let text = value?.string, text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
      return nil
    }
    return text
  }

  private static func excerpt(_ value: JSONValue) -> String {
    let text = value.text
    return text.count > 40 ? text.prefix(39) + "…" : text
  }
}
