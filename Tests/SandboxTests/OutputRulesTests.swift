import HTTP
import JSON
import Sandbox
import Testing

/// The rules for JSON that both SDKs rely on for every connection (docs/api/connect.md §8, §9 and §12), checked on the
/// JSON alone.
@Suite struct OutputRulesTests {
  static let viewers: [[Header]] = [[.invite], [.key], [.token, .invite], [.secondToken, .invite]]

  @Test(arguments: SandboxFixtures.ownConnectionIDs, viewers)
  func aConnectionFollowsTheRules(id: String, viewer: [Header]) throws {
    var session = EmulatorSession()
    let json = session.get("/v2/connections/\(id)", viewer).json
    #expect(json["type"] == "connection" && json["id"]?.string == id)
    for key in ["name", "description", "url", "embedded_url"] { #expect(json[key]?.string?.isEmpty == false) }
    #expect(json["url"]?.string == "https://ifttt.com/applets/\(id)")
    #expect((json["enabled_count"]?.int ?? -1) >= 0)
    let status = try #require(json["user_status"])
    #expect([.null, "enabled", "disabled", "never_enabled"].contains(status))
    #expect((json["user_connection"] != nil) == (status == "enabled"))

    let services = try #require(json["services"]?.array)
    #expect(services.filter { $0["is_primary"] == true }.count == 1)
    for service in services { try check(service: service) }
    let features = try #require(json["features"]?.array)
    #expect(!features.isEmpty)
    for feature in features { try check(feature: feature) }
    guard let configured = json["user_connection"] else { return }
    for instance in try #require(configured["user_features"]?.array) { try check(instance: instance, of: features) }
  }

  private func check(service: JSONValue) throws {
    for key in [
      "service_id", "service_name", "service_short_name", "monochrome_icon_url", "color_icon_url", "brand_color", "url",
    ] {
      #expect(service[key]?.string?.isEmpty == false)
    }
    let color = try #require(service["brand_color"]?.string)
    #expect(color.utf8.count == 7 && color.hasPrefix("#") && color.dropFirst().allSatisfy(\.isHexDigit))
    for key in ["triggers", "queries", "actions"] { #expect(service[key]?.array != nil) }
  }

  private func check(feature: JSONValue) throws {
    for key in ["id", "title", "icon_url", "field_options_url"] { #expect(feature[key]?.string?.isEmpty == false) }
    #expect(feature["description"] != nil)
    try check(fields: feature["fields"])
    for (kind, slug) in Self.steps {
      for step in try #require(feature["feature_\(kind)"]?.array) {
        for key in ["id", slug, "service_id", "label", "field_options_url"] {
          #expect(step[key]?.string?.isEmpty == false)
        }
        #expect((step["run_url"]?.string != nil) == (slug == "action_id"))
        try check(fields: step["fields"])
      }
    }
  }

  private static let steps = [("triggers", "trigger_id"), ("queries", "query_id"), ("actions", "action_id")]

  private func check(fields: JSONValue?) throws {
    for field in try #require(fields?.array) {
      #expect(
        field.object?.members.map(\.key) == ["id", "label", "type", "required", "hidden", "default_value"])
      #expect(field["required"]?.bool != nil && field["hidden"]?.bool != nil)
      let value = try #require(field["default_value"])
      if value != .null { check(value, of: try #require(field["type"]?.string)) }
    }
  }

  /// Every configured field belongs to the feature, in its order, without gaps and with the feature's type.
  private func check(instance: JSONValue, of features: [JSONValue]) throws {
    let feature = try #require(features.first { $0["id"] == instance["feature_id"] })
    #expect(instance["enabled"]?.bool != nil && instance["id"]?.string?.utf8.count == 36)
    try check(userFields: instance["user_fields"], of: feature["fields"])
    for (kind, step) in [("triggers", "trigger"), ("queries", "query"), ("actions", "action")] {
      let defined = try #require(feature["feature_\(kind)"]?.array)
      let configured = try #require(instance["user_feature_\(kind)"]?.array)
      #expect(configured.map { $0["feature_\(step)_id"] } == defined.map { $0["id"] })
      for (configured, defined) in zip(configured, defined) {
        #expect(configured["id"]?.string?.utf8.count == 36)
        try check(userFields: configured["user_fields"], of: defined["fields"])
      }
    }
  }

  private func check(userFields: JSONValue?, of fields: JSONValue?) throws {
    let userFields = try #require(userFields?.array)
    let fields = try #require(fields?.array)
    #expect(userFields.map { $0["field_id"] } == fields.map { $0["id"] })
    #expect(userFields.map { $0["field_type"] } == fields.map { $0["type"] })
    for field in userFields {
      #expect(field.object?.members.map(\.key) == ["field_id", "field_type", "value"])
      check(try #require(field["value"]), of: try #require(field["field_type"]?.string))
    }
  }

  private func check(_ value: JSONValue, of type: String) {
    let keys = value.object?.members.map(\.key)
    switch type {
    case "TEXT_FIELD", "TEXT_AREA": #expect(value.string != nil)
    case "COLLECTION_SELECT", "DOUBLE_COLLECTION_SELECT": #expect(keys == ["group", "label", "value"])
    case "CHECKBOX_MULTI":
      #expect(value.array?.allSatisfy { $0.object?.members.map(\.key) == ["label", "value"] } == true)
    case "LOCATION_POINT": #expect(keys == ["lat", "lng", "address", "description", "zoom"])
    case "LOCATION_RADIUS", "LOCATION_ENTER", "LOCATION_EXIT", "LOCATION_ENTER_OR_EXIT":
      #expect(keys == ["lat", "lng", "radius", "address", "description", "zoom"])
      #expect((value["radius"]?.double ?? 0) > 0)
    default: Issue.record("unknown field type \(type)")
    }
    if type.hasPrefix("LOCATION") {
      #expect((-90...90).contains(value["lat"]?.double ?? 91) && (-180...180).contains(value["lng"]?.double ?? 181))
    }
  }

  @Test func oneConnectionHasEveryFieldTypeAndAFeatureTwice() {
    var session = EmulatorSession()
    let json = session.get("/v2/connections/Fq3Lw8Zt", [.token]).json
    let instances = json["user_connection"]?["user_features"]?.array ?? []
    #expect(Set(instances.compactMap { $0["feature_id"]?.string }).count == instances.count - 1)
    var holders: [JSONValue] = instances
    for instance in instances {
      for steps in ["triggers", "queries", "actions"] {
        holders += instance["user_feature_\(steps)"]?.array ?? []
      }
    }
    let fields: [JSONValue] = holders.flatMap { $0["user_fields"]?.array ?? [] }
    #expect(
      Set(fields.compactMap { $0["field_type"]?.string }) == [
        "TEXT_FIELD", "TEXT_AREA", "COLLECTION_SELECT", "DOUBLE_COLLECTION_SELECT", "CHECKBOX_MULTI", "LOCATION_POINT",
        "LOCATION_RADIUS", "LOCATION_ENTER", "LOCATION_EXIT", "LOCATION_ENTER_OR_EXIT",
      ])
  }

  @Test func configuredIDsAreUnique() {
    var ids: [String] = []
    var session = EmulatorSession()
    for id in SandboxFixtures.ownConnectionIDs {
      for viewer in [Header.token, .secondToken] {
        let features = session.get("/v2/connections/\(id)", [viewer]).json["user_connection"]?["user_features"]
        for feature in features?.array ?? [] {
          ids += [feature["id"]?.string].compactMap { $0 }
          ids += ["triggers", "queries", "actions"].flatMap { feature["user_feature_\($0)"]?.array ?? [] }
            .compactMap { $0["id"]?.string }
        }
      }
    }
    #expect(ids.count > 20 && Set(ids).count == ids.count)
  }
}
