import IFTTT
import JSON
import Testing

/// Single changes, their differences, and values that must not be sent.
struct ConfigurationEditTests {
  private let steps: [ConfigurationStep: FieldOptions]

  init() throws {
    steps = Dictionary(
      try Lamps.form().entries.map { ($0.location.step, Lamps.options) }, uniquingKeysWith: { first, _ in first })
  }

  /// The stored configuration before and after a change.
  private func changed(
    _ change: (inout UserConnection, ConfigurationForm) throws -> Void
  ) throws -> (old: ConfigurationForm, new: UserConnection) {
    let form = try Lamps.form()
    var configuration = form.configuration
    try change(&configuration, form)
    return (form, configuration)
  }

  private func set(_ address: String, to value: JSONValue?) throws -> (old: ConfigurationForm, new: UserConnection) {
    try changed { $0.set(try $1.entry(named: address).location, to: value, in: $1.connection) }
  }

  private func words(_ differences: [ConfigurationDifference]) -> [String] {
    differences.map { "\($0.change.rawValue) \($0.address) \($0.before.text) \($0.after.text)" }
  }

  @Test func setsAValue() throws {
    let (old, new) = try set("ft#2.tides.add.note", to: "x")
    #expect(words(old.differences(to: new)) == [#"added ft#2.tides.add.note null "x""#])
    #expect(new.features[1].actions.map(\.stepID) == ["a1"], "the step is created")
    #expect(new.features[0] == old.configuration.features[0])
  }

  @Test func equivalentValueIsNotAChange() throws {
    let scene: JSONValue = ["label": "Other words", "value": "sc_4"]
    for value in [scene, "sc_4"] {
      let (old, new) = try set("ft#1.scene", to: value)
      #expect(new == old.configuration)
      #expect(old.differences(to: new) == [])
    }
    let (old, new) = try set(
      "ft#1.enter.area",
      to: try Lamps.json(
        #"{"lat":38.7369,"lng":-9.14270,"radius":2205e-1,"address":"Rua 9","description":"Home","zoom":15.0}"#))
    #expect(new == old.configuration, "numbers may be spelled in several ways")
  }

  @Test func removesAValue() throws {
    let (old, new) = try set("ft#1.tides.add.note", to: nil)
    #expect(words(old.differences(to: new)) == [#"removed ft#1.tides.add.note "a\nb" null"#])
  }

  @Test func addsAnUnusedFeature() throws {
    let (old, new) = try set("gx.place", to: ["lat": 1, "lng": 2])
    #expect(
      words(old.differences(to: new)) == [
        "added gx null true", #"added gx.sky.wind.place null {"lat":1,"lng":2}"#,
      ])
    #expect(new.features[2].isEnabled)
    #expect(new.features[2].id == nil)
  }

  @Test func addedFeatureHasDefaultValues() throws {
    let (_, new) = try changed { $0.add(try #require($1.connection.feature("ft"))) }
    let added = try #require(new.requestBody["user_features"]?.array?.last)
    let expected = #"""
      {"feature_id":"ft","enabled":true,"user_fields":[{"field_id":"name","value":"Room"},{"field_id":"scene","value":
      "sc_1"}],"user_feature_triggers":[{"feature_trigger_id":"t1","user_fields":[]}],"user_feature_queries":[
      {"feature_query_id":"q1","user_fields":[]}],"user_feature_actions":[{"feature_action_id":"a1","user_fields":[
      {"field_id":"lamps","value":[]},{"field_id":"note","value":""}]}]}
      """#.split(separator: "\n").joined()
    #expect(added.text == expected)
  }

  @Test func oldDefaultLocationIsSentWithShortNames() throws {
    let connection = try connection(
      #"""
      {"id":"x","features":[{"id":"f","fields":[{"id":"a","type":"LOCATION_RADIUS",
      "default_value":{"latitude":"1.50","longitude":"2","radius":"3","zoom":"4"}}]}]}
      """#)
    var configuration = UserConnection()
    configuration.add(connection.features[0])
    #expect(
      JSONValue.object(configuration.requestBody).text.contains(#""value":{"lat":1.50,"lng":2,"radius":3,"zoom":4}"#))
  }

  @Test func featuresAreEnabledDisabledAndRemoved() throws {
    let (old, new) = try changed { configuration, _ in
      configuration.setEnabled(1, to: true)
      configuration.setEnabled(0, to: true)
    }
    #expect(words(old.differences(to: new)) == ["changed ft#2 false true"])
    let (_, without) = try changed { configuration, _ in configuration.remove(1) }
    #expect(words(old.differences(to: without)) == ["removed ft#2 false null", #"removed ft#2.name "Attic" null"#])
    let (_, first) = try changed { configuration, _ in configuration.remove(0) }
    #expect(words(old.differences(to: first)).count == 8)
    #expect(first.features == [old.configuration.features[1]])
  }

  /// No field difference would show a step without fields.
  @Test func removedStepIsADifference() throws {
    let (old, new) = try changed { configuration, _ in configuration.features[0].queries = [] }
    #expect(words(old.differences(to: new)) == ["removed ft#1.tides.list null null"])
    #expect(
      words(ConfigurationForm(old.connection, new).differences(to: old.configuration)) == [
        "added ft#1.tides.list null null"
      ])
  }

  // MARK: Checks

  private func faults(_ changed: (old: ConfigurationForm, new: UserConnection)) -> [String] {
    ConfigurationForm(changed.old.connection, changed.new).faults(since: changed.old.configuration, steps).map {
      "\($0.entry.address) \($0.fault)".split(separator: "(")[0].description
    }
  }

  @Test func storedValuesAreValid() throws {
    #expect(faults(try changed { _, _ in }) == [])
  }

  @Test func findsInvalidValues() throws {
    #expect(faults(try set("ft#1.name", to: "")) == ["ft#1.name needsValue"])
    #expect(faults(try set("ft#1.name", to: nil)) == ["ft#1.name needsValue"])
    #expect(faults(try set("ft#1.scene", to: "Evening")) == ["ft#1.scene noOption"], "a label is not an option")
    #expect(faults(try set("ft#1.scene", to: "sc_1")) == [])
    #expect(faults(try set("ft#1.lamps", to: [["label": "x", "value": "l_9"]])) == ["ft#1.tides.add.lamps noOption"])
    #expect(faults(try set("ft#1.area", to: ["lat": 1, "lng": 2])) == ["ft#1.location.enter.area needsRadius"])
    #expect(faults(try set("ft#1.area", to: "Lisboa")) == ["ft#1.location.enter.area noLocation"])
    #expect(faults(try set("ft#2.name", to: "")) == [], "a disabled feature is not checked")
    #expect(
      faults(try changed { configuration, _ in configuration.setEnabled(1, to: true) }) == [
        "ft#2.scene needsValue", "ft#2.location.enter.area needsValue",
      ])
  }

  @Test func valuesAreNotCheckedWithoutKnownOptions() throws {
    let (old, new) = try set("ft#1.scene", to: "anything")
    #expect(ConfigurationForm(old.connection, new).faults(since: old.configuration, [:]) == [])
  }

  @Test func storedValueMissingFromOptionsIsReported() throws {
    let form = try Lamps.form()
    let fewer = steps.mapValues { options in
      var options = options
      options.options["scene"] = [Lamps.option("sc_1", "Evening")]
      return options
    }
    let outdated = form.outdated(since: form.configuration, fewer)
    #expect(outdated.map(\.entry.address) == ["ft#1.scene"])
    #expect(form.faults(since: form.configuration, fewer) == [], "an unchanged value is not a fault")
    #expect(form.outdated(since: form.configuration, steps) == [])
    let (old, new) = try set("ft#1.scene", to: "sc_1")
    #expect(ConfigurationForm(old.connection, new).outdated(since: old.configuration, fewer) == [])
  }
}
