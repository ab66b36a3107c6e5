package import JSON

/// A parser for the regions in IFTTT's JSON of a connection (reference: location.md, section 2; connect-api.md, 8.4).
///
/// A connection that is not enabled has no regions, and neither does a disabled user feature. A feature without the
/// `enabled` key counts as enabled (C13). An unusable region is reported and does not affect the others.
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
    for (place, element) in array.enumerated() where element.object == nil {
      report("\(key)[\(place)] is not an object", feature: feature)
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
        let place = "\(circle.center.latitude), \(circle.center.longitude)"
        throw LocationValue.Fault(reason: "the region around \(place) has no id, so events cannot refer to it")
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
