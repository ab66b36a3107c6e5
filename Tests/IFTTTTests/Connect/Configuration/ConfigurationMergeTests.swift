import IFTTT
import JSON
import Support
import Testing

/// Merging of stored and wanted configurations.
struct ConfigurationMergeTests {
  private func stored() throws -> UserConnection { try #require(try Lamps.connection().userConnection) }

  private func document(_ text: String) throws -> UserConnection { try UserConnection(document: Lamps.json(text)) }

  private func roundTrip(_ configuration: UserConnection) throws -> UserConnection {
    try UserConnection(document: JSONValue(parsing: configuration.document))
  }

  /// Reading back the output of `connections show` with `configure --file` does not change a byte of the request.
  @Test func roundTripIsTheIdentity() throws {
    let stored = try stored()
    #expect(try stored.merged(with: roundTrip(stored)) == stored)
    let form = try Lamps.form()
    #expect(try form.differences(to: stored.merged(with: roundTrip(stored))) == [])
  }

  @Test(arguments: Fixture.allCases) func roundTripOfAFixtureIsTheIdentity(fixture: Fixture) throws {
    let connection = try fixture.connection()
    guard let stored = connection.userConnection else { return }
    let merged = try stored.merged(with: roundTrip(stored))
    #expect(merged == stored)
    #expect(merged.requestBody == stored.requestBody)
    #expect(ConfigurationForm(connection, stored).differences(to: merged) == [])
  }

  @Test func parsesWholeConnectionDocument() throws {
    let connection = try Lamps.connection()
    let json = try Lamps.json(IFTTTTests.document(connection))
    #expect(try connection.userConnection?.merged(with: UserConnection(document: json)) == connection.userConnection)
  }

  @Test func bodyIsCompleteWithoutLabels() throws {
    let expected = #"""
      {"user_features":[{"id":"u1","feature_id":"ft","enabled":true,"user_fields":[{"field_id":"name","value":"Hall"},
      {"field_id":"scene","value":"sc_4"}],"user_feature_triggers":[{"feature_trigger_id":"t1","user_fields":[
      {"field_id":"area","value":{"lat":38.736900,"lng":-9.1427,"radius":220.5,"address":"Rua 9","description":"Home",
      "zoom":15,"place_id":"p-1"}}]}],"user_feature_queries":[{"feature_query_id":"q1","user_fields":[]}],
      "user_feature_actions":[{"feature_action_id":"a1","user_fields":[{"field_id":"calendar","value":"cal_b"},
      {"field_id":"lamps","value":[{"label":"Ceiling","value":"l_1"}]},{"field_id":"note","value":"a\nb"},
      {"field_id":"gone","value":{"value":{"deep":[1,2.50]}}}]}]},{"id":"u2","feature_id":"ft","enabled":false,
      "user_fields":[{"field_id":"name","value":"Attic"}],"user_feature_triggers":[],"user_feature_queries":[],
      "user_feature_actions":[]}]}
      """#.split(separator: "\n").joined()
    #expect(try JSONValue.object(stored().requestBody).text == expected)
  }

  @Test func fileOfAnotherUserIsMatchedByOrder() throws {
    var foreign = try roundTrip(stored())
    for index in foreign.features.indices { foreign.features[index].id = "x\(index)" }
    #expect(try stored().merged(with: foreign) == stored())
    foreign.features.append(UserFeature(id: "x9", featureID: "ft", enabledOnWire: true))
    #expect(
      try stored().merged(with: foreign).features.map(\.id) == ["u1", "u2", nil], "IFTTT assigns the new id")
  }

  @Test func idsTakePrecedenceOverOrder() throws {
    var file = try roundTrip(stored())
    file.features.swapAt(0, 1)
    #expect(try stored().merged(with: file).features.map(\.id) == ["u2", "u1"])
    file.features.remove(at: 1)
    #expect(try stored().merged(with: file).features == [stored().features[1]])
  }

  @Test func onlyDifferencesAreMerged() throws {
    var file = try roundTrip(stored())
    file.features[0].fields[0].value = "Hallway"
    file.features[0].enabledOnWire = nil
    var expected = try stored()
    expected.features[0].fields[0].value = "Hallway"
    #expect(try stored().merged(with: file) == expected)
  }

  @Test func valuesMissingFromFileAreRemoved() throws {
    var file = try roundTrip(stored())
    file.features[0].actions[0].fields.removeAll { $0.id == "note" }
    file.features[0].triggers = []
    file.features[0].fields[1].value = .null
    let merged = try stored().merged(with: file)
    #expect(merged.features[0].actions[0].fields.map(\.id) == ["calendar", "lamps", "gone"])
    #expect(merged.features[0].triggers == [])
    #expect(merged.features[0].fields.map(\.id) == ["name"])
  }

  /// Whatever is changed in a configuration, untouched values are sent back as received.
  @Test(arguments: 0..<200) func untouchedFieldsAreUnchanged(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let stored = try stored()
    let form = try Lamps.form()
    var wanted = stored
    let entries = form.entries.filter { $0.location.instance != nil }
    let touched = try (0..<Int.random(in: 0...4, using: &random)).map { _ in
      try #require(entries.randomElement(using: &random))
    }
    for entry in touched {
      wanted.set(entry.location, to: Bool.random(using: &random) ? .string("x\(seed)") : nil, in: form.connection)
    }
    let merged = try stored.merged(with: roundTrip(wanted))
    let locations = Set(touched.map(\.location))
    let after = ConfigurationForm(form.connection, merged)
    for entry in entries where !locations.contains(entry.location) {
      #expect(after.entry(entry.location)?.value == entry.value, "\(entry.address)")
    }
    #expect(form.differences(to: merged) == form.differences(to: wanted))
    #expect(Set(form.differences(to: wanted).compactMap(\.location)).isSubset(of: locations))
    if touched.isEmpty { #expect(merged == stored) }
  }

  @Test(arguments: [
    (#"[]"#, ""), (#"{}"#, "features"), (#"{"configuration":null}"#, "configuration"),
    (#"{"features":[],"feature":[]}"#, "feature"), (#"{"features":{}}"#, "features"),
    (#"{"features":[1]}"#, "features[0]"),
    (#"{"features":[{"fields":{},"triggers":[],"queries":[],"actions":[]}]}"#, "features[0]"),
    (#"{"features":[{"id":"u","fields":[],"triggers":[],"queries":[],"actions":[]}]}"#, "features[0].fields"),
    (#"{"features":[{"id":"u","triggers":[],"queries":[],"actions":[]}]}"#, "features[0].fields"),
    (#"{"features":[{"id":"u","fields":{},"queries":[],"actions":[]}]}"#, "features[0].triggers"),
    (
      #"{"features":[{"id":"u","enabled":1,"fields":{},"triggers":[],"queries":[],"actions":[]}]}"#,
      "features[0].enabled"
    ),
    (#"{"features":[{"id":7,"fields":{},"triggers":[],"queries":[],"actions":[]}]}"#, "features[0].id"),
    (
      #"{"features":[{"id":"u","fields":{"a":1,"a":2},"triggers":[],"queries":[],"actions":[]}]}"#,
      "features[0].fields"
    ),
    (
      #"{"features":[{"id":"u","fields":{},"triggers":[{"fields":{}}],"queries":[],"actions":[]}]}"#,
      "features[0].triggers[0]"
    ),
  ]) func rejectsInvalidDocument(text: String, path: String) throws {
    let fault = #expect(throws: DocumentError.self) { try document(text) }
    #expect(fault?.path == path)
  }
}
